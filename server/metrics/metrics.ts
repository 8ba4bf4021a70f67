import { Counter, Histogram, Registry } from 'prom-client'
import type { EngineOutcome } from './measured-engine.ts'
import { watchProcess } from './process-metrics.ts'

/** What a server counts and measures of itself, in a registry of its own. */
export interface Metrics {
  /**
   * Counts a request that is over.
   *
   * @param status null where the client left before there was an answer
   */
  answered(method: string, route: string, status: number | null, seconds: number): void
  /** Counts a picture that an engine made, or did not. */
  engineEnded(outcome: EngineOutcome, seconds: number): void
  /** Counts a generation that is over: `ready`, `cancelled`, or the code of its failure. */
  generationEnded(outcome: string): void
  /** For what is read when it is asked for. */
  readonly registry: Registry
  /** Ends what watches the process. */
  stop(): void
}

/** In seconds; what is kept in memory is answered in less than the first, a stream lasts as long as its picture takes. */
const answerTimes = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120]
const engineTimes = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320]

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'rangoli_http_requests_total',
    help: 'Requests that are over, by method, route and class of status; none: the client left before there was an answer.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'rangoli_http_request_duration_seconds',
    help: 'From a request to the last byte of its answer; a stream lasts as long as its picture takes.',
    labelNames: ['route'],
    buckets: answerTimes,
    registers,
  })
  const generations = new Counter({
    name: 'rangoli_generations_total',
    help: 'Generations that are over: ready, cancelled, or the code of their failure.',
    labelNames: ['outcome'],
    registers,
  })
  const engine = new Histogram({
    name: 'rangoli_engine_duration_seconds',
    help: 'How long the image engine took for a picture, or until it failed or was stopped.',
    labelNames: ['outcome'],
    buckets: engineTimes,
    registers,
  })
  // So that a first failure is a change from none.
  generations.inc({ outcome: 'ready' }, 0)
  const stop = watchProcess(registry)

  return {
    answered(method, route, status, seconds) {
      requests.inc({
        method: knownMethods.has(method) ? method : 'other',
        route,
        status: status === null ? 'none' : `${Math.floor(status / 100)}xx`,
      })
      durations.observe({ route }, seconds)
    },
    engineEnded: (outcome, seconds) => engine.observe({ outcome }, seconds),
    generationEnded: (outcome) => generations.inc({ outcome }),
    registry,
    stop,
  }
}
