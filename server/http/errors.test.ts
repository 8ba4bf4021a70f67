import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { messages } from '../../shared/errors.ts'
import { dropTable } from '../../test/support/databases.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { dataUrl } from '../../test/support/images.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { forEachTransport, transports, type Transport } from '../../test/support/transports.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token } })
const bearer = { bearer: token }

const photo = 'data:image/png;base64,AAAA'
const unreadable = 'The request is not readable JSON.'
const list = (query: object) => (to: Transport) => to.list(server(), query)
const generate = (prompt: unknown, key?: string) => (to: Transport) =>
  to.generate(server(), { prompt }, bearer, key)
const share = (body: unknown) => (to: Transport) => to.share(server(), body, bearer)

test.each(
  forEachTransport<{ call: (to: Transport) => Promise<object>; error: string }>([
    { call: list({ limit: 0 }), error: 'The limit must be a whole number from 1 to 1,000.' },
    { call: list({ cursor: 'x' }), error: 'The cursor is not one that this server gave out.' },
    { call: list({ search: 'x'.repeat(501) }), error: 'A search term may have at most 500 characters.' },
    { call: generate(' \n '), error: messages.promptMissing },
    { call: generate(['A lotus']), error: messages.promptMissing },
    { call: generate('x'.repeat(4_001)), error: 'A prompt may have at most 4,000 characters.' },
    ...['', 'two words', 'x'.repeat(201), 'é'].map((key) => ({
      call: generate('A lotus', key),
      error: 'The request key must have 1 to 200 printable ASCII characters.',
    })),
    { call: share({ prompt: 'p' }), error: messages.shareIncomplete },
    { call: share({ prompt: 'p', photo, name: 5 }), error: '`name` must be a string.' },
    { call: share({ prompt: 'p', imageId: 5 }), error: '`imageId` must be a string.' },
    { call: share({ prompt: 'p', imageId: 'a b' }), error: '`imageId` is not valid.' },
    { call: share({ prompt: 'p', photo, imageId: 'a' }), error: 'Pass either `imageId` or `photo`.' },
    { call: share([{ prompt: 'p', photo }]), error: messages.shareIncomplete },
    { call: share(5), error: messages.shareIncomplete },
    { call: share('{"name":'), error: unreadable },
    { call: share(''), error: unreadable },
  ]),
)('names the invalid input through $transport.name: $error', async ({ transport, call, error }) => {
  expect(await call(transport)).toMatchObject({ status: 400, error })
})

test.each([
  ['GET', '/trpc/posts.paint'],
  ['POST', '/trpc/posts.paint'],
  ['GET', '/trpc/posts'],
  ['GET', '/trpc/posts.list.more'],
  ['GET', '/trpc/constructor'],
  ['GET', '/trpc/%ff'],
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/imgGenerate'],
  ['GET', '/api/v1/paint'],
  ['POST', '/api/v1/post/paint'],
  ['DELETE', '/api/v1/post'],
  ['POST', '/api/v1/openapi.json'],
  ['GET', '/api/v1/docs/'],
  ['GET', '/api/v1/%ff'],
  ['GET', '/api/v2/post'],
])('%s %s responds 404 in the shape of its transport', async (method, address) => {
  const json = { headers: { 'content-type': 'application/json' }, body: '{}' }
  const response = await server().request(address, { method, ...(method === 'POST' && json) })
  expect(response.status).toBe(404)
  const data = { code: 'NOT_FOUND', httpStatus: 404, reason: 'not_found' }
  expect(await response.json()).toMatchObject(
    address.startsWith('/trpc')
      ? { error: { message: 'Not found.', data } }
      : { success: false, error: 'Not found.' },
  )
})

test('one call of a batch fails on its own', async () => {
  const response = await server().request('/trpc/posts.paint,posts.list?batch=1&input={}')
  expect(response.status).toBe(207)
  expect(await response.json()).toMatchObject([{ error: { data: { httpStatus: 404 } } }, { result: {} }])
})

describe('unexpected errors', () => {
  /** Words of internal messages. */
  const inside =
    /sqlite|postgres|no such table|does not exist|SELECT|kysely|node_modules|\.ts\b|ENOENT|ENOTDIR|EACCES|\/tmp\/|stack/i

  afterEach(() => void vi.restoreAllMocks())

  async function startBroken(...tables: string[]) {
    const own = await startTestServer()
    const asha = await own.signUp()
    for (const table of tables) await dropTable(own.services.db, table)
    return {
      own,
      asha,
      lines: own.lines,
      body: { prompt: 'A lotus', photo: dataUrl(await plainJpeg('a photo')) },
    }
  }

  test.each(transports)(
    'have the message of the specification through $name, and are logged',
    async (transport) => {
      const { own, asha, lines, body } = await startBroken('posts', 'images')
      expect([
        await transport.generate(own, { prompt: 'A lotus' }, asha),
        await transport.share(own, body, asha),
        await transport.list(own, {}),
      ]).toMatchObject([
        { status: 500, error: 'Something went wrong!' },
        { status: 500, error: 'Failed to share post' },
        { status: 500, error: 'Something went wrong!' },
      ])
      const logged = lines.filter((line) => line.includes('"level":50'))
      expect(logged.length).toBeGreaterThanOrEqual(3)
      expect(logged.join('')).toMatch(/no such table|relation .* does not exist/)
      const response = await own.postJson(transport.addresses.share, body, asha)
      expect(await response.text()).not.toMatch(inside)
    },
  )

  test('refund an upload', async () => {
    const { own, asha, body } = await startBroken('posts')
    expect((await own.postJson('/trpc/posts.create', body, asha)).status).toBe(500)
    expect(await own.services.db.selectFrom('images').selectAll().execute()).toEqual([])
    const usage = own.services.db.selectFrom('daily_usage').select(['kind', 'used'])
    expect(await usage.execute()).toEqual([{ kind: 'upload', used: 0 }])
  })

  test('of a disk refund the quota, and keep the server alive', async () => {
    const { own, asha, body } = await startBroken()
    await rm(path.join(own.directory, 'uploads'), { recursive: true })
    const failed = await own.postJson('/api/v1/imgGenerate', { prompt: 'A lotus' }, asha)
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect(await failed.text()).not.toMatch(inside)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    await expect(asha.trpc.posts.create.mutate(body)).rejects.toMatchObject({ data: { httpStatus: 503 } })
    expect(await own.client().posts.list.query()).toMatchObject({ posts: [] })
  })

  test('disclose nothing on any route, and print nothing to the console', async () => {
    const toConsole = vi.spyOn(console, 'error')
    const { own, asha } = await startBroken('posts', 'images', 'session', 'user')
    const read = (address: string) => own.request(address, { headers: { cookie: asha.cookie } })
    const account = { email: 'asha@example.org', password: 'correct horse' }
    for (const response of [
      await read('/'),
      await read('/?q=x'),
      await read('/trpc/viewer'),
      await read('/trpc/images.list'),
      await read('/api/auth/get-session'),
      await own.postAccount('/sign-in/email', account),
    ]) {
      expect(response.status).toBe(500)
      expect(await response.text()).not.toMatch(inside)
    }
    expect((await read('/')).headers.get('content-type')).toContain('text/html')
    expect(toConsole).not.toHaveBeenCalled()
  })
})
