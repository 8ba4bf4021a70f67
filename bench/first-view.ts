import { Hono } from 'hono'
import { pino } from 'pino'
import { pageSize } from '../shared/limits.ts'
import { parseConfig } from '../server/config/config.ts'
import { createServices } from '../server/services.ts'
import type { Services } from '../server/trpc/context.ts'
import { listPosts } from '../server/posts/list-posts.ts'
import { seed, startBuiltServer, withFolder } from './built-server.ts'
import { median, requestsPerSecond, serveApp, type Print } from './measure.ts'

const rounds = 7

const list = '/trpc/posts.list'

const figures = [
  { name: 'posts.list', address: list, limit: 'the same query and JSON', atLeast: 0.7 },
  { name: '/ as HTML', address: '/', limit: 'the same bytes', atLeast: 0.5 },
]

/** Requests per second of the first page, compared with a bare Hono app that does the minimum. */
export function run(print: Print): Promise<void> {
  return withFolder(async (folder) => {
    seed(folder, pageSize + 1)
    const services = await createServices(parseConfig({}, folder), pino({ level: 'silent' }))
    const ours = await startBuiltServer(folder)
    const page = new Uint8Array(await (await fetch(`http://127.0.0.1:${ours.port}/`)).arrayBuffer())
    const bare = await serveApp(bareApp(services, page))
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
      await services[Symbol.asyncDispose]()
    }
  })
}

/** The same query and JSON, and the same HTML from memory, without middleware. */
function bareApp(services: Services, page: Uint8Array<ArrayBuffer>): Hono {
  return new Hono()
    .get('/', (c) => c.body(page, 200, { 'Content-Type': 'text/html; charset=UTF-8' }))
    .get(list, async (c) =>
      c.json({ result: { data: await listPosts(services, { search: '', sort: 'new', limit: pageSize }) } }),
    )
}
