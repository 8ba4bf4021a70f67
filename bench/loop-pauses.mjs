/**
 * Loaded into a server: at SIGUSR2, writes the longest pause of its event loop since the last signal, in milliseconds, to the
 * file `LOOP_PAUSES`.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolution = 5
const pauses = monitorEventLoopDelay({ resolution })
pauses.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env['LOOP_PAUSES'] ?? '', String(Math.max(0, pauses.max / 1e6 - resolution)))
  pauses.reset()
})
