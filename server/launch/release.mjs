/**
 * Makes a release of the version in package.json: `npm run release -- [--skip-check]` fills release/ with the server for this
 * platform, the client package, an SBOM, the changes and checksums, and dates the heading in CHANGELOG.md. Commits and publishes
 * nothing. Plain JavaScript, like the launcher.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runNpm } from './npm.mjs'
import { version } from './version.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const target = path.join(root, 'release')

try {
  release()
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function release() {
  const { values } = parseArgs({ options: { 'skip-check': { type: 'boolean' } } })
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} (`))
  const changes = heading && changelog.split(`${heading}\n`)[1]?.split('\n## ')[0]?.trim()
  if (!heading || !/^- /m.test(changes ?? '')) {
    throw new Error(
      `CHANGELOG.md needs the heading "## ${version} (unreleased)" with a list of changes below it.`,
    )
  }
  // A release that is made once more has dated the changelog already.
  if (run('git', ['status', '--porcelain', '--', '.', ':!CHANGELOG.md']) !== '')
    throw new Error('Commit or stash your changes first.')
  if (!values['skip-check']) runNpm(['run', 'check'], root, 'inherit')

  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const name = `rangoli-${version}-${process.platform}-${process.arch}`
  run(process.execPath, ['server/launch.mjs', 'pack', path.join(target, name)])
  for (const part of ['LICENSE', '.env.example', 'examples/systemd', 'examples/caddy', 'examples/nginx'])
    cpSync(path.join(root, part), path.join(target, name, part), { recursive: true })
  run('tar', [
    '--create',
    '--gzip',
    '--owner=0',
    '--group=0',
    '--file',
    `release/${name}.tar.gz`,
    '--directory',
    'release',
    name,
  ])
  rmSync(path.join(target, name), { recursive: true })
  runNpm(['run', 'pack:client', '--', 'release', '--force'], root)
  const sbom = JSON.parse(
    runNpm(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], root),
  )
  // npm names it after the folder.
  sbom.metadata.component.name = 'rangoli'
  writeFileSync(path.join(target, `rangoli-${version}.cdx.json`), JSON.stringify(sbom, null, 2))
  writeFileSync(path.join(target, 'CHANGES.md'), `${changes}\n`)
  const sums = readdirSync(target).map((file) => {
    const hash = createHash('sha256').update(readFileSync(path.join(target, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  writeFileSync(path.join(target, 'SHA256SUMS'), sums.join(''))
  const dated = `## ${version} (${new Date().toISOString().slice(0, 10)})`
  writeFileSync(path.join(root, 'CHANGELOG.md'), changelog.replace(heading, dated))
  process.stdout.write(`CHANGELOG.md is dated, and release/ has what is published. What is left to do:

  git commit --all --message 'chore(release): ${version}' && git tag v${version} && git push --tags origin HEAD

The tag makes the workflow build the archives, publish the image and create the release. By hand:

  docker build --tag rangoli:${version} --tag rangoli:latest . --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse HEAD)
  npm publish release/rangoli-client-${version}.tgz

After the release, begin the next version: npm version --no-git-tag-version VERSION, and its heading in CHANGELOG.md.\n`)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {string} its output
 */
function run(command, args) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
