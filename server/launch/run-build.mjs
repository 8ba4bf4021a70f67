import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import path from 'node:path'
import { stopSignals } from './stop-signals.mjs'

/**
 * Builds in a child process, which gives the memory that a build takes back to the system: 640 MB where a server needs 115.
 * Hands signals to stop on to the child, and ends by the same signal once it has cleaned up. Sets the exit code of a build
 * that failed; the child has printed why.
 *
 * @param {string} root the project's folder
 * @param {string} directory where the build is put
 * @param {{ checksEnvironment: boolean }} options whether an invalid environment is refused before anything is built
 * @returns {Promise<boolean>} whether the build is there
 */
export async function runBuild(root, directory, { checksEnvironment }) {
  const script = path.join(import.meta.dirname, 'build.mjs')
  const option = checksEnvironment ? ['--check-environment'] : []
  const child = spawn(process.execPath, [script, root, directory, ...option], { stdio: 'inherit' })
  /** @type {NodeJS.Signals | null} */
  let received = null
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    received = signal
    child.kill(signal)
  }
  for (const signal of stopSignals) process.on(signal, forward)
  const [code, killedBy] = await once(child, 'exit')
  for (const signal of stopSignals) process.off(signal, forward)
  if (received) stopBy(received)
  if (killedBy)
    process.stderr.write(`The build was stopped by ${killedBy}. It takes about 700 MB of memory.\n`)
  if (code !== 0) process.exitCode = 1
  return code === 0
}

/**
 * Ends by a signal, as supervisors expect it: systemd takes that for a clean end, and the exit code 143 for a failure.
 *
 * @param {NodeJS.Signals} signal
 */
function stopBy(signal) {
  process.kill(process.pid, signal)
  // The first process of a container is not ended by a signal that it has no handler for.
  process.exit(128 + constants.signals[signal])
}
