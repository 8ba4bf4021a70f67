import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { packedClient } from '../../test/support/client-package/project.ts'
import { tempFolder } from '../../test/support/folder.ts'

const root = path.resolve(import.meta.dirname, '../..')

const client = 'server/client-package'

/** Files that a release reads: sources of the client package, and files that name the version. */
const sources =
  'server shared package.json package-lock.json .npmrc LICENSE tsconfig.base.json docs/api.md examples/README.md examples/terminal/package.json'.split(
    ' ',
  )

const changelog =
  '# Changelog\n\n## 9.8.7 (unreleased)\n\n- Something new.\n\n## 0.1.0\n\n- The first version.\n'

// Installs and compiles what a release packs.
beforeAll(packedClient, 120_000)

/** A repository of its own with the sources and a changelog, everything committed. */
async function makeRepository(): Promise<string> {
  const folder = await tempFolder()
  for (const file of sources) {
    cpSync(path.join(root, file), path.join(folder, file), {
      recursive: true,
      filter: (copied) => !path.basename(copied).startsWith('node_modules'),
    })
  }
  for (const modules of ['node_modules', `${client}/node_modules`])
    symlinkSync(path.join(root, modules), path.join(folder, modules))
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog)
  // A link is no folder, which `node_modules/` would ignore.
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\nrelease/\n')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Asha', '-c', 'user.email=asha@example.org', 'commit', '--quiet', '--message', 'All')
  return folder
}

function release(folder: string, ...args: string[]) {
  try {
    const script = path.join(folder, 'server/launch/release.mjs')
    const stdout = execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: 'pipe' })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string }
    return { code: status, stdout, stderr }
  }
}

describe('npm run release', { timeout: 120_000 }, () => {
  test('changes the version everywhere, dates the changelog, packs the client and prints the next steps', async () => {
    const folder = await makeRepository()
    const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
    const { version } = JSON.parse(read('package.json')) as { version: string }
    const result = release(folder, '9.8.7', '--skip-check')
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain('docker build --tag rangoli:9.8.7 --tag rangoli:latest .')
    expect(result.stdout).toContain('git tag v9.8.7')
    for (const file of ['package.json', 'package-lock.json'].flatMap((name) => [name, `${client}/${name}`])) {
      expect(JSON.parse(read(file))).toMatchObject({ version: '9.8.7' })
    }
    expect(read('CHANGELOG.md')).toMatch(/^## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$/m)
    for (const file of ['docs/api.md', 'examples/README.md', 'examples/terminal/package.json']) {
      expect(read(file)).toContain('9.8.7')
      expect(read(file)).not.toContain(version)
    }
    expect(existsSync(path.join(folder, 'release/rangoli-client-9.8.7.tgz'))).toBe(true)
    const changed = execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })
    expect(changed.match(/^ M .*$/gm)).toHaveLength(8)
  })

  test('rejects what cannot be released, and changes nothing', async () => {
    const folder = await makeRepository()
    for (const [args, message] of [
      [[], /^Usage: npm run release/],
      [['9.8.7', '9.8.8'], /^Usage: npm run release/],
      [['9.9.9'], /^CHANGELOG\.md needs the heading "## 9\.9\.9 \(unreleased\)"/],
    ] as const) {
      const result = release(folder, ...args, '--skip-check')
      expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
    }
    for (const version of ['v9.8.7', '9.8', '0.0.9', '0.1.0', '9.8.7-beta']) {
      writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog.replace('9.8.7', version))
      const { code, stderr } = release(folder, version, '--skip-check')
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/must be a version above/) })
    }
    writeFileSync(path.join(folder, 'CHANGELOG.md'), `${changelog}\n- Not committed.\n`)
    expect(release(folder, '9.8.7', '--skip-check').stderr).toBe('Commit or stash your changes first.\n')
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe(
      ' M CHANGELOG.md\n',
    )
  })
})
