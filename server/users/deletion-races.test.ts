import { describe, expect, test, vi } from 'vitest'
import { clerkEnv, signInAtClerk, signMessage, webhookSecret } from '../../test/support/clerk.ts'
import { forEachTransport } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { createGate } from '../../test/support/gate.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

interface SignInWay {
  readonly mode: 'local accounts' | 'Clerk'
  readonly env: Record<string, string>
  readonly signIn: (server: TestServer) => Promise<TestUser>
  readonly deleteAccount: (server: TestServer, user: TestUser) => Promise<Response>
}

const ways: readonly SignInWay[] = [
  {
    mode: 'local accounts',
    env: {},
    signIn: (server) => server.signUp(),
    deleteAccount: (server, { cookie }) =>
      server.postAccount('/delete-user?posts=remove', { password: 'correct horse' }, { cookie }),
  },
  {
    mode: 'Clerk',
    env: clerkEnv({ CLERK_WEBHOOK_SIGNING_SECRET: webhookSecret }),
    signIn: (server) => Promise.resolve(signInAtClerk(server)),
    deleteAccount: (server, { id }) => {
      const body = JSON.stringify({ object: 'event', type: 'user.deleted', data: { id, object: 'user' } })
      return server.request('/api/auth/webhook', { method: 'POST', headers: signMessage(body), body })
    },
  },
]

/** Pauses the next request after its authentication. */
function holdNextRequest({ services: { authenticator } }: TestServer) {
  const authenticate = authenticator.authenticate.bind(authenticator)
  const [authenticated, released] = [createGate(), createGate()]
  vi.spyOn(authenticator, 'authenticate').mockImplementationOnce(async (credentials) => {
    const identity = await authenticate(credentials)
    authenticated.open()
    await released.opened
    return identity
  })
  return { authenticated: authenticated.opened, release: released.open }
}

/** Pauses the next upload after it has written its files. */
function holdNextPut({ services: { blobs } }: TestServer) {
  const put = blobs.put.bind(blobs)
  const [stored, released] = [createGate(), createGate()]
  vi.spyOn(blobs, 'put').mockImplementationOnce(async (files, room) => {
    const folder = await put(files, room)
    stored.open()
    await released.opened
    return folder
  })
  return { stored: stored.opened, release: released.open }
}

/** Runs a request and deletes its account right after the authentication. */
async function raceDeletion<Answer>(
  server: TestServer,
  way: SignInWay,
  user: TestUser,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const held = holdNextRequest(server)
  const answer = request()
  await held.authenticated
  expect((await way.deleteAccount(server, user)).ok).toBe(true)
  held.release()
  return answer
}

/** Expects that nothing of a user remains in the database or on disk. */
async function expectNoLeftovers(server: TestServer, { id }: TestUser): Promise<void> {
  const { db } = server.services
  for (const table of ['images', 'posts', 'daily_usage', 'api_keys'] as const) {
    expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(id)
  }
  expect(await uploadsIn(server.directory)).toEqual([])
}

const closed = { status: 401, error: 'This account has been deleted or closed.' }

describe.each(ways)('a request whose account is deleted meanwhile, with $mode', (way) => {
  async function start() {
    const server = await startTestServer({ env: way.env })
    return { server, asha: await way.signIn(server) }
  }

  test.each(forEachTransport([{}]))('generates no image through $transport.name', async ({ transport }) => {
    const { server, asha } = await start()
    const generate = () => transport.generate(server, { prompt: 'A lotus' }, asha, 'press-1')
    expect(await raceDeletion(server, way, asha, generate)).toMatchObject(closed)
    await expectNoLeftovers(server, asha)
  })

  test.each(forEachTransport([{}]))(
    'generates none with an API key through $transport.name',
    async ({ transport }) => {
      const { server, asha } = await start()
      const { key: bearer } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
      const generate = () => transport.generate(server, { prompt: 'A lotus' }, { bearer })
      expect(await raceDeletion(server, way, asha, generate)).toMatchObject(closed)
      await expectNoLeftovers(server, asha)
    },
  )

  test('creates no API key', async () => {
    const { server, asha } = await start()
    const create = () => server.postJson('/trpc/account.apiKeys.create', { name: 'A robot' }, asha)
    const answer = await raceDeletion(server, way, asha, create)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { message: closed.error } })
    await expectNoLeftovers(server, asha)
  })

  test.each(forEachTransport([{}]))(
    'shares none of its images through $transport.name',
    async ({ transport }) => {
      const { server, asha } = await start()
      const { id: imageId } = await asha.generate('A lotus')
      const share = () => transport.share(server, { prompt: 'A lotus', imageId }, asha)
      expect(await raceDeletion(server, way, asha, share)).toMatchObject(closed)
      await expectNoLeftovers(server, asha)
    },
  )

  test.each(forEachTransport([{}]))(
    'shares none of its images by their bytes, through $transport.name',
    async ({ transport }) => {
      const { server, asha } = await start()
      const image = await asha.generate('A lotus')
      const bytes = Buffer.from(
        await (await server.request(image.photo, { headers: server.headersOf(asha) })).arrayBuffer(),
      )
      const share = () => transport.share(server, { prompt: 'A lotus', photo: dataUrl(bytes) }, asha)
      expect(await raceDeletion(server, way, asha, share)).toMatchObject(closed)
      await expectNoLeftovers(server, asha)
    },
  )

  test.each(forEachTransport([{}]))('uploads nothing through $transport.name', async ({ transport }) => {
    const { server, asha } = await start()
    const photo = dataUrl(await plainJpeg('a photo'))
    const share = () => transport.share(server, { prompt: 'A lotus', photo }, asha)
    expect(await raceDeletion(server, way, asha, share)).toMatchObject(closed)
    await expectNoLeftovers(server, asha)
  })

  test.each(forEachTransport([{}]))(
    'stores neither file nor row of an upload in progress, through $transport.name',
    async ({ transport }) => {
      const { server, asha } = await start()
      const photo = dataUrl(await plainJpeg('a photo'))
      const held = holdNextPut(server)
      const answer = transport.share(server, { prompt: 'A lotus', photo }, asha)
      await held.stored
      expect((await way.deleteAccount(server, asha)).ok).toBe(true)
      held.release()
      expect(await answer).toMatchObject(closed)
      await expectNoLeftovers(server, asha)
    },
  )
})

test.each(forEachTransport([{}]))(
  'the service token generates, shares and uploads without an account through $transport.name',
  async ({ transport }) => {
    const bearer = 'a-token-of-enough-letters'
    const server = await startTestServer({ env: { API_TOKEN: bearer } })
    expect(await transport.generate(server, { prompt: 'A lotus' }, { bearer })).toMatchObject({ error: null })
    const { images } = await server.client({ authorization: `Bearer ${bearer}` }).images.list.query()
    const photo = dataUrl(await plainJpeg('a photo'))
    for (const body of [{ imageId: images[0]?.id }, { photo }]) {
      const answer = await transport.share(server, { prompt: 'A lotus', ...body }, { bearer })
      expect(answer).toMatchObject({ error: null })
    }
  },
)
