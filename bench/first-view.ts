import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { pageSize } from '../shared/limits.ts'
import { parseConfig } from '../server/config/config.ts'
import { createServices, type Services } from '../server/services.ts'
import { listPosts } from '../server/posts/list-posts.ts'
import { seed, startBuiltServer } from './built-server.ts'
import { median, requestsPerSecond } from './measure.ts'

const rounds = 7

const list = '/trpc/posts.list'

const figures = [
  { name: 'posts.list', address: list, limit: 'the same query and JSON', atLeast: 0.7 },
  { name: '/ as HTML', address: '/', limit: 'the same bytes', atLeast: 0.5 },
]

/** Requests per second of the first page, compared with a bare Hono app that does the minimum. */
export async function run(print: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-bench-'))
  seed(folder, pageSize + 1)
  const services = await createServices(parseConfig({}, folder), pino({ level: 'silent' }))
  const ours = await startBuiltServer(folder)
  const page = new Uint8Array(await (await fetch(`http://127.0.0.1:${ours.port}/`)).arrayBuffer())
  const bare = await startBareServer(services, page)
  try {
    for (const { name, address, limit, atLeast } of figures) {
      const our: number[] = []
      const least: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        our.push(await requestsPerSecond(ours.port, address))
        least.push(await requestsPerSecond(bare.port, address))
      }
      const ratio = median(our.map((count, round) => count / (least[round] ?? NaN)))
      print(`first view: ${name}, median          ${median(our).toFixed(0)} requests/s`)
      print(`first view: ${limit} on bare Hono    ${median(least).toFixed(0)} requests/s`)
      print(`first view: ratio, median of ${rounds} pairs   ${ratio.toFixed(2)} (at least ${atLeast})`)
    }
  } finally {
    bare.stop()
    await ours.stop()
    await services.generations.stop(0)
    await services[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same query and JSON, and the same HTML from memory, without middleware. */
function startBareServer(services: Services, page: Uint8Array<ArrayBuffer>) {
  const app = new Hono()
  app.get('/', (c) => c.body(page, 200, { 'Content-Type': 'text/html; charset=UTF-8' }))
  app.get(list, async (c) =>
    c.json({ result: { data: await listPosts(services, { search: '', sort: 'new', limit: pageSize }) } }),
  )
  return new Promise<{ port: number; stop: () => void }>((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({ port, stop: () => void server.close() }),
    )
  })
}
