import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { dropTable } from '../../test/support/databases.ts'
import { transports } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'

/** Words of internal messages. */
const inside =
  /sqlite|postgres|no such table|does not exist|SELECT|kysely|node_modules|\.ts\b|ENOENT|ENOTDIR|EACCES|\/tmp\/|stack/i

afterEach(() => void vi.restoreAllMocks())

async function startBroken() {
  const lines: string[] = []
  const server = await startTestServer({ logTo: { write: (line) => void lines.push(line) } })
  const asha = await server.signUp()
  for (const table of ['posts', 'images']) await dropTable(server.services.db, table)
  return { server, asha, lines }
}

describe.each(transports)('when the database breaks, $name', (transport) => {
  test('responds with the message of the specification, and logs the cause', async () => {
    const { server, asha, lines } = await startBroken()
    const photo = dataUrl(await plainJpeg('a photo'))
    const responses = [
      await transport.generate(server, { prompt: 'A lotus' }, asha),
      await transport.share(server, { prompt: 'A lotus', photo }, asha),
      await transport.list(server, {}),
    ]
    expect(responses).toMatchObject([
      { status: 500, error: 'Something went wrong!' },
      { status: 500, error: 'Failed to share post' },
      { status: 500, error: 'Something went wrong!' },
    ])
    const faults = lines.filter((line) => line.includes('"level":50'))
    expect(faults.length).toBeGreaterThanOrEqual(3)
    expect(faults.join('')).toMatch(/no such table|relation .* does not exist/)
  })

  test('discloses no internals', async () => {
    const { server, asha } = await startBroken()
    const photo = dataUrl(await plainJpeg('a photo'))
    for (const [address, body] of [
      [transport.addresses.generate, { prompt: 'A lotus' }],
      [transport.addresses.share, { prompt: 'A lotus', photo }],
    ] as const) {
      const response = await server.postJson(address, body, asha)
      expect(response.status).toBe(500)
      expect(await response.text()).not.toMatch(inside)
    }
  })

  test('refunds an upload that could not be stored', async () => {
    const server = await startTestServer()
    const asha = await server.signUp()
    await dropTable(server.services.db, 'posts')
    const photo = dataUrl(await plainJpeg('a photo'))
    expect(await transport.share(server, { prompt: 'A lotus', photo }, asha)).toMatchObject({ status: 500 })
    expect(await server.services.db.selectFrom('images').selectAll().execute()).toEqual([])
    const usage = server.services.db.selectFrom('daily_usage').select(['kind', 'used'])
    expect(await usage.execute()).toEqual([{ kind: 'upload', used: 0 }])
  })

  test('a failing disk fails the generation, refunds the quota, and keeps the server alive', async () => {
    const server = await startTestServer()
    const asha = await server.signUp()
    const uploads = path.join(server.directory, 'uploads')
    await rm(uploads, { recursive: true })
    const failed = await transport.generate(server, { prompt: 'A lotus' }, asha)
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect(failed.error).not.toMatch(inside)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    const photo = dataUrl(await plainJpeg('a photo'))
    const rejected = await transport.share(server, { prompt: 'A lotus', photo }, asha)
    expect(rejected).toMatchObject({ status: 503, error: expect.stringContaining('right now') })
    expect(await transport.list(server, {})).toMatchObject({ error: null, posts: [] })
  })
})

test('no route discloses internals', async () => {
  const toConsole = vi.spyOn(console, 'error')
  const { server, asha } = await startBroken()
  for (const table of ['session', 'user']) await dropTable(server.services.db, table)
  for (const address of [
    '/',
    '/?q=x',
    '/trpc/viewer',
    '/trpc/images.list',
    '/trpc/images.quota',
    '/api/auth/get-session',
  ]) {
    const response = await server.request(address, { headers: { cookie: asha.cookie } })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(inside)
  }
  const signIn = await server.postAccount('/sign-in/email', {
    email: 'asha@example.org',
    password: 'correct horse',
  })
  expect(signIn.status).toBe(500)
  expect(await signIn.text()).not.toMatch(inside)
  expect((await server.request('/')).headers.get('content-type')).toContain('text/html')
  expect(toConsole).not.toHaveBeenCalled()
})

test('a typed client gets an error that happens during a stream', async () => {
  const { server, asha } = await startBroken()
  await expect(asha.generate('A lotus')).rejects.toMatchObject({
    message: 'Something went wrong!',
    data: { httpStatus: 500, reason: 'internal', code: 'INTERNAL_SERVER_ERROR' },
  })
  await expect(asha.trpc.posts.list.query()).rejects.not.toMatchObject({ data: { stack: expect.anything() } })
  await server.stop()
})
