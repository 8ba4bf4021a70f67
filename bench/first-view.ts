import { Hono } from 'hono'
import { pino } from 'pino'
import { pageSize } from '../shared/limits.ts'
import { parseConfig } from '../server/config/config.ts'
import { createServices } from '../server/services.ts'
import type { Services } from '../server/trpc/context.ts'
import { listPosts } from '../server/posts/list-posts.ts'
import { emptyFolder, seed, startServer } from './built-server.ts'
import { compare, requestsPerSecond, serveApp, type Print } from './measure.ts'

const rounds = 7

const list = '/trpc/posts.list'

const figures = [
  { name: 'posts.list', address: list, limit: 'the same query and JSON', atLeast: 0.7 },
  { name: '/ as HTML', address: '/', limit: 'the same bytes', atLeast: 0.5 },
]

/** Requests per second of the first page, compared with a bare Hono app that does the minimum. */
export async function run(print: Print): Promise<void> {
  await using folder = await emptyFolder()
  seed(folder.path, pageSize + 1)
  await using services = await createServices(parseConfig({}, folder.path), pino({ level: 'silent' }))
  await using server = await startServer(folder.path)
  const page = new Uint8Array(await (await fetch(`http://127.0.0.1:${server.port}/`)).arrayBuffer())
  using bare = await serveApp(bareApp(services, page))
  for (const { name, address, limit, atLeast } of figures) {
    const { ours, other, ratio } = await compare(
      rounds,
      () => requestsPerSecond(server.port, address),
      () => requestsPerSecond(bare.port, address),
    )
    print(`first view: ${name} ${ours.toFixed(0)} requests/s, ${limit} on bare Hono ${other.toFixed(0)}`)
    print(`first view: ${name}, ratio, median of ${rounds} pairs   ${ratio.toFixed(2)} (at least ${atLeast})`)
  }
}

/** The same query and JSON, and the same HTML from memory, without middleware. */
function bareApp(services: Services, page: Uint8Array<ArrayBuffer>): Hono {
  return new Hono()
    .get('/', (c) => c.body(page, 200, { 'Content-Type': 'text/html; charset=UTF-8' }))
    .get(list, async (c) =>
      c.json({ result: { data: await listPosts(services, { search: '', sort: 'new', limit: pageSize }) } }),
    )
}
