import { getUntypedClient, TRPCClientError } from '@trpc/client'
import { beforeAll, describe, expect, test, vi } from 'vitest'
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
import { apiKeyScopes, type ApiKeyScope } from '../../shared/account.ts'
import { createRateLimiter, createWriteLimits } from '../rate-limits/rate-limiter.ts'
import { appRouter } from './router.ts'

/** Data of a user that another user tries to access. */
interface UserData {
  readonly imageId: string
  readonly postId: string
  readonly collectionId: string
  readonly styleId: string
  readonly apiKeyId: string
  readonly webhookId: string
  readonly deliveryId: string
}

/** Call of a signed-in user with the ids of another user's data. */
type CrossUserCall = readonly [
  input: (data: UserData) => unknown,
  /** An error, or a response about the caller's own data. */
  expected: 'error' | 'own data',
  /** Scopes of which an API key needs one, or all of them if empty; null if the procedure accepts no API keys. */
  scopes: readonly ApiKeyScope[] | null,
]

const requestKey = 'shared-key'
const allowLoopback = { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' }
/** URL on which no server listens. */
const closedUrl = 'http://127.0.0.1:65535/'
const pushSubscription = {
  endpoint: 'https://push.example.org/device',
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
}
const ownPhoto = new Uint8Array(await plainJpeg('own photo'))

/** Procedures that need no session. */
const publicProcedures = [
  'collections.get',
  'collections.list',
  'collections.report',
  'engines.list',
  'posts.author',
  'posts.get',
  'posts.list',
  'posts.report',
  'posts.similar',
  'posts.verify',
  'posts.words',
  'styles.list',
  'setup.complete',
  'setup.tryEngine',
  'site.appearance',
  'viewer',
]

const none = () => undefined
const ofPost = ({ postId }: UserData) => ({ id: postId })
const ofCollection = ({ collectionId }: UserData) => ({ id: collectionId })
const withPosts = (data: UserData) => ({ ...ofCollection(data), postIds: [data.postId] })
const ofImage = ({ imageId }: UserData) => ({ id: imageId })
const ofKey = ({ apiKeyId }: UserData) => ({ id: apiKeyId })
const ofWebhook = ({ webhookId }: UserData) => ({ id: webhookId })

/** Procedures for signed-in users. */
const signedIn: Record<string, CrossUserCall> = {
  'posts.create': [({ imageId }) => ({ name: 'Eve', prompt: 'Mine now', imageId }), 'error', ['share']],
  'posts.update': [({ postId }) => ({ id: postId, name: 'Eve', visibility: 'private' }), 'error', ['share']],
  'posts.like': [() => ({ id: 'unknown' }), 'error', ['share']],
  'posts.unlike': [ofPost, 'own data', ['share']],
  'posts.delete': [ofPost, 'error', ['share']],
  'collections.create': [() => ({ title: 'Mine' }), 'own data', ['share']],
  'collections.update': [ofCollection, 'error', ['share']],
  'collections.delete': [ofCollection, 'error', ['share']],
  'collections.addPosts': [withPosts, 'error', ['share']],
  'collections.removePosts': [withPosts, 'error', ['share']],
  'collections.movePost': [
    (data) => ({ ...ofCollection(data), postId: data.postId, before: null }),
    'error',
    ['share'],
  ],
  'collections.createInvitation': [ofCollection, 'error', []],
  'collections.revokeInvitation': [ofCollection, 'error', []],
  'collections.join': [() => ({ token: 'unknown' }), 'error', []],
  'images.upscale': [({ imageId }) => ({ imageId, factor: 2 }), 'error', ['generate']],
  'images.generate': [() => ({ prompt: 'A lotus', requestKey }), 'own data', ['generate']],
  'images.watch': [({ imageId }) => ({ ids: [imageId] }), 'error', ['read', 'generate']],
  'images.cancel': [ofImage, 'error', ['generate']],
  'images.delete': [ofImage, 'error', []],
  'images.restore': [ofImage, 'error', []],
  'images.deletePermanently': [ofImage, 'error', []],
  'images.emptyTrash': [none, 'own data', []],
  'images.deleteFailed': [none, 'own data', []],
  'images.get': [ofImage, 'error', ['read', 'generate']],
  'images.link': [ofImage, 'error', ['read', 'generate']],
  'images.list': [() => ({}), 'own data', ['read']],
  'images.months': [() => ({}), 'own data', ['read']],
  'images.upload': [() => new Blob([ownPhoto]), 'own data', ['generate']],
  'images.uploadForEdit': [() => new Blob([ownPhoto]), 'own data', ['generate']],
  'images.quota': [none, 'own data', ['read', 'generate']],
  'styles.create': [() => ({ name: 'Mine', template: '{prompt}, dusk' }), 'own data', []],
  'styles.update': [({ styleId }) => ({ id: styleId, name: 'Mine' }), 'error', []],
  'styles.delete': [({ styleId }) => ({ id: styleId }), 'error', []],
  'moderation.notices': [none, 'own data', ['read']],
  'moderation.appeal': [({ postId }) => ({ postId, comment: 'It is mine' }), 'error', []],
  'notifications.list': [() => ({}), 'own data', ['read']],
  'notifications.markRead': [() => ({ until: '2026-01-01T00:00:00Z' }), 'own data', []],
  'notifications.settings': [none, 'own data', null],
  'notifications.updateSettings': [() => ({ like: { push: true } }), 'own data', null],
  'notifications.delivery': [none, 'own data', null],
  'notifications.subscribePush': [() => pushSubscription, 'own data', null],
  'notifications.unsubscribePush': [() => ({ endpoint: pushSubscription.endpoint }), 'own data', null],
  'account.export': [none, 'own data', null],
  'account.settings': [none, 'own data', null],
  'account.updateSettings': [() => ({ defaultVisibility: 'unlisted' }), 'own data', null],
  'account.passkeys.list': [none, 'own data', null],
  'account.passkeys.rename': [({ apiKeyId }) => ({ id: apiKeyId, name: 'Mine' }), 'error', null],
  'account.passkeys.delete': [ofKey, 'error', null],
  'account.apiKeys.list': [none, 'own data', null],
  'account.apiKeys.create': [() => ({ name: 'Mine' }), 'own data', null],
  'account.apiKeys.revoke': [ofKey, 'error', null],
  'account.programs.request': [() => ({ query: '' }), 'error', null],
  'account.programs.decide': [() => ({ query: '', scopes: [] }), 'error', null],
  'account.webhooks.list': [none, 'own data', null],
  'account.webhooks.create': [() => ({ url: closedUrl, events: ['post.created'] }), 'own data', null],
  'account.webhooks.update': [
    (data) => ({ ...ofWebhook(data), url: closedUrl, isEnabled: false }),
    'error',
    null,
  ],
  'account.webhooks.delete': [ofWebhook, 'error', null],
  'account.webhooks.rotateSecret': [ofWebhook, 'error', null],
  'account.webhooks.sendTest': [ofWebhook, 'error', null],
  'account.webhooks.deliveries': [ofWebhook, 'error', null],
  'account.webhooks.redeliver': [({ deliveryId }) => ({ deliveryId }), 'error', null],
}

/** Procedures for administrators. */
const administrators = [
  'site.updateAppearance',
  'site.previewRules',
  'admin.users.list',
  'admin.users.get',
  'admin.users.update',
  'admin.users.signOut',
  'admin.users.delete',
  'moderation.listReported',
  'moderation.auditLog',
  'moderation.countReported',
  'collections.feature',
  'moderation.listReportedCollections',
  'moderation.hideCollection',
  'moderation.unhideCollection',
  'moderation.dismissCollection',
  'moderation.hide',
  'moderation.unhide',
  'moderation.dismiss',
  'moderation.setSensitive',
  'admin.options.get',
  'admin.options.update',
  'admin.invitations.list',
  'admin.invitations.create',
  'admin.invitations.revoke',
  'admin.engines.list',
  'admin.engines.update',
  'admin.engines.create',
  'admin.engines.delete',
  'admin.engines.test',
  'admin.overview',
  'admin.spending',
  'admin.statistics',
  'admin.auditLog',
  'admin.announcements.list',
  'admin.announcements.save',
  'admin.announcements.remove',
  'admin.webhooks.list',
  'admin.webhooks.create',
  'admin.webhooks.update',
  'admin.webhooks.delete',
  'admin.webhooks.rotateSecret',
  'admin.webhooks.sendTest',
  'admin.webhooks.deliveries',
  'admin.webhooks.redeliver',
]

const protectedProcedures = [...Object.keys(signedIn), ...administrators]

/** All procedures by path. tRPC declares a nested type for this flat object. */
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>

const typeOf = (path: string) => procedures[path]?._def.type

test('every procedure is listed as public, for signed-in users or for administrators', () => {
  expect(Object.keys(procedures).toSorted()).toEqual([...publicProcedures, ...protectedProcedures].toSorted())
})

/** Calls a procedure over plain HTTP. */
function call(server: TestServer, path: string, headers: Record<string, string>): Promise<Response> {
  return send(server, path, typeOf(path) !== 'mutation', headers)
}

function send(server: TestServer, target: string, reads: boolean, headers: Record<string, string>) {
  return server.request(`/trpc/${target}`, {
    method: reads ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    ...(!reads && { body: '{}' }),
  })
}

/** Calls several queries, or several mutations, in one request over plain HTTP. */
async function callBatch(
  server: TestServer,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<{ error?: { message: string; data: { httpStatus: number } } }[]> {
  const reads = paths.every((path) => typeOf(path) === 'query')
  const response = await send(server, `${paths.join(',')}?batch=1`, reads, headers)
  return (await response.json()) as Awaited<ReturnType<typeof callBatch>>
}

/** Calls a procedure with the typed client and returns its response or its events. */
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

/** Reads the error of a rejected subscription, which its first event reports. */
async function readError(response: Response): Promise<unknown> {
  const [, data = '{}'] = /event: serialized-error\ndata: (.*)/.exec(await response.text()) ?? []
  return JSON.parse(data)
}

async function statusOf(response: Promise<unknown>): Promise<number> {
  try {
    await response
    return 200
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error
    return (error.data as { httpStatus: number }).httpStatus
  }
}

describe.each(signInModes)('with $mode', ({ mode, env, cookieName, signIn }) => {
  // Each test exports the account, which exceeds the default hourly limit.
  const exports = createRateLimiter(1_000, 60)
  const server = shareTestServer({
    env: { ...env, ...allowLoopback },
    writeLimits: { ...createWriteLimits(), exports },
  })
  let cookie: string
  beforeAll(async () => {
    cookie = (await signIn(server())).cookie
  })

  /** Expects every protected procedure, and the given others, to respond with 401 and a message, in few requests. */
  async function expectErrors(headers: Record<string, string>, message: string, more: string[] = []) {
    const from = { 'x-forwarded-for': freshAddress(), ...headers }
    const all = [...protectedProcedures, ...more]
    const error = { message, data: { httpStatus: 401 } }
    for (const type of ['query', 'mutation']) {
      const paths = all.filter((path) => typeOf(path) === type)
      const results = await callBatch(server(), paths, from)
      expect(paths.map((path, index) => [path, results[index]])).toMatchObject(
        paths.map((path) => [path, { error }]),
      )
    }
    for (const path of all.filter((one) => typeOf(one) === 'subscription'))
      expect(await readError(await call(server(), path, from))).toMatchObject(error)
  }

  test('protected procedures reject requests without a session', async () => {
    for (const headers of [{}, { cookie: 'theme=hc' }, { authorization: 'Basic YTpi' }]) {
      await expectErrors(headers, 'Please sign in first.')
      const viewer = await call(server(), 'viewer', headers)
      expect(await viewer.json()).toEqual({ result: { data: null } })
    }
  })

  test('protected procedures reject requests with an unknown token', async () => {
    const authorization = 'Bearer unknown'
    await expectErrors({ authorization }, 'The bearer token is not valid.', ['viewer'])
    await expectErrors({ cookie: `${cookieName}=unknown` }, 'Please sign in first.')
  })

  const badBearers =
    mode === 'Clerk'
      ? badTokens
      : [...badTokens, { name: 'that is valid for Clerk', create: (azp: string) => mintToken({ azp }) }]

  test.each(badBearers)(
    'protected procedures reject a bearer token $name, also with a valid cookie',
    async ({ create }) => {
      const authorization = `Bearer ${create(server().url)}`
      await expectErrors({ authorization }, 'The bearer token is not valid.', ['viewer'])
      await expectErrors({ authorization, cookie }, 'The bearer token is not valid.', ['viewer'])
      expect((await call(server(), 'posts.list', { authorization })).status).toBe(200)
    },
  )

  test.each(badBearers)('protected procedures reject a cookie with a token $name', async ({ create }) => {
    const bad = { cookie: `${cookieName}=${create(server().url)}` }
    await expectErrors(bad, 'Please sign in first.')
    const viewer = await call(server(), 'viewer', bad)
    expect([viewer.status, await viewer.json()]).toEqual([200, { result: { data: null } }])
  })

  // Procedures know a user, but not how that one signed in.
  describe.runIf(mode === 'local accounts')('a user with the ids of another user’s data', () => {
    let asha: TestUser
    let eve: TestUser
    let ashasData: UserData
    let evesKey: string
    /** What Asha and the gallery have before the tests, none of which may change it. */
    let before: unknown
    beforeAll(async () => {
      ;[asha, eve] = [await signIn(server()), await signIn(server())]
      const { id: imageId } = await follow(asha.trpc, { prompt: 'A lotus', requestKey }).ended
      const post = { name: 'Asha', prompt: 'A lotus', imageId }
      const { id: postId } = await asha.trpc.posts.create.mutate(post)
      const { id: apiKeyId } = await asha.trpc.account.apiKeys.create.mutate({ name: 'Hers' })
      const { id: webhookId } = await asha.trpc.account.webhooks.create.mutate({
        url: closedUrl,
        events: ['post.created'],
      })
      const { id: deliveryId } = await asha.trpc.account.webhooks.sendTest.mutate({ id: webhookId })
      // Attempted once.
      await vi.waitFor(async () => {
        const [webhook] = await asha.trpc.account.webhooks.list.query()
        expect(webhook?.lastDelivery?.state).toBe('failed')
      }, 45_000)
      const { id: collectionId } = await asha.trpc.collections.create.mutate({ title: 'Hers' })
      const { id: styleId } = await asha.trpc.styles.create.mutate({
        name: 'Hers',
        template: '{prompt}, dawn',
      })
      ashasData = { styleId, imageId, postId, collectionId, apiKeyId, webhookId, deliveryId }
      before = await everythingOf(asha)
      expect(before).toMatchObject([{}, {}, {}, { posts: [{ id: postId }], total: 1 }])
      const { key } = await eve.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
      evesKey = key
    })

    const everythingOf = ({ trpc }: TestUser) =>
      Promise.all([
        trpc.account.export.query(),
        trpc.images.list.query(),
        trpc.images.quota.query(),
        trpc.posts.list.query(),
      ])

    test.each(Object.entries(signedIn))('cannot read that data by %s', async (path, [input, expected]) => {
      const response = callAs(eve, path, input(ashasData))
      if (expected === 'error') {
        expect([403, 404]).toContain(await statusOf(response))
      } else {
        const json = JSON.stringify(await response) ?? ''
        for (const secret of [asha.id, ...Object.values(ashasData)]) expect(json).not.toContain(secret)
      }
    })

    test('cannot call the procedures of administrators, and has changed nothing', async () => {
      for (const path of administrators) {
        const status = await statusOf(callAs(eve, path, ofPost(ashasData)))
        expect({ path, status }).toEqual({ path, status: 403 })
      }
      expect(await everythingOf(asha)).toEqual(before)
    })

    test('cannot read or change that data with an API key', async () => {
      const robot = { ...eve, trpc: server().client({ authorization: `Bearer ${evesKey}` }) }
      for (const [path, [input, , scopes]] of Object.entries(signedIn)) {
        const status = await statusOf(callAs(robot, path, input(ashasData)))
        const expected = scopes ? await statusOf(callAs(eve, path, input(ashasData))) : 403
        expect({ path, status }).toEqual({ path, status: expected })
      }
      expect(await everythingOf(asha)).toEqual(before)
    })

    test.each(apiKeyScopes)(
      'is rejected with an API key of the scope %s by calls of other scopes',
      async (scope) => {
        const { key } = await eve.trpc.account.apiKeys.create.mutate({ name: scope, scopes: [scope] })
        const robot = { ...eve, trpc: server().client({ authorization: `Bearer ${key}` }) }
        for (const [path, [input, , scopes]] of Object.entries(signedIn)) {
          const failure: unknown = await callAs(robot, path, input(ashasData)).catch(
            (error: unknown) => error,
          )
          const isDenied = /does not (have the scope|accept API keys)/.test(String(failure))
          expect({ path, isDenied }).toEqual({ path, isDenied: !scopes?.includes(scope) })
        }
        await eve.trpc.account.apiKeys.revoke.mutate({
          id: (await eve.trpc.account.apiKeys.list.query())[0]?.id ?? '',
        })
      },
    )

    test('is identified as themselves, like the other user', async () => {
      expect(await eve.trpc.viewer.query()).toMatchObject({ id: eve.id })
      expect(await asha.trpc.viewer.query()).toMatchObject({ id: asha.id })
    })
  })
})

test('a session of one sign-in mode is ignored in the other mode', async () => {
  const [local, clerk] = [await startTestServer(), await startTestServer({ env: clerkEnv() })]
  const { cookie } = await local.signUp()
  expect(await clerk.client({ cookie }).viewer.query()).toBeNull()
  expect(await local.client({ cookie: signInAtClerk(local).cookie }).viewer.query()).toBeNull()
})
