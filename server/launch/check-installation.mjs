/**
 * Checks of Node and better-sqlite3, which every command runs first: before a build, and before it opens a database. Parsed by
 * old versions of Node, so without new syntax.
 */
import { existsSync, readFileSync } from 'fs'
import { createRequire } from 'module'
import path from 'path'

const require = createRequire(import.meta.url)

/** Oldest supported Node, as in `engines` of package.json. */
const [oldestMajor, oldestMinor] = [20, 19]

/**
 * Name that a binary imports from Node only if it was compiled against headers whose `node::ObjectWrap` removes a cleanup
 * hook in its destructor: Node 24.19 and later, 26.4 and later. better-sqlite3 12 derives from that class, and its published
 * binaries are compiled against 24.0.0 and 26.0.0, which have no such hook. The name is in the import table of ELF, Mach-O and PE
 * files alike.
 *
 * @see https://github.com/nodejs/node/pull/63642 (the hook)
 * @see https://github.com/WiseLibs/better-sqlite3/blob/v12.11.1/.github/workflows/build.yml (the published binaries)
 */
const cleanupHook = 'RemoveEnvironmentCleanupHook'

/** Last tested 24.x, which aborts. The fix, nodejs/node#65943, was still open. */
const lastTested24 = 21

/**
 * Prints why this installation cannot run and sets the exit code.
 *
 * @returns {boolean} whether there is an issue
 */
export function reportInstallationIssue() {
  const issue = findInstallationIssue()
  if (issue === null) return false
  process.stderr.write(issue + '\n')
  process.exitCode = 1
  return true
}

/**
 * Checks Node, and that better-sqlite3 can be loaded. PostgreSQL needs it too: it locks the uploads folder.
 *
 * @returns {string | null} one line with the fix; null if there is no issue
 */
export function findInstallationIssue(nodeVersion = process.version, load = loadSqlite) {
  const { major, minor } = parseVersion(nodeVersion)
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return `Rangoli requires Node ${oldestMajor}.${oldestMinor} or newer, and this is ${nodeVersion}: install a newer one, such as from https://nodejs.org/en/download.`
  }
  try {
    const binding = findBindingIssue(nodeVersion)
    if (binding && binding.aborts) return `${binding.text} ${binding.fix}`
    load()
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const reason = message.includes('NODE_MODULE_VERSION')
      ? 'it was installed with another version of Node'
      : message.split('\n')[0]
    return `Node ${nodeVersion} cannot load better-sqlite3 (${reason}): run npm ci with this version of Node; pack a packed server again, to a new folder.`
  }
}

/**
 * Detects a better-sqlite3 that aborts the process as soon as a garbage collection outside of JavaScript frees a statement.
 *
 * @param {string} nodeVersion such as `v24.21.0`
 * @param {string} file the compiled binding
 * @returns {import('./check-installation.mjs').BindingIssue | null} null if there is no issue or `file` does not exist
 * @see https://github.com/nodejs/node/issues/65446 (24.x) and https://github.com/nodejs/node/issues/65262 (26.0 to 26.3)
 */
export function findBindingIssue(nodeVersion, file = installedBinding()) {
  const { major, minor } = parseVersion(nodeVersion)
  const isAffected = major === 24 || (major === 26 && minor < 4)
  if (!isAffected || !existsSync(file) || !readFileSync(file).includes(cleanupHook)) return null
  const aborts = major === 26 || minor <= lastTested24
  return {
    aborts,
    text: `better-sqlite3 was compiled from source in a way that ${aborts ? 'makes' : 'may make'} Node ${nodeVersion} abort under load (https://github.com/nodejs/node/issues/65446).`,
    fix: `Run npm_config_target=${major}.0.0 npm rebuild better-sqlite3, to compile it like the published binary; or use Node 22, or 26.4 or newer, and run npm ci again.`,
  }
}

/** Locates the file that better-sqlite3 loads. @see https://github.com/TooTallNate/node-bindings#description */
function installedBinding() {
  const manifest = require.resolve('better-sqlite3/package.json')
  return path.join(path.dirname(manifest), 'build/Release/better_sqlite3.node')
}

/** Importing better-sqlite3 loads nothing native; opening a database does. */
function loadSqlite() {
  const Database = require('better-sqlite3')
  new Database(':memory:').close()
}

/** @param {string} version such as `v24.21.0` */
function parseVersion(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return { major, minor }
}
