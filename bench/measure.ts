import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'

/** Prints a line of the results. */
export type Print = (line: string) => void

const connections = 16

const loadSeconds = 1.5

/** Measures requests per second of a path on a local server. */
export async function requestsPerSecond(port: number, pathname: string): Promise<number> {
  const worker = new Worker(path.join(import.meta.dirname, 'load-worker.mjs'), {
    workerData: { port, path: pathname, connections, milliseconds: loadSeconds * 1_000 },
  })
  const [answers] = (await once(worker, 'message')) as [number]
  return answers / loadSeconds
}

export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5)
}

/** @param part 0.95 for the 95th percentile */
export function percentile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)] ?? NaN
}

/** Measures two things in turn. @returns the median of each, and the median of the ratios of the pairs */
export async function compare(
  rounds: number,
  ours: (round: number) => Promise<number>,
  other: (round: number) => Promise<number>,
) {
  const pairs: (readonly [number, number])[] = []
  for (let round = 0; round < rounds; round += 1) pairs.push([await ours(round), await other(round)])
  return {
    ours: median(pairs.map(([our]) => our)),
    other: median(pairs.map(([, its]) => its)),
    ratio: median(pairs.map(([our, its]) => our / its)),
  }
}

/** Returns the milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Path of a query, by default of a list of posts. */
export function queryPath(input: object, procedure = 'posts.list'): string {
  return `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`
}

/** Returns the milliseconds until the whole response to a path of a local server has arrived. */
export function ask(port: number, pathname: string): Promise<number> {
  return timed(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${pathname}`)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${pathname} responded ${response.status}.`)
  })
}

/** Serves an app on any free port, until the end of its scope. */
export function serveApp(app: Hono): Promise<Disposable & { readonly port: number }> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({ port, [Symbol.dispose]: () => void server.close() }),
    )
  })
}
