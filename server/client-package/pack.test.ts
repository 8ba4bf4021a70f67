import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { pack, packedClient, tarballIn, version } from '../../test/support/client-package/project.ts'

beforeAll(packedClient)

test('the package contains the client and its types, but no types of the server’s dependencies', async () => {
  const folder = await tempFolder()
  expect(pack(folder)).toEqual({
    code: 0,
    stdout: `Created ${tarballIn(folder)}. Install it with: npm install ${tarballIn(folder)}\n`,
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
    'client.js',
    'generate-image.js',
    'package.json',
    'rangoli-client.js',
    'shared/errors.js',
    'shared/images.js',
  ])
  expect(types.every((file) => file.endsWith('.d.ts'))).toBe(true)
  expect(types).toContain('types/server/trpc/router.d.ts')
  for (const file of types) {
    const text = readFileSync(path.join(folder, 'package', file), 'utf8')
    expect({ file, text }).not.toMatchObject({
      text: expect.stringMatching(
        /kysely|better-sqlite3|better-auth|hono|pino|sharp|zod|OpenAI|Services|RequestContext/,
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
    peerDependencies: { '@trpc/server': '^11.19.0' },
  })
  expect(manifest).toHaveProperty('dependencies', { '@trpc/client': '^11.19.0', eventsource: '^4.1.1' })
  for (const key of ['devDependencies', 'scripts']) expect(manifest).not.toHaveProperty(key)
  const imports = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => readFileSync(path.join(folder, 'package', file), 'utf8').match(/ from ['"].*/g) ?? [])
    .filter((line) => !files.includes(/\.\/([^'"]+)/.exec(line)?.[1] ?? ''))
  // None of Node, and none of the server.
  expect(imports.sort()).toEqual([" from '@trpc/client';", " from 'eventsource';"])
})

describe('pack:client', () => {
  test('creates the folder, and replaces a tarball only with --force', async () => {
    const folder = path.join(await tempFolder(), 'a/b')
    expect(pack(folder).code).toBe(0)
    const first = readFileSync(tarballIn(folder))
    await writeFile(tarballIn(folder), 'other content')
    expect(pack(folder)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${tarballIn(folder)} already exists. Replace it with --force.\n`,
    })
    expect(readFileSync(tarballIn(folder), 'utf8')).toBe('other content')
    expect(pack(folder, '--force').code).toBe(0)
    expect(readFileSync(tarballIn(folder)).equals(first)).toBe(true)
  })

  test('reports a folder that cannot be written to, in one line', async () => {
    const folder = await tempFolder()
    await writeFile(path.join(folder, 'blocker'), '')
    const { code, stderr } = pack(path.join(folder, 'blocker'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Can't write the tarball to [^\n]+\n$/)
  })
})
