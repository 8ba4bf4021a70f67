import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'

const root = path.resolve(import.meta.dirname, '../..')

const version = '0.9.0'

const changelog = `# Changelog\n\n## ${version} (unreleased)\n\n- Something new.\n\n## 0.1.0\n\n- The first version.\n`

/** A repository with the script, a changelog, and a package whose `pack:client` creates a file; everything committed. */
async function makeRepository(): Promise<string> {
  const folder = await tempFolder()
  cpSync(path.join(root, 'server/launch'), path.join(folder, 'server/launch'), { recursive: true })
  const scripts = {
    'pack:client': `node -e "fs.mkdirSync('release'); fs.writeFileSync('release/client.tgz', '')"`,
  }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version, type: 'module', scripts }))
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog)
  writeFileSync(path.join(folder, '.gitignore'), 'release/\n')
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

describe('npm run release', () => {
  test('dates the changelog of the version in package.json, packs the client and prints the next steps', async () => {
    const folder = await makeRepository()
    const { code, stdout, stderr } = release(folder, '--skip-check')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`docker build --tag rangoli:${version} --tag rangoli:latest .`)
    expect(stdout).toContain(`git tag v${version}`)
    const heading = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8').split('\n')[2]
    expect(heading?.replace(/\d/g, '0')).toBe(`## ${version} (0000-00-00)`.replace(/\d/g, '0'))
    expect(existsSync(path.join(folder, 'release/client.tgz'))).toBe(true)
    expect(changesOf(folder)).toBe(' M CHANGELOG.md\n')
  })

  test('rejects what cannot be released, and changes nothing', async () => {
    const folder = await makeRepository()
    writeFileSync(path.join(folder, 'CHANGELOG.md'), `${changelog}\n- Not committed.\n`)
    expect(release(folder, '--skip-check').stderr).toBe('Commit or stash your changes first.\n')
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog.replace(' (unreleased)', ''))
    expect(release(folder, '--skip-check').stderr).toMatch(
      /^CHANGELOG\.md needs the heading "## .* \(unreleased\)"/,
    )
    expect(changesOf(folder)).toBe(' M CHANGELOG.md\n')
  })
})

function changesOf(folder: string): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })
}
