import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { runToEnd } from '../../test/support/client-package/project.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { pack } from './pack.mjs'

const root = path.resolve(import.meta.dirname, '../..')

const version = '0.9.0'

const changelog = `# Changelog\n\n## ${version} (unreleased)\n\n- Something new.\n\n## 0.1.0\n\n- The first version.\n`

/** A repository with the script, a changelog, and commands of the same names that only write a file; everything committed. */
async function makeRepository(): Promise<string> {
  const folder = await tempFolder()
  for (const part of ['server/launch', 'examples', 'LICENSE', '.env.example'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
  const write = (name: string, contents: string) => writeFileSync(path.join(folder, name), contents)
  const scripts = { 'pack:client': `node -e "fs.writeFileSync('release/client.tgz', '')"` }
  const project = { name: 'rangoli', version, type: 'module' }
  write('package.json', JSON.stringify({ ...project, scripts }))
  write(
    'package-lock.json',
    JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages: { '': project } }),
  )
  write(
    'server/launch.mjs',
    `import { mkdirSync, writeFileSync } from 'node:fs'
     const [command, folder] = process.argv.slice(2)
     mkdirSync(folder)
     writeFileSync(folder + '/main.js', command)`,
  )
  write('CHANGELOG.md', changelog)
  write('.gitignore', 'release/\n')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Asha', '-c', 'user.email=asha@example.org', 'commit', '--quiet', '--message', 'All')
  return folder
}

const release = (folder: string) => runToEnd([path.join(folder, 'server/launch/release.mjs'), '--skip-check'])

test('packs into no folder with files, such as that of a running server', () => {
  expect(() => pack(root, path.join(root, 'no-build'), root)).toThrow(`${root} is not empty`)
})

describe('npm run release', () => {
  test('packs server and client with SBOM, changes and checksums, and dates the changelog, also once more', async () => {
    const folder = await makeRepository()
    for (let time = 1; time <= 2; time++) {
      const { code, stdout, stderr } = release(folder)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`git tag v${version}`)
    }
    const heading = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8').split('\n')[2]
    expect(heading).toMatch(/^## 0\.9\.0 \(\d{4}-\d\d-\d\d\)$/)
    expect(changesOf(folder)).toBe(' M CHANGELOG.md\n')

    const released = path.join(folder, 'release')
    const name = `rangoli-${version}-${process.platform}-${process.arch}`
    const files = ['CHANGES.md', `${name}.tar.gz`, `rangoli-${version}.cdx.json`, 'client.tgz']
    expect(readdirSync(released).toSorted()).toEqual([...files, 'SHA256SUMS'].toSorted())
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: released, stdio: 'pipe' })
    const archive = ['-tvf', path.join(released, `${name}.tar.gz`), '--numeric-owner']
    const packed = execFileSync('tar', archive, { encoding: 'utf8' })
    for (const file of ['main.js', 'LICENSE', '.env.example', 'examples/systemd/rangoli.service'])
      expect(packed).toMatch(new RegExp(` 0/0 .* ${name}/${file}$`, 'm'))
    expect(readFileSync(path.join(released, 'CHANGES.md'), 'utf8')).toBe('- Something new.\n')
    const sbom = JSON.parse(
      readFileSync(path.join(released, `rangoli-${version}.cdx.json`), 'utf8'),
    ) as object
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'rangoli', version } },
    })
  })

  test('rejects what cannot be released, and changes nothing', async () => {
    const folder = await makeRepository()
    writeFileSync(path.join(folder, 'new.ts'), '')
    expect(release(folder).stderr).toBe('Commit or stash your changes first.\n')
    rmSync(path.join(folder, 'new.ts'))
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog.replace(version, '0.8.0'))
    expect(release(folder).stderr).toMatch(/^CHANGELOG\.md needs the heading "## .* \(unreleased\)"/)
    expect(changesOf(folder)).toBe(' M CHANGELOG.md\n')
  })
})

function changesOf(folder: string): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })
}
