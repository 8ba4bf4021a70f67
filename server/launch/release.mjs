/**
 * Prepares a release: `npm run release -- VERSION [--skip-check]`. Changes the version wherever it is written, packs the
 * client package, and prints what is left to do; commits and publishes nothing. Plain JavaScript, like the launcher.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runNpm } from './npm.mjs'

const root = path.resolve(import.meta.dirname, '../..')

const usage = `Usage: npm run release -- VERSION [--skip-check]

Prepares the release VERSION, such as 0.2.0: dates its heading in CHANGELOG.md, changes the version wherever it is
written, and packs rangoli-client into release/. Runs npm run check first, unless --skip-check says that CI did.`

/** Files that name the version of the client package. */
const mentions = ['docs/api.md', 'examples/README.md', 'examples/terminal/package.json']

try {
  release()
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function release() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'skip-check': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) return say(usage)
  const [version, ...rest] = positionals
  if (version === undefined || rest.length > 0) throw new Error(usage)

  const current = JSON.parse(read('package.json')).version
  const changelog = releasedChangelog(version)
  requireHigher(version, current)
  const changes = execFileSync('git', ['status', '--porcelain'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  if (changes !== '') throw new Error('Commit or stash your changes first.')
  if (!values['skip-check']) runNpm(['run', 'check'], root, 'inherit')

  for (const project of [root, path.join(root, 'server/client-package')]) {
    runNpm(['version', version, '--no-git-tag-version', '--ignore-scripts'], project)
  }
  write('CHANGELOG.md', changelog)
  for (const file of mentions) {
    // As in the name of a tarball, and among dependencies.
    const named = read(file).replaceAll(`rangoli-client-${current}`, `rangoli-client-${version}`)
    write(file, named.replaceAll(`"rangoli-client": "${current}"`, `"rangoli-client": "${version}"`))
  }
  runNpm(['run', 'pack:client', '--', 'release', '--force'], root)

  say(`Version ${version} is in the working tree, and the client package in release/. What is left to do:

  git commit --all --message 'chore(release): ${version}' && git tag v${version} && git push --tags origin HEAD
  docker build --tag rangoli:${version} --tag rangoli:latest . --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse HEAD)
  npm publish release/rangoli-client-${version}.tgz`)
}

/**
 * Dates the heading of a version.
 *
 * @param {string} version
 * @returns {string} the changelog
 * @throws if it has no unreleased entries for the version
 */
function releasedChangelog(version) {
  const changelog = read('CHANGELOG.md')
  const heading = `## ${version} (unreleased)\n`
  const [, entries = ''] = changelog.split(heading)
  if (!entries.trimStart().startsWith('- ')) {
    throw new Error(`CHANGELOG.md needs the heading "${heading.trim()}" with a list of changes below it.`)
  }
  return changelog.replace(heading, `## ${version} (${new Date().toISOString().slice(0, 10)})\n`)
}

/**
 * @param {string} version
 * @param {string} current
 */
function requireHigher(version, current) {
  const [wanted, given] = [version, current].map((text) => text.split('.').map(Number))
  const isVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version)
  const first = wanted?.findIndex((part, index) => part !== given?.[index]) ?? -1
  if (!isVersion || first < 0 || Number(wanted?.[first]) < Number(given?.[first])) {
    throw new Error(`"${version}" must be a version above ${current}, such as 1.2.3.`)
  }
}

/** @param {string} file */
function read(file) {
  return readFileSync(path.join(root, file), 'utf8')
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  writeFileSync(path.join(root, file), text)
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
