import * as fc from 'fast-check'
import pLimit from 'p-limit'
import { foundRequests } from './found-requests.ts'
import { toBytes, type Fill, type FuzzRequest } from './fuzz-request.ts'
import { judgeResponse } from './judge-answer.ts'
import { memoryUse } from './memory-use.ts'
import { sendRequest } from './send-request.ts'

/** The server that is tried, and what requests to it need. */
export interface FuzzTarget {
  readonly port: number
  /** Headers by which somebody is known. */
  headersOf(who: FuzzRequest['who']): readonly (readonly [string, string])[]
  /** Makes up for what requests did to the users and things that later ones need. */
  refresh(): Promise<(who: FuzzRequest['who']) => Fill>
  /** Waits until nothing is under way. */
  settle(): Promise<void>
  readonly secrets: readonly string[]
}

/** What went wrong with which request; the request can be sent again as it stands here. */
export interface Finding {
  readonly fault: string
  readonly request: FuzzRequest
  readonly answers: readonly string[]
}

export interface FuzzReport {
  readonly requests: number
  /** How many answers had each status; 'none' where the connection was closed without one, or left. */
  readonly byStatus: Readonly<Record<string, number>>
  /** Procedures that did at least once what they are for. */
  readonly succeeded: ReadonlySet<string>
  /** The longest time to an answer, in milliseconds, and its request. */
  readonly slowest: { readonly duration: number; readonly request: string }
  readonly findings: readonly Finding[]
  /** Megabytes held after half of the requests and after all of them, and resident at the end. */
  readonly memory: { readonly half: number; readonly end: number; readonly resident: number }
}

/** No answer may take longer, in milliseconds. */
const longest = 2_000
/** When an answer is not waited for any more. */
const patience = 15_000
const batchSize = 250
/** After so many findings there is enough to mend. */
const findingsMax = 10

/** Sends that many generated requests, several at a time, and judges every answer. */
export async function fuzz(
  target: FuzzTarget,
  requests: fc.Arbitrary<FuzzRequest>,
  { count, seed }: { count: number; seed: number },
): Promise<FuzzReport> {
  const byStatus: Record<string, number> = {}
  const findings: Finding[] = []
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
      patience,
    )
    const { answers, duration, hangs } = exchange
    const statuses = answers.length > 0 ? answers.map(({ status }) => String(status)) : ['none']
    for (const status of statuses) byStatus[status] = (byStatus[status] ?? 0) + 1
    for (const { body } of answers) {
      const procedure = /^\/trpc\/([\w.]+)(?:\?|$)/.exec(request.target)?.[1]
      if (procedure !== undefined && /"result"|,\[\[\{"data"/.test(body.toString('utf8')))
        succeeded.add(procedure)
    }
    const faults = answers.map((answer) => judgeResponse(request, answer, target.secrets))
    if (hangs) faults.push('There is no answer.')
    if (answers.length === 0 && request.delivery === 'whole' && request.version === 'HTTP/1.1')
      faults.push('The connection was closed without an answer.')
    for (const fault of faults) {
      if (fault === null) continue
      const excerpts = answers.map(({ status, body }) => `${status} ${body.toString('utf8').slice(0, 500)}`)
      findings.push({ fault, request, answers: excerpts })
    }
    return duration
  }

  async function tryBatch(batch: readonly FuzzRequest[]): Promise<void> {
    const fillFor = await target.refresh()
    const durations = await Promise.all(batch.map((request) => several(() => attempt(request, fillFor))))
    for (const [index, request] of batch.entries()) {
      let duration = durations[index] ?? 0
      // The machine may have had other things to do; a request that is slow by itself is slow again.
      if (duration > longest) duration = Math.min(duration, await attempt(request, fillFor))
      if (duration > slowest.duration)
        slowest = { duration, request: `${request.method} ${request.target.slice(0, 120)}` }
      if (duration > longest)
        findings.push({ fault: `The answer took ${Math.round(duration)} ms.`, request, answers: [] })
    }
  }

  await tryBatch(foundRequests)
  while (done < count && findings.length < findingsMax) {
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
  return { requests: done, byStatus, succeeded, slowest, findings, memory: { half, end: held, resident } }
}
