import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clerkEnv, signInAtClerk, signMessage, webhookSecret } from '../../test/support/clerk.ts'
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

/** Returns a function that does its work, and then pauses. */
function pausing<Input extends unknown[], Output>(work: (...input: Input) => Promise<Output>) {
  const [reached, released] = [createGate(), createGate()]
  const run = async (...input: Input) => {
    const output = await work(...input)
    reached.open()
    await released.opened
    return output
  }
  return { run, reached: reached.opened, release: released.open }
}

/** Runs a request and deletes its account right after the authentication. */
async function raceDeletion<Answer>(
  server: TestServer,
  way: SignInWay,
  user: TestUser,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const { authenticator } = server.services
  const held = pausing(authenticator.authenticate.bind(authenticator))
  vi.spyOn(authenticator, 'authenticate').mockImplementationOnce(held.run)
  const answer = request()
  await held.reached
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

const closed = { message: 'This account has been deleted or closed.', data: { httpStatus: 401 } }

describe.each(ways)('a request whose account is deleted meanwhile, with $mode', (way) => {
  const server = shareTestServer({ env: way.env })
  let asha: TestUser
  beforeEach(async () => {
    asha = await way.signIn(server())
  })

  const share = (image: { imageId: string } | { photo: string }) =>
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', ...image })
  const photoOf = async (text: string) => dataUrl(await plainJpeg(text))

  /** What the user does; what it needs is prepared before the deletion. */
  test.each<[string, prepare: () => Promise<() => Promise<unknown>>]>([
    [
      'generates no image',
      async () => () => asha.trpc.images.generate.mutate({ prompt: 'A lotus', requestKey: 'key' }),
    ],
    [
      'generates none with an API key',
      async () => {
        const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
        const robot = server().client({ authorization: `Bearer ${key}` })
        return () => robot.images.generate.mutate({ prompt: 'A lotus' })
      },
    ],
    [
      'shares none of its images',
      async () => {
        const { id: imageId } = await asha.generate('A lotus')
        return () => share({ imageId })
      },
    ],
    [
      'shares none of its images by their bytes',
      async () => {
        const { photo } = await asha.generate('A lotus')
        const file = await server().request(photo, { headers: server().headersOf(asha) })
        const bytes = Buffer.from(await file.arrayBuffer())
        return () => share({ photo: dataUrl(bytes) })
      },
    ],
    [
      'uploads nothing',
      async () => {
        const photo = await photoOf('a photo')
        return () => share({ photo })
      },
    ],
    ['creates no API key', async () => () => asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })],
  ])('%s', async (_, prepare) => {
    const request = await prepare()
    await expect(raceDeletion(server(), way, asha, request)).rejects.toMatchObject(closed)
    await expectNoLeftovers(server(), asha)
  })

  test('stores neither file nor row of an upload in progress', async () => {
    const photo = await photoOf(`a photo of ${asha.id}`)
    const { blobs } = server().services
    const held = pausing(blobs.put.bind(blobs))
    vi.spyOn(blobs, 'put').mockImplementationOnce(held.run)
    const rejected = expect(share({ photo })).rejects.toMatchObject(closed)
    await held.reached
    expect((await way.deleteAccount(server(), asha)).ok).toBe(true)
    held.release()
    await rejected
    await expectNoLeftovers(server(), asha)
  })
})
