import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { seededGallery, startBuiltServer } from './built-server.ts'
import { listPath, type Print } from './measure.ts'
import { longTerms, shortTerms } from './search-terms.ts'

const connections = 200

/** A request, with a check of its response. */
interface Read {
  readonly path: string
  readonly isWhole: (body: Buffer) => boolean
}

interface Tally {
  answered: number
  readonly wrong: string[]
}

/** All reads of visitors concurrently on many connections; counts wrong statuses, and incomplete or missing responses. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const seconds = isQuick ? 10 : 60
  const { folder } = seededGallery(isQuick ? 100_000 : 1_000_000, print)
  const server = await startBuiltServer(folder)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const reads = [...lists(), ...(await images(agent, server.port))]
    const tally: Tally = { answered: 0, wrong: [] }
    const end = performance.now() + seconds * 1_000
    await Promise.all(
      Array.from({ length: connections }, async (_, visitor) => {
        for (let step = visitor; performance.now() < end; step += 7) {
          const next = reads[step % reads.length]
          if (next) await ask(agent, server.port, next, tally)
        }
      }),
    )
    print(
      `mixed-reads: ${tally.answered.toLocaleString('en')} responses in ${seconds} s over ${connections} connections, ${tally.wrong.length} wrong (at most 0)`,
    )
    for (const line of new Set(tally.wrong)) print(`mixed-reads: ${line}`)
  } finally {
    agent.destroy()
    await server.stop()
  }
}

function lists(): Read[] {
  const terms = [...longTerms, ...shortTerms]
  return [
    page('/'),
    list('/trpc/posts.list', 24),
    list('/api/v1/post?limit=10', 10),
    ...terms.flatMap((search) => [
      page(`/?q=${encodeURIComponent(search)}`),
      list(listPath({ search }), 24),
      list(`/api/v1/post?limit=5&search=${encodeURIComponent(search)}`, 5),
    ]),
  ]
}

function page(path: string): Read {
  return { path, isWhole: (body) => body.toString().endsWith('</html>\n') }
}

function list(path: string, most: number): Read {
  return {
    path,
    isWhole(body) {
      const { result, data } = JSON.parse(body.toString()) as { result?: Listed; data?: unknown[] }
      return (result?.data.posts ?? data ?? Array(most + 1)).length <= most
    },
  }
}

interface Listed {
  readonly data: { readonly posts: { readonly photo: string }[] }
}

/** Thumbnails of the first page. */
async function images(agent: Agent, port: number): Promise<Read[]> {
  const body = (await read(agent, port, '/trpc/posts.list')).body.toString()
  const { result } = JSON.parse(body) as { result: Listed }
  return result.data.posts.map(({ photo }) => ({
    path: photo.replace('original.jpg', '320.webp'),
    isWhole: (bytes) =>
      bytes.toString('latin1', 8, 12) === 'WEBP' && bytes.readUInt32LE(4) + 8 === bytes.byteLength,
  }))
}

async function ask(agent: Agent, port: number, { path, isWhole }: Read, tally: Tally): Promise<void> {
  try {
    const { status, body } = await read(agent, port, path)
    tally.answered += 1
    if (status !== 200 || !isWhole(body)) tally.wrong.push(`${path}: ${status}, ${body.byteLength} bytes`)
  } catch (error) {
    tally.wrong.push(`${path}: ${String(error)}`)
  }
}

async function read(agent: Agent, port: number, path: string): Promise<{ status: number; body: Buffer }> {
  const request = get({ agent, host: '127.0.0.1', port, path, timeout: 30_000 })
  request.on('timeout', () => request.destroy(new Error('No response within 30 s')))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await buffer(response) }
}
