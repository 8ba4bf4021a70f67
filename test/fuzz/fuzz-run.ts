import * as fc from 'fast-check'
import pLimit from 'p-limit'
import { foundRequests } from './found-requests.ts'
import { toBytes, type Fill, type FuzzRequest } from './fuzz-request.ts'
import { checkResponse } from './check-response.ts'
import { memoryUse } from './memory-use.ts'
import { sendRequest } from './send-request.ts'

/** The server under test. */
export interface FuzzTarget {
  readonly port: number
  /** Headers that authenticate a request. */
  headersOf(who: FuzzRequest['who']): readonly (readonly [string, string])[]
  /** Restores users and posts that earlier requests changed. */
  refresh(): Promise<(who: FuzzRequest['who']) => Fill>
  /** Waits for unfinished jobs. */
  settle(): Promise<void>
  readonly secrets: readonly string[]
}

/** A request that found a defect; it can be added to `foundRequests`. */
export interface FuzzIssue {
  readonly issue: string
  readonly request: FuzzRequest
  readonly responses: readonly string[]
}

export interface FuzzReport {
  readonly requests: number
  /** Number of responses by status; 'none' for connections closed without one. */
  readonly byStatus: Readonly<Record<string, number>>
  /** Procedures that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>
  /** The longest response time in milliseconds, with its request. */
  readonly slowest: { readonly duration: number; readonly request: string }
  readonly issues: readonly FuzzIssue[]
  /** Megabytes of heap after half of the requests and after all, and resident at the end. */
  readonly memory: { readonly half: number; readonly end: number; readonly resident: number }
}

const maxResponseMs = 5_000
const timeoutMs = 15_000
const batchSize = 250
/** Stops a run. */
const maxIssues = 10

/** Sends generated requests, several at a time, and checks every response. */
export async function fuzz(
  target: FuzzTarget,
  requests: fc.Arbitrary<FuzzRequest>,
  { count, seed }: { count: number; seed: number },
): Promise<FuzzReport> {
  const byStatus: Record<string, number> = {}
  const issues: FuzzIssue[] = []
  const succeeded = new Set<string>()
  let slowest = { duration: 0, request: '' }
  let half = Number.NaN
  let done = 0
  const several = pLimit(6)

  async function attempt(request: FuzzRequest, fillFor: (who: FuzzRequest['who']) => Fill): Promise<number> {
    const own: [string, string][] = [['Connection', 'close']]
    if (!request.headers.some(([name]) => name === 'Host')) own.push(['Host', `127.0.0.1:${target.port}`])
    own.push(...target.headersOf(request.who).map(([name, value]): [string, string] => [name, value]))
    const exchange = await sendRequest(
      target.port,
      toBytes(request, fillFor(request.who), own),
      request,
      timeoutMs,
    )
    const { responses, duration, hangs } = exchange
    const statuses = responses.length > 0 ? responses.map(({ status }) => String(status)) : ['none']
    for (const status of statuses) byStatus[status] = (byStatus[status] ?? 0) + 1
    for (const { body } of responses) {
      const procedure = /^\/trpc\/([\w.]+)(?:\?|$)/.exec(request.target)?.[1]
      if (procedure !== undefined && /"result"|,\[\[\{"data"|^event: return$/m.test(body.toString('utf8')))
        succeeded.add(procedure)
    }
    const found = responses.map((response) => checkResponse(request, response, target.secrets))
    if (hangs) found.push('There is no response.')
    if (responses.length === 0 && request.delivery === 'whole' && request.version === 'HTTP/1.1')
      found.push('The connection was closed without a response.')
    for (const issue of found) {
      if (issue === null) continue
      const excerpts = responses.map(({ status, body }) => `${status} ${body.toString('utf8').slice(0, 500)}`)
      issues.push({ issue, request, responses: excerpts })
    }
    return duration
  }

  async function tryBatch(batch: readonly FuzzRequest[]): Promise<void> {
    const fillFor = await target.refresh()
    const durations = await Promise.all(batch.map((request) => several(() => attempt(request, fillFor))))
    for (const [index, request] of batch.entries()) {
      let duration = durations[index] ?? 0
      // Repeats a slow request, as the machine may have been busy.
      if (duration > maxResponseMs) duration = Math.min(duration, await attempt(request, fillFor))
      if (duration > slowest.duration)
        slowest = { duration, request: `${request.method} ${request.target.slice(0, 120)}` }
      if (duration > maxResponseMs)
        issues.push({ issue: `The response took ${Math.round(duration)} ms.`, request, responses: [] })
    }
  }

  await tryBatch(foundRequests)
  while (done < count && issues.length < maxIssues) {
    const numRuns = Math.min(batchSize, count - done)
    await tryBatch(fc.sample(requests, { seed: seed + done, numRuns }))
    done += numRuns
    if (Number.isNaN(half) && done >= count / 2) {
      await target.settle()
      half = (await memoryUse()).held
    }
  }
  await target.settle()
  const { held, resident } = await memoryUse()
  return { requests: done, byStatus, succeeded, slowest, issues, memory: { half, end: held, resident } }
}
