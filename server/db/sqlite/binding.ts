import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartError } from '../../errors/app-error.ts'

/** An incompatibility of the installed better-sqlite3 with the running Node.js. */
export interface BindingIssue {
  /** True if it is known to abort; false for a version of Node.js newer than the tested ones. */
  readonly aborts: boolean
  readonly text: string
  readonly fix: string
}

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
 * Detects a better-sqlite3 that aborts the process as soon as a garbage collection outside of JavaScript frees a statement.
 *
 * @param nodeVersion such as `v24.21.0`
 * @param file the compiled binding
 * @returns null if there is no issue or `file` does not exist
 * @see https://github.com/nodejs/node/issues/65446 (24.x) and https://github.com/nodejs/node/issues/65262 (26.0 to 26.3)
 */
export function findBindingIssue(nodeVersion: string, file = installedBinding()): BindingIssue | null {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number)
  const isAffected = major === 24 || (major === 26 && minor < 4)
  if (!isAffected || !existsSync(file) || !readFileSync(file).includes(cleanupHook)) return null
  const aborts = major === 26 || minor <= lastTested24
  return {
    aborts,
    text: `better-sqlite3 was compiled from source in a way that ${aborts ? 'makes' : 'may make'} Node ${nodeVersion} abort under load (https://github.com/nodejs/node/issues/65446).`,
    fix: 'Use Node 22, or 26.4 or newer, and run npm ci again; or install the prebuilt binary with npm rebuild better-sqlite3, where GitHub can be reached.',
  }
}

/**
 * @param nodeVersion defaults to the running version
 * @throws StartError for a better-sqlite3 that is known to abort the process
 */
export function rejectAbortingBinding(nodeVersion = process.version, file = installedBinding()): void {
  const issue = findBindingIssue(nodeVersion, file)
  if (issue?.aborts) throw new StartError(`${issue.text} ${issue.fix}`)
}

/** Locates the file that better-sqlite3 loads. @see https://github.com/TooTallNate/node-bindings#description */
function installedBinding(): string {
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
  return path.join(path.dirname(manifest), 'build/Release/better_sqlite3.node')
}
