/**
 * Runs all checks at the same time, as each leaves cores idle for a part of its time: `npm run check`. With `--build` also the build
 * that browser tests need.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const checks = ['tsc -b', 'oxlint', 'oxfmt --check .', 'knip']
if (process.argv.includes('--build')) checks.push('node server/launch.mjs build')

await Promise.all(checks.map(run))

/** @param {string} command */
async function run(command) {
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  const code = await ended
  process.stdout.write(`${command}: ${code === 0 ? 'ok' : 'failed'}\n${code === 0 ? '' : output}`)
  if (code !== 0) process.exitCode = 1
}
