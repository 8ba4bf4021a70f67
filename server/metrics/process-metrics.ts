import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cpuUsage, memoryUsage, uptime, version } from 'node:process'
import { Counter, Gauge, type Registry } from 'prom-client'

/** Between two looks at the clock, in milliseconds: a delay that is not longer is not seen. */
const resolution = 10

/**
 * Registers what dashboards know of a Node process, under the names that they know. Not prom-client's own, which watch
 * the event loop until the process ends, one more for each server that a process has had.
 *
 * @returns ends the watching
 */
export function watchProcess(registry: Registry): () => void {
  const registers = [registry]
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  const startedAt = Date.now() / 1_000 - uptime()

  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => startedAt)
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => memoryUsage.rss())
  gauge('nodejs_heap_size_total_bytes', 'The heap of JavaScript.', () => memoryUsage().heapTotal)
  gauge('nodejs_heap_size_used_bytes', 'What of it is in use.', () => memoryUsage().heapUsed)
  gauge('nodejs_external_memory_bytes', 'Memory of buffers outside of it.', () => memoryUsage().external)

  const lag = (name: string, help: string, read: () => number) =>
    gauge(`nodejs_eventloop_lag_${name}seconds`, help, () => seconds(read()))
  lag('mean_', 'How late the event loop was on average since the last scrape.', () => delays.mean)
  lag('p50_', 'How late it was at most half of the time.', () => delays.percentile(50))
  lag('p99_', 'How late it was at most 99 % of the time.', () => delays.percentile(99))
  lag('max_', 'How late it was at most.', () => {
    const { max } = delays
    // The last of them to be read: what comes now belongs to the next scrape.
    delays.reset()
    return max
  })
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time that the process took.',
    registers,
    collect() {
      const { user, system } = cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
  cpu.inc(0)
  new Gauge({
    name: 'nodejs_version_info',
    help: 'The version of Node.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)

  return () => void delays.disable()
}

/** What was measured, in nanoseconds and with the time between two looks, as a delay; no number before there was one. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolution / 1_000) : 0
}
