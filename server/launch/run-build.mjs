import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'

/** Signals that ask a process to stop. Without SIGHUP, whose handler would defeat nohup. */
export const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM'])

/** Files and folders that a build depends on. */
const sources = ['src', 'server', 'shared', 'public', 'docs/rest.md', 'package-lock.json', 'vite.config.ts']

/**
 * Digest of the current sources, which names their build.
 *
 * @param {string} root the project's folder
 * @returns {string} 16 hexadecimal digits
 */
export function buildId(root) {
  return digestOf(root, sources)
}

/**
 * Digest of files and folders.
 *
 * @param {string} root the project's folder
 * @param {readonly string[]} files files and folders, relative to the root
 * @param {(file: string) => boolean} isSource whether the digest depends on a file
 * @returns {string} 16 hexadecimal digits
 */
export function digestOf(root, files, isSource = () => true) {
  const hash = createHash('sha256')
  const found = files.flatMap((source) => filesBelow(root, source))
  for (const file of found.filter(isSource).sort()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * @param {string} root
 * @param {string} source a file or folder, relative to the root
 * @returns {string[]} relative paths, without tests and installed packages, which are not part of a build
 */
function filesBelow(root, source) {
  if (path.extname(source)) return [source]
  return readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(path.sep).some((folder) => /^(?:node_modules|dist$)/.test(folder)))
}

/**
 * Builds in a child process, so that its memory is freed: 1.1 GB, where a server needs 115 MB. Forwards stop signals to the
 * child, and ends by the same signal once the child has cleaned up. After a failed build, sets the exit code; the child has
 * printed the error.
 *
 * @param {string} root the project's folder
 * @param {string} directory folder of the build
 * @param {boolean} checksEnvironment whether an invalid environment is rejected before the build
 * @returns {Promise<boolean>} whether the build succeeded
 */
export async function runBuild(root, directory, checksEnvironment) {
  const script = path.join(import.meta.dirname, 'build.mjs')
  const option = checksEnvironment ? ['--check-environment'] : []
  const child = spawn(process.execPath, [script, root, directory, ...option], { stdio: 'inherit' })
  let received = /** @type {NodeJS.Signals | null} */ (null)
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    received = signal
    child.kill(signal)
  }
  for (const signal of stopSignals) process.on(signal, forward)
  const [code, killedBy] = await once(child, 'exit')
  for (const signal of stopSignals) process.off(signal, forward)
  if (received) {
    // Supervisors expect it: systemd takes a signal for a clean exit, and exit code 143 for a failure.
    process.kill(process.pid, received)
    // Signals without a handler do not end the first process of a container.
    process.exit(128 + constants.signals[received])
  }
  if (killedBy)
    process.stderr.write(`The build was stopped by ${killedBy}. It takes about 700 MB of memory.\n`)
  if (code !== 0) process.exitCode = 1
  return code === 0
}
