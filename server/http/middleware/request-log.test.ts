import { beforeEach, describe, expect, test } from 'vitest'
import { dropTable } from '../../../test/support/databases.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { eventually, follow } from '../../../test/support/generations.ts'
import {
  shareTestServer,
  startUnwatched,
  startTestServer,
  type TestServer,
} from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly requestId?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number | null
  readonly ms?: number
}

const [debug, info, warn, error] = [20, 30, 40, 50]

/** The log of a server, from a line on. */
function logOf(server: TestServer, start = 0) {
  const lines = () => server.lines.slice(start).map((line) => JSON.parse(line) as Line)
  return { lines, finished: () => lines().filter(({ method }) => method !== undefined) }
}

async function startLogged(options: Parameters<typeof startTestServer>[0] = {}) {
  const own = await startTestServer(options)
  return { server: own, ...logOf(own) }
}

const server = shareTestServer({ env: { PUBLIC_URL: 'https://pictures.example' } })
let start = 0
beforeEach(() => void (start = server().lines.length))
const lines = () => logOf(server(), start).lines()
const finished = () => logOf(server(), start).finished()

const generatedId = /^[0-9a-f]{12}$/

describe('the log line of a request', () => {
  test('contains method, path, status, duration and the id of the response', async () => {
    const response = await server().postJson('/api/v1/post', { prompt: 'A lotus' })
    const requestId = response.headers.get('x-request-id')
    expect(requestId).toMatch(generatedId)
    const request = { requestId, method: 'POST', path: '/api/v1/post', status: 401 }
    await eventually(finished).toMatchObject([{ level: info, ...request, msg: 'request completed' }])
    expect(finished()[0]?.ms).toBeGreaterThan(0)
  })

  test('contains no search term, image name or token, and percent-encodes invisible characters', async () => {
    await fillGallery(server(), numberedPosts(1))
    const { posts } = await server().client().posts.list.query()
    const photo = posts[0]?.photo ?? ''
    await eventually(() => finished().length).toBe(1)
    for (const [address, path] of [
      ['/?q=private-words', '/'],
      [photo, '/uploads/…/…'],
      ['/api/auth/reset-password/aB3dEf6hIjK', '/api/auth/reset-password/…'],
      ['/collections/join/aB3dEf6hIjK', '/collections/join/…'],
      ['/unsubscribe/aB3dEf6hIjK.x', '/unsubscribe/…'],
      ['/api/v1/%1b%5b2J%0aforged%7f', '/api/v1/%1B[2J%0Aforged%7F'],
      ['/api/v1/%c2%9b31m%e2%80%a8%e2%80%ae', '/api/v1/%C2%9B31m%E2%80%A8%E2%80%AE'],
      ['/uploads/%1b%5b2J/x', '/uploads/…/x'],
    ] as const) {
      const before = finished().length
      await (await server().request(address)).arrayBuffer()
      // A client may receive the last byte before the server logs the request; wait to keep the order.
      await eventually(() => finished().slice(before)).toMatchObject([{ level: debug, path }])
    }
    const log = JSON.stringify(lines())
    for (const secret of ['private-words', photo.split('/')[2] ?? '', 'aB3dEf6hIjK'])
      expect(log).not.toContain(secret)
  })

  test('reports clients that disconnect from streams, which is no error and leaves no listener', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startLogged({ engine })
    const asha = await own.server.signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
    const id = images[0]?.id ?? ''
    for (let round = 0; round < 20; round += 1) {
      const leaving = new AbortController()
      await follow(asha.trpc, { id }, leaving.signal).seen('running')
      leaving.abort()
    }
    await eventually(() => own.server.services.generations.watchers).toBe(0)
    const left = own.finished().find(({ msg }) => msg === 'client disconnected')
    expect(left).toMatchObject({ path: '/trpc/images.watch', status: 200 })
    held[0]?.release()
    await eventually(async () => (await asha.trpc.images.get.query({ id })).state).toBe('succeeded')
    expect(own.lines().filter(({ level }) => level === error)).toEqual([])
  })
})

describe('the request id', () => {
  test('is that of a proxy if it is valid, else different for each request', async () => {
    const read = async (given: string, { request } = server()) =>
      (await request('/trpc/viewer', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
    expect(await read('req-0123:4567/89ab.cdef=')).toBe('req-0123:4567/89ab.cdef=')
    const invalid = ['abc', 'a'.repeat(129), 'abcdefgh <script>', ...Array<string>(30).fill('')]
    const ids = await Promise.all(invalid.map((given) => read(given)))
    for (const id of ids) expect(id).toMatch(generatedId)
    expect(new Set(ids).size).toBe(ids.length)
    const direct = await startTestServer({ env: { TRUST_PROXY: 'off' } })
    expect(await read('chosen-by-the-client', direct)).toMatch(generatedId)
  })

  test.each(['/', '/create-post', '/trpc/posts.list', '/api/v1/post', '/assets/main.js'])(
    'is not in cacheable responses of %s, rendered, cached or not modified',
    async (address) => {
      const made = await server().request(address)
      const kept = await server().request(address, { headers: { 'x-request-id': 'given-by-a-proxy' } })
      const etag = made.headers.get('etag')
      const unchanged = await server().request(address, { headers: etag ? { 'if-none-match': etag } : {} })
      for (const response of [made, kept, unchanged]) {
        expect(response.headers.get('cache-control')).toContain('public')
        expect(response.headers.get('x-request-id')).toBeNull()
      }
    },
  )

  test('is in a private response of a route whose public responses are cached', async () => {
    await server().request('/trpc/posts.list')
    const own = await server().request('/trpc/posts.list', { headers: { cookie: 'a=b' } })
    expect(own.headers.get('x-request-id')).toMatch(generatedId)
  })
})

describe('log lines during a request have its id', () => {
  test.each([
    ['/trpc/posts.list', {}],
    ['/', {}],
    ['/api/v1/post', { cookie: 'a=b' }],
  ])('%s, when the database breaks', async (address, headers) => {
    const own = await startLogged()
    await dropTable(own.server.services.db, 'gallery')
    const response = await own.server.request(address, { headers })
    expect(response.status).toBe(500)
    const name = response.headers.get('x-request-id')
    expect(name).toMatch(generatedId)
    await eventually(() => own.finished()[0]).toMatchObject({ level: warn })
    // Work in the background may meet the broken database, too.
    const failures = own
      .lines()
      .filter(({ level, msg }) => level >= warn && /^(?:request|a procedure)/.test(msg))
    expect(failures.length).toBeGreaterThanOrEqual(2)
    expect(failures.map(({ requestId }) => requestId)).toEqual(failures.map(() => name))
  })

  test('and so have those of its job, whichever request freed the slot', async () => {
    const { engine, held } = createHeldEngine()
    const own = await startLogged({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const users = [await own.server.signUp('Asha'), await own.server.signUp('Ravi')]
    const generating = () => own.lines().filter(({ path }) => path === '/trpc/images.generate')
    for (const [index, user] of users.entries()) {
      await startUnwatched(user, `Prompt ${index}`)
      await eventually(() => generating().length).toBe(index + 1)
    }
    for (const index of [0, 1]) {
      await eventually(() => held.length).toBe(index + 1)
      held[index]?.fail(new Error('The engine fails.'))
    }
    const failed = () => own.lines().filter(({ msg }) => msg === 'a generation failed')
    await eventually(() => failed().length).toBe(2)
    expect(failed().map(({ requestId }) => requestId)).toEqual(generating().map(({ requestId }) => requestId))
  })
})

test('log lines outside of requests have no request id', () => {
  server().services.log.info('on its own')
  expect(lines().at(-1)).not.toHaveProperty('requestId')
})
