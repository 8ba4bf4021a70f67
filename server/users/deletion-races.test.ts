import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clerkEnv, signInAtClerk, signMessage, webhookSecret } from '../../test/support/clerk.ts'
import { transports, type CallResult, type Transport } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { createGate } from '../../test/support/gate.ts'
import { shareTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
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
  const server = shareTestServer({ env: way.env })
  let asha: TestUser
  beforeEach(async () => {
    asha = await way.signIn(server())
  })

  const photoOf = async (text: string) => dataUrl(await plainJpeg(text))

  /** What the user does; what it needs is prepared before the deletion. */
  const requests: readonly [string, (transport: Transport) => Promise<() => Promise<CallResult>>][] = [
    [
      'generates no image',
      async ({ generate }) =>
        () =>
          generate(server(), { prompt: 'A lotus' }, asha, 'key'),
    ],
    [
      'generates none with an API key',
      async ({ generate }) => {
        const { key: bearer } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
        return () => generate(server(), { prompt: 'A lotus' }, { bearer })
      },
    ],
    [
      'shares none of its images',
      async ({ share }) => {
        const { id: imageId } = await asha.generate('A lotus')
        return () => share(server(), { prompt: 'A lotus', imageId }, asha)
      },
    ],
    [
      'shares none of its images by their bytes',
      async ({ share }) => {
        const { photo } = await asha.generate('A lotus')
        const file = await server().request(photo, { headers: server().headersOf(asha) })
        const bytes = Buffer.from(await file.arrayBuffer())
        return () => share(server(), { prompt: 'A lotus', photo: dataUrl(bytes) }, asha)
      },
    ],
    [
      'uploads nothing',
      async ({ share }) => {
        const photo = await photoOf('a photo')
        return () => share(server(), { prompt: 'A lotus', photo }, asha)
      },
    ],
  ]

  test.each(requests)('%s, through either transport', async (_, prepare) => {
    for (const transport of transports) {
      asha = await way.signIn(server())
      const request = await prepare(transport)
      expect(await raceDeletion(server(), way, asha, request)).toMatchObject(closed)
      await expectNoLeftovers(server(), asha)
    }
  })

  test('creates no API key', async () => {
    const create = () => server().postJson('/trpc/account.apiKeys.create', { name: 'A robot' }, asha)
    const answer = await raceDeletion(server(), way, asha, create)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { message: closed.error } })
    await expectNoLeftovers(server(), asha)
  })

  test('stores neither file nor row of an upload in progress', async () => {
    for (const { share } of transports) {
      asha = await way.signIn(server())
      const photo = await photoOf(`a photo of ${asha.id}`)
      const held = holdNextPut(server())
      const answer = share(server(), { prompt: 'A lotus', photo }, asha)
      await held.stored
      expect((await way.deleteAccount(server(), asha)).ok).toBe(true)
      held.release()
      expect(await answer).toMatchObject(closed)
      await expectNoLeftovers(server(), asha)
    }
  })
})
