import { describe, expect, test } from 'vitest'
import { dropTable } from '../../../test/support/databases.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { startUnwatched, startTestServer } from '../../../test/support/test-server.ts'
import { follow } from '../../../test/support/trpc-client.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly requestId?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number | null
  readonly ms?: number
  readonly imageId?: string
}

const levels = { debug: 20, info: 30, warn: 40, error: 50 }

async function startLogged(options: Parameters<typeof startTestServer>[0] = {}) {
  const lines: Line[] = []
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const server = await startTestServer({ ...options, logTo })
  const finished = () => lines.filter(({ method }) => method !== undefined)
  return { server, lines, finished }
}

const generatedId = /^[0-9a-f]{12}$/

describe('the log line of a request', () => {
  test('contains method, path, status, duration and the id of the response', async () => {
    const { server, finished } = await startLogged()
    const response = await server.postJson('/api/v1/post', { prompt: 'A lotus' })
    const name = response.headers.get('x-request-id')
    expect(name).toMatch(generatedId)
    await eventually(finished).toMatchObject([
      {
        level: levels.info,
        requestId: name,
        method: 'POST',
        path: '/api/v1/post',
        status: 401,
        msg: 'request completed',
      },
    ])
    expect(finished()[0]?.ms).toBeGreaterThan(0)
  })

  test.each([
    ['/', 'debug', 200],
    ['/nowhere', 'debug', 404],
    ['/assets/main.js', 'debug', 200],
    ['/trpc/viewer', 'debug', 200],
  ] as const)('a read of %s is logged at its level', async (address, level, status) => {
    const { server, finished } = await startLogged()
    await (await server.request(address)).arrayBuffer()
    await eventually(finished).toMatchObject([{ level: levels[level], path: address, status }])
  })

  test('contains no search term and no image name', async () => {
    const { server, lines, finished } = await startLogged()
    await fillGallery(server, numberedPosts(1))
    const { posts } = await server.client().posts.list.query()
    const photo = posts[0]?.photo ?? ''
    await eventually(() => finished().length).toBe(1)
    const requests = [
      ['/?q=private-words', '/'],
      [photo, '/uploads/…/…'],
      ['/api/auth/reset-password/aB3dEf6hIjK', '/api/auth/reset-password/…'],
    ] as const
    for (const [index, [address, path]] of requests.entries()) {
      await (await server.request(address)).arrayBuffer()
      // A client may receive the last byte before the server logs the request; wait to keep the order.
      await eventually(() => finished().length).toBe(index + 2)
      expect(finished().at(-1)).toMatchObject({ path })
    }
    const log = JSON.stringify(lines)
    for (const secret of ['private-words', photo.split('/')[2] ?? '', 'aB3dEf6hIjK'])
      expect(log).not.toContain(secret)
  })

  test.each([
    ['/api/v1/%1b%5b2J%0aforged%7f', '/api/v1/%1B[2J%0Aforged%7F'],
    ['/api/v1/%c2%9b31m%e2%80%a8%e2%80%ae', '/api/v1/%C2%9B31m%E2%80%A8%E2%80%AE'],
    ['/uploads/%1b%5b2J/x', '/uploads/…/x'],
  ])('percent-encodes the invisible characters of %s', async (address, path) => {
    const { server, finished } = await startLogged()
    await (await server.postJson(address, {})).text()
    await eventually(finished).toMatchObject([{ level: levels.info, path }])
  })

  test('reports a client that disconnects from a stream', async () => {
    const { engine, held } = createHeldEngine()
    const { server, finished } = await startLogged({ engine })
    const asha = await server.signUp()
    const leaving = new AbortController()
    await follow(asha.trpc, { prompt: 'A lotus' }, leaving.signal).seen('running')
    leaving.abort()
    await eventually(() => finished().at(-1)).toMatchObject({
      path: '/trpc/images.watch',
      status: 200,
      msg: 'client disconnected',
    })
    held[0]?.release()
  })
})

describe('the request id', () => {
  test.each([
    ['from a proxy', 'req-0123:4567/89ab.cdef=', 'req-0123:4567/89ab.cdef='],
    ['too short', 'abc', generatedId],
    ['too long', 'a'.repeat(129), generatedId],
    ['with invalid characters', 'abcdefgh <script>', generatedId],
  ])('%s', async (_, given, expected) => {
    const { server } = await startLogged()
    const response = await server.request('/trpc/viewer', { headers: { 'x-request-id': given } })
    expect(response.headers.get('x-request-id')).toMatch(expected)
  })

  test('is not accepted from clients without a trusted proxy', async () => {
    const { server } = await startLogged({ env: { TRUST_PROXY: 'off' } })
    const response = await server.request('/trpc/viewer', {
      headers: { 'x-request-id': 'chosen-by-the-client' },
    })
    expect(response.headers.get('x-request-id')).toMatch(generatedId)
  })

  test('is different for each request', async () => {
    const { server } = await startLogged()
    const responses = await Promise.all(Array.from({ length: 50 }, () => server.request('/trpc/viewer')))
    expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50)
  })

  test.each(['/', '/create-post', '/trpc/posts.list', '/api/v1/post', '/assets/main.js'])(
    'is not in cacheable responses of %s, rendered, cached or not modified',
    async (address) => {
      const { server } = await startLogged({ env: { PUBLIC_URL: 'https://pictures.example' } })
      const made = await server.request(address)
      const kept = await server.request(address, { headers: { 'x-request-id': 'given-by-a-proxy' } })
      const etag = made.headers.get('etag')
      const unchanged = await server.request(address, { headers: etag ? { 'if-none-match': etag } : {} })
      for (const response of [made, kept, unchanged]) {
        expect(response.headers.get('cache-control')).toContain('public')
        expect(response.headers.get('x-request-id')).toBeNull()
      }
    },
  )

  test('is in a private response of a route whose public responses are cached', async () => {
    const { server } = await startLogged()
    await server.request('/trpc/posts.list')
    const own = await server.request('/trpc/posts.list', { headers: { cookie: 'a=b' } })
    expect(own.headers.get('x-request-id')).toMatch(generatedId)
  })

  test('is readable by scripts of other origins', async () => {
    const { server } = await startLogged()
    const response = await server.request('/trpc/viewer', {
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  })
})

describe('log lines during a request have its id', () => {
  test.each([
    ['/trpc/posts.list', {}],
    ['/', {}],
    ['/api/v1/post', { cookie: 'a=b' }],
  ])('%s, when the database breaks', async (address, headers) => {
    const { server, lines } = await startLogged()
    await dropTable(server.services.db, 'gallery')
    const response = await server.request(address, { headers })
    expect(response.status).toBe(500)
    const name = response.headers.get('x-request-id')
    expect(name).toMatch(generatedId)
    await eventually(() => lines.find(({ method }) => method !== undefined)).toMatchObject({
      level: levels.warn,
    })
    // Work in the background may meet the broken database, too.
    const failures = lines.filter(
      ({ level, msg }) => level >= levels.warn && /^(?:request|a procedure)/.test(msg),
    )
    expect(failures.length).toBeGreaterThanOrEqual(2)
    expect(failures.map(({ requestId }) => requestId)).toEqual(failures.map(() => name))
  })

  test('and so have those of its job, whichever request freed the slot', async () => {
    const { engine, held } = createHeldEngine()
    const { server, lines } = await startLogged({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const [asha, ravi] = [await server.signUp('Asha'), await server.signUp('Ravi')]
    const generating = () => lines.filter(({ path }) => path === '/trpc/images.generate')
    await startUnwatched(asha, 'First')
    await eventually(() => generating().length).toBe(1)
    await startUnwatched(ravi, 'Second')
    await eventually(() => generating().length).toBe(2)
    held[0]?.fail(new Error('The first fails.'))
    await eventually(() => held.length).toBe(2)
    held[1]?.fail(new Error('The second fails.'))
    const failed = () => lines.filter(({ msg }) => msg === 'a generation failed')
    await eventually(() => failed().length).toBe(2)
    expect(failed().map(({ requestId }) => requestId)).toEqual(generating().map(({ requestId }) => requestId))
  })
})

test('log lines outside of requests have no request id', async () => {
  const { server, lines } = await startLogged()
  server.services.log.info('on its own')
  expect(lines.at(-1)).not.toHaveProperty('requestId')
})
