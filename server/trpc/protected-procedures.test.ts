import { getUntypedClient, TRPCClientError } from '@trpc/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { badTokens } from '../../test/support/bad-tokens.ts'
import { clerkEnv, mintToken, signInAtClerk } from '../../test/support/clerk.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { follow } from '../../test/support/generations.ts'
import { signInModes } from '../../test/support/sign-in-modes.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
  type TestServer,
} from '../../test/support/test-server.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'
import { appRouter } from './router.ts'

/** What one user has, for another one to reach for. */
interface Belongings {
  readonly imageId: string
  readonly postId: string
  readonly apiKeyId: string
}

/** A call by somebody who is signed in, about what is somebody else's: it is refused, or is about their own. */
interface CrossSiteCall {
  readonly input: (of: Belongings) => unknown
  readonly answer: 'refused' | 'their own'
  /** Whether somebody's API key may make it, as them. */
  readonly byApiKey: boolean
}

const requestKey = 'a-key-of-both'
const ownPhoto = new Uint8Array(await plainJpeg('of the caller'))

/** Procedures for anyone. */
const open = ['posts.list', 'posts.report', 'viewer']

/** Procedures for signed-in users. */
const signedIn: Record<string, CrossSiteCall> = {
  'posts.create': {
    input: ({ imageId }) => ({ name: 'Eve', prompt: 'Mine now', imageId }),
    answer: 'refused',
    byApiKey: true,
  },
  'posts.delete': { input: ({ postId }) => ({ id: postId }), answer: 'refused', byApiKey: true },
  'images.generate': {
    input: () => ({ prompt: 'A lotus', requestKey }),
    answer: 'their own',
    byApiKey: true,
  },
  'images.watch': { input: ({ imageId }) => ({ ids: [imageId] }), answer: 'refused', byApiKey: true },
  'images.cancel': { input: ({ imageId }) => ({ id: imageId }), answer: 'refused', byApiKey: true },
  'images.delete': { input: ({ imageId }) => ({ id: imageId }), answer: 'refused', byApiKey: true },
  'images.get': { input: ({ imageId }) => ({ id: imageId }), answer: 'refused', byApiKey: true },
  'images.list': { input: () => ({}), answer: 'their own', byApiKey: true },
  'images.upload': { input: () => new Blob([ownPhoto]), answer: 'their own', byApiKey: true },
  'images.quota': { input: () => undefined, answer: 'their own', byApiKey: true },
  'account.export': { input: () => undefined, answer: 'their own', byApiKey: false },
  'account.apiKeys.list': { input: () => undefined, answer: 'their own', byApiKey: false },
  'account.apiKeys.create': { input: () => ({ name: 'Mine' }), answer: 'their own', byApiKey: false },
  'account.apiKeys.revoke': {
    input: ({ apiKeyId }) => ({ id: apiKeyId }),
    answer: 'refused',
    byApiKey: false,
  },
}

/** Procedures for administrators. */
const administrators = [
  'moderation.listReported',
  'moderation.auditLog',
  'moderation.hide',
  'moderation.unhide',
  'moderation.dismiss',
]

const closed = [...Object.keys(signedIn), ...administrators]

/** Every procedure by its path; tRPC's own type is nested, where what it holds is flat. */
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>

const typeOf = (path: string) => procedures[path]?._def.type

test('every procedure is for anyone, for signed-in users or for administrators', () => {
  expect(Object.keys(procedures).toSorted()).toEqual([...open, ...closed].toSorted())
})

/** Calls a procedure over plain HTTP. */
function call(server: TestServer, path: string, headers: Record<string, string>): Promise<Response> {
  const reads = typeOf(path) !== 'mutation'
  return server.request(`/trpc/${path}`, {
    method: reads ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    ...(!reads && { body: '{}' }),
  })
}

/** Calls a procedure as a typed client does, and returns its response or its events; throws the error. */
async function callAs(user: TestUser, path: string, input: unknown): Promise<unknown> {
  const client = getUntypedClient(user.trpc)
  switch (typeOf(path)) {
    case 'query':
      return client.query(path, input)
    case 'mutation':
      return client.mutation(path, input)
    default:
      return new Promise((resolve, reject) => {
        const events: unknown[] = []
        client.subscription(path, input, {
          onData: (event) => events.push(event),
          onError: reject,
          onComplete: () => resolve(events),
        })
      })
  }
}

/** Status and body of a response; a rejected subscription names its status in its first event. */
async function readAnswer(path: string, response: Response): Promise<{ status: number; body: unknown }> {
  if (typeOf(path) !== 'subscription' || response.status !== 200) {
    return { status: response.status, body: await response.json() }
  }
  const [, data = '{}'] = /event: serialized-error\ndata: (.*)/.exec(await response.text()) ?? []
  const error = JSON.parse(data) as { data?: { httpStatus: number } }
  return { status: error.data?.httpStatus ?? 200, body: { error } }
}

async function statusOf(answer: Promise<unknown>): Promise<number> {
  try {
    await answer
    return 200
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error
    return (error.data as { httpStatus: number }).httpStatus
  }
}

describe.each(signInModes)('with $mode', ({ mode, env, cookieName, signIn }) => {
  // Every test exports the account, more often than an hour allows.
  const exports = createRateLimiter(1_000, 60)
  const server = shareTestServer({ env, writeLimits: { ...createWriteLimits(), exports } })
  let cookie: string
  beforeAll(async () => {
    cookie = (await signIn(server())).cookie
  })

  /** Expects every closed procedure, and those named as well, to refuse the headers with one sentence. */
  async function expectErrors(headers: Record<string, string>, sentence: string, more: string[] = []) {
    const from = { 'x-forwarded-for': freshAddress() }
    const answers = [...closed, ...more].map(async (path) => {
      const answer = await call(server(), path, { ...from, ...headers })
      const { status, body } = await readAnswer(path, answer)
      expect([path, status]).toEqual([path, 401])
      expect(body).toMatchObject({ error: { message: sentence } })
    })
    await Promise.all(answers)
  }

  test('nobody who is not signed in gets past the transport, whatever they send', async () => {
    for (const headers of [{}, { cookie: 'theme=hc' }, { authorization: 'Basic YTpi' }]) {
      await expectErrors(headers, 'Please sign in first.')
      const viewer = await call(server(), 'viewer', headers)
      expect(await viewer.json()).toEqual({ result: { data: null } })
    }
  })

  const badBearers =
    mode === 'Clerk'
      ? badTokens
      : [...badTokens, { name: 'of Clerk', make: (azp: string) => mintToken({ azp }) }]

  test.each(badBearers)('a token $name opens nothing, alone or beside a good cookie', async ({ make }) => {
    const authorization = `Bearer ${make(server().url)}`
    await expectErrors({ authorization }, 'The bearer token is not valid.', ['viewer'])
    await expectErrors({ authorization, cookie }, 'The bearer token is not valid.', ['viewer'])
    expect((await call(server(), 'posts.list', { authorization })).status).toBe(200)
  })

  test.each(badBearers)('a token $name opens nothing as a cookie', async ({ make }) => {
    const bad = { cookie: `${cookieName}=${make(server().url)}` }
    await expectErrors(bad, 'Please sign in first.')
    const viewer = await call(server(), 'viewer', bad)
    expect([viewer.status, await viewer.json()]).toEqual([200, { result: { data: null } }])
  })

  describe('another user', () => {
    let asha: TestUser
    let eve: TestUser
    let hers: Belongings
    beforeAll(async () => {
      ;[asha, eve] = [await signIn(server()), await signIn(server())]
      const { id: imageId } = await follow(asha.trpc, { prompt: 'A lotus', requestKey }).ended
      const post = { name: 'Asha', prompt: 'A lotus', imageId }
      const { id: postId } = await asha.trpc.posts.create.mutate(post)
      const { id: apiKeyId } = await asha.trpc.account.apiKeys.create.mutate({ name: 'Hers' })
      hers = { imageId, postId, apiKeyId }
    })

    const everythingOf = ({ trpc }: TestUser) =>
      Promise.all([trpc.account.export.query(), trpc.images.list.query(), trpc.images.quota.query()])

    test.each(Object.entries(signedIn))('calls %s', async (path, { input, answer }) => {
      const before = await everythingOf(asha)
      const made = callAs(eve, path, input(hers))
      if (answer === 'refused') {
        expect([403, 404]).toContain(await statusOf(made))
      } else {
        const told = JSON.stringify(await made) ?? ''
        for (const secret of [asha.id, ...Object.values(hers)]) expect(told).not.toContain(secret)
      }
      expect(await everythingOf(asha)).toEqual(before)
      expect((await asha.trpc.posts.list.query()).posts.map(({ id }) => id)).toEqual([hers.postId])
    })

    test.each(administrators)('who is no administrator calls %s', async (path) => {
      const before = await everythingOf(asha)
      expect(await statusOf(callAs(eve, path, { id: hers.postId }))).toBe(403)
      expect(await everythingOf(asha)).toEqual(before)
      expect((await asha.trpc.posts.list.query()).posts.map(({ id }) => id)).toEqual([hers.postId])
    })

    test.each(Object.entries(signedIn))('an API key calls %s', async (path, { input, byApiKey }) => {
      const { key } = await eve.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
      const robot = { ...eve, trpc: server().client({ authorization: `Bearer ${key}` }) }
      const before = await everythingOf(asha)
      const status = await statusOf(callAs(robot, path, input(hers)))
      expect(status).toBe(byApiKey ? await statusOf(callAs(eve, path, input(hers))) : 403)
      expect(await everythingOf(asha)).toEqual(before)
    })

    test('is who they are, and the first one is who she is', async () => {
      expect(await eve.trpc.viewer.query()).toMatchObject({ id: eve.id })
      expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
    })
  })
})

test('who signs in one way is nobody where the other way is', async () => {
  const [local, clerk] = [await startTestServer(), await startTestServer({ env: clerkEnv() })]
  const { cookie } = await local.signUp()
  expect(await clerk.client({ cookie }).viewer.query()).toBeNull()
  expect(await local.client({ cookie: signInAtClerk(local).cookie }).viewer.query()).toBeNull()
})
