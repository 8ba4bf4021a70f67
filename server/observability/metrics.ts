import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ImageEngine } from '../engines/image-engine.ts'

/** A value of the site that is read at each scrape: a number, or one for each engine; null while it is unknown. */
export type SiteFigure = readonly [
  name: string,
  help: string,
  read: () => Promise<ReadonlyMap<string, number> | number | null> | number,
]

/** Bounds in seconds. Cached responses take less than the first; a stream lasts as long as its generation. */
const requestBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120]
const engineBuckets = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320]

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])

let processRegistry: Registry | undefined

/** Shared by all servers of a process, as prom-client observes the event loop and garbage collection until it exits. */
function processMetrics(): Registry {
  if (!processRegistry) collectDefaultMetrics({ register: (processRegistry = new Registry()) })
  return processRegistry
}

/** Metrics of one server and of its process. @see https://prometheus.io/docs/practices/naming/ */
export class Metrics {
  readonly registry = Registry.merge([processMetrics()])
  readonly #requests = new Counter({
    name: 'rangoli_http_requests_total',
    help: 'Finished requests by method, route and class of status; none: the client disconnected before the response.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  readonly #durations = new Histogram({
    name: 'rangoli_http_request_duration_seconds',
    help: 'Time from the request to the last byte of its response; a stream lasts as long as its generation.',
    labelNames: ['route'],
    buckets: requestBuckets,
    registers: [this.registry],
  })
  readonly #outcomes = {
    generations: this.#outcomeCounter(
      'rangoli_generations_total',
      'Finished generations: succeeded, canceled, or the error code of a failure.',
    ),
    mails: this.#outcomeCounter(
      'rangoli_mails_total',
      'Finished mails: sent; rejected by the SMTP server; or expired, because they could not be sent in time.',
    ),
    webhookAttempts: this.#outcomeCounter(
      'rangoli_webhook_attempts_total',
      'Attempts to deliver an event to a webhook: succeeded, or the reason of the failure.',
    ),
  }
  readonly #engine = new Histogram({
    name: 'rangoli_engine_duration_seconds',
    help: 'Time that the image engine took until the image was ready, it failed, or it was stopped.',
    labelNames: ['engine', 'outcome'],
    buckets: engineBuckets,
    registers: [this.registry],
  })

  constructor() {
    // Makes the first success a change from 0, which rate() needs.
    this.#outcomes.generations.inc({ outcome: 'succeeded' }, 0)
    this.#outcomes.mails.inc({ outcome: 'sent' }, 0)
    this.#outcomes.webhookAttempts.inc({ outcome: 'succeeded' }, 0)
  }

  #outcomeCounter(name: string, help: string): Counter<'outcome'> {
    return new Counter({ name, help, labelNames: ['outcome'], registers: [this.registry] })
  }

  /** @param status null if the client disconnected before the response */
  countRequest(method: string, route: string, status: number | null, seconds: number): void {
    this.#requests.inc({
      method: knownMethods.has(method) ? method : 'other',
      route,
      status: status === null ? 'none' : `${Math.floor(status / 100)}xx`,
    })
    this.#durations.observe({ route }, seconds)
  }

  count(what: 'generations' | 'mails' | 'webhookAttempts', outcome: string): void {
    this.#outcomes[what].inc({ outcome })
  }

  /** Wraps an engine to measure how long each image takes. An aborted one counts as stopped, not failed. */
  measure(engine: ImageEngine): ImageEngine {
    const histogram = this.#engine
    return {
      ...engine,
      async *generate(request, signal) {
        const end = histogram.startTimer({ engine: engine.id })
        let isReady = false
        try {
          for await (const event of engine.generate(request, signal)) {
            if (event.type === 'complete') {
              isReady = true
              end({ outcome: 'ready' })
            }
            yield event
          }
        } finally {
          if (!isReady) end({ outcome: signal.aborted ? 'stopped' : 'failed' })
        }
      },
    }
  }

  /** Adds gauges of the site. A value that cannot be read is logged and omitted. */
  addSite(figures: readonly SiteFigure[], log: Logger): void {
    for (const [name, help, read] of figures) {
      const collect = async (gauge: Gauge<'engine'>) => {
        gauge.reset()
        try {
          const value = await read()
          if (typeof value === 'number') gauge.set(value)
          else for (const [engine, one] of value ?? []) gauge.set({ engine }, one)
        } catch (err) {
          log.warn({ err, figure: name }, 'a metric could not be read')
        }
      }
      const own = { name, help, labelNames: ['engine'] as const, registers: [this.registry] }
      const gauge: Gauge<'engine'> = new Gauge({ ...own, collect: () => collect(gauge) })
    }
  }
}
