import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { pack, tarballIn, version } from '../../test/support/client-package/project.ts'

/** Packing takes a second, and many on a machine that is busy. */
const patience = { timeout: 120_000 }

test('the package holds its few lines, its types, and nothing of the server', patience, async () => {
  const folder = await tempFolder()
  expect(pack(folder)).toEqual({
    code: 0,
    stdout: `The package is in ${tarballIn(folder)}; install it with: npm install ${tarballIn(folder)}\n`,
    stderr: '',
  })
  execFileSync('tar', ['-xzf', tarballIn(folder), '-C', folder])
  const files = readdirSync(path.join(folder, 'package'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(folder, 'package'), path.join(entry.parentPath, entry.name)))
    .sort()
  const types = files.filter((file) => file.startsWith('types/'))
  expect(files.filter((file) => !types.includes(file))).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'rangoli-client.js',
  ])
  expect(types.every((file) => file.endsWith('.d.ts'))).toBe(true)
  expect(types).toContain('types/server/trpc/router.d.ts')
  for (const file of types) {
    const text = readFileSync(path.join(folder, 'package', file), 'utf8')
    expect({ file, text }).not.toMatchObject({
      text: expect.stringMatching(
        /kysely|better-sqlite3|better-auth|hono|pino|sharp|zod|openai|Services|RequestContext/,
      ),
    })
    for (const [, name = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (/^@trpc\/(?:client|server)(?:\/|$)/.test(name)) continue
      expect(types).toContain(path.posix.join(path.dirname(file), name.replace(/\.js$/, '.d.ts')))
    }
  }
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package/package.json'), 'utf8')) as object
  expect(manifest).toMatchObject({
    name: 'rangoli-client',
    version,
    dependencies: { '@trpc/client': '^11.19.0', eventsource: '^4.1.1' },
    peerDependencies: { '@trpc/server': '^11.19.0' },
  })
  expect(manifest).toHaveProperty('dependencies', { '@trpc/client': '^11.19.0', eventsource: '^4.1.1' })
  expect(readFileSync(path.join(folder, 'package/rangoli-client.js'), 'utf8').match(/ from .*/g)).toEqual([
    " from '@trpc/client';",
    " from 'eventsource';",
  ])
})

describe('the command', patience, () => {
  test('says how it is used', () => {
    const { code, stdout, stderr } = pack('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: npm run pack:client -- DIR/)
  })

  test('makes the folder, and replaces a tarball only when it is told to', async () => {
    const folder = path.join(await tempFolder(), 'a/b')
    expect(pack(folder).code).toBe(0)
    const first = readFileSync(tarballIn(folder))
    await writeFile(tarballIn(folder), 'something else')
    expect(pack(folder)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${tarballIn(folder)} is there already; --force replaces it.\n`,
    })
    expect(readFileSync(tarballIn(folder), 'utf8')).toBe('something else')
    expect(pack(folder, '--force').code).toBe(0)
    expect(readFileSync(tarballIn(folder)).equals(first)).toBe(true)
  })

  test.each([
    [['--frce', 'x'], /^Unknown option '--frce'; .*--help/],
    [['--force=yes', 'x'], /--force.*; .*--help/],
    [[], /^Say which folder .*--help/],
    [['x', 'y'], /^There can be one folder only; .*--help/],
  ])('refuses %j in one line', (args, sentence) => {
    const { code, stdout, stderr } = pack(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.match(/\n/g)).toHaveLength(1)
  })

  test('refuses a folder that can’t be one, in one line', async () => {
    const folder = await tempFolder()
    await writeFile(path.join(folder, 'blocker'), '')
    await mkdir(tarballIn(folder))
    for (const impossible of [path.join(folder, 'blocker'), path.join(folder, 'blocker/x')]) {
      const { code, stdout, stderr } = pack(impossible)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^The tarball can't be written to [^\n]+\n$/)
    }
    const onFolder = pack(folder, '--force')
    expect(onFolder.code).toBe(1)
    expect(onFolder.stderr).toMatch(/^The tarball can't be written to [^\n]+\n$/)
  })
})
