import { Hono } from 'hono'
import { pino } from 'pino'
import { pageSize } from '../shared/limits.ts'
import { parseConfig } from '../server/config/config.ts'
import { createServices } from '../server/services.ts'
import type { Services } from '../server/trpc/context.ts'
import { listPosts } from '../server/posts/list-posts.ts'
import { seed, withFolder, withServer } from './built-server.ts'
import { compare, requestsPerSecond, serveApp, type Print } from './measure.ts'

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
    await withServer(folder, {}, async ({ port }) => {
      const page = new Uint8Array(await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer())
      const bare = await serveApp(bareApp(services, page))
      for (const { name, address, limit, atLeast } of figures) {
        const { ours, other, ratio } = await compare(
          rounds,
          () => requestsPerSecond(port, address),
          () => requestsPerSecond(bare.port, address),
        )
        print(`first view: ${name} ${ours.toFixed(0)} requests/s, ${limit} on bare Hono ${other.toFixed(0)}`)
        print(
          `first view: ${name}, ratio, median of ${rounds} pairs   ${ratio.toFixed(2)} (at least ${atLeast})`,
        )
      }
      bare.stop()
    })
    await services[Symbol.asyncDispose]()
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
