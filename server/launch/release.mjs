/**
 * Prepares a release of the version in package.json: `npm run release -- [--skip-check]`. Dates its heading in CHANGELOG.md, packs
 * the client package, and prints what is left to do; commits and publishes nothing. Plain JavaScript, like the launcher.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runNpm } from './npm.mjs'
import { version } from './version.mjs'

const root = path.resolve(import.meta.dirname, '../..')

try {
  release()
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function release() {
  const { values } = parseArgs({ options: { 'skip-check': { type: 'boolean' } } })
  const file = path.join(root, 'CHANGELOG.md')
  const changelog = readFileSync(file, 'utf8')
  const heading = `## ${version} (unreleased)\n`
  const [, entries = ''] = changelog.split(heading)
  if (!entries.trimStart().startsWith('- ')) {
    throw new Error(`CHANGELOG.md needs the heading "${heading.trim()}" with a list of changes below it.`)
  }
  const changes = execFileSync('git', ['status', '--porcelain'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  if (changes !== '') throw new Error('Commit or stash your changes first.')
  if (!values['skip-check']) runNpm(['run', 'check'], root, 'inherit')

  runNpm(['run', 'pack:client', '--', 'release', '--force'], root)
  writeFileSync(
    file,
    changelog.replace(heading, `## ${version} (${new Date().toISOString().slice(0, 10)})\n`),
  )
  process.stdout.write(`CHANGELOG.md is dated, and the client package is in release/. What is left to do:

  git commit --all --message 'chore(release): ${version}' && git tag v${version} && git push --tags origin HEAD
  docker build --tag rangoli:${version} --tag rangoli:latest . --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse HEAD)
  npm publish release/rangoli-client-${version}.tgz

After the release, begin the next version: npm version --no-git-tag-version VERSION, and its heading in CHANGELOG.md.\n`)
}
