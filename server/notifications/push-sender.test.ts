import { createECDH, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startLoopbackServer } from '../../test/support/loopback-server.ts'
import { eventually } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { allowLoopback } from '../../test/support/webhook-receiver.ts'

/** Without types; the library that web-push encrypts by. */
const { decrypt } = createRequire(import.meta.url)('http_ece') as {
  decrypt(body: Buffer, options: { version: string; privateKey: object; authSecret: string }): Buffer
}

const server = shareTestServer({ env: allowLoopback })
let asha: TestUser
let ravi: TestUser
beforeEach(async () => {
  ;[asha, ravi] = [await server().signUp(), await server().signUp()]
})

/** Starts a push service with one device, which decrypts what it receives. */
async function startPushService(statuses: number[] = []) {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const received: { headers: IncomingHttpHeaders; message: unknown }[] = []
  const { origin, stop } = await startLoopbackServer(async (request, response) => {
    const options = { version: 'aes128gcm', privateKey: curve, authSecret: auth.toString('base64') }
    const plain = decrypt(await buffer(request), options)
    received.push({ headers: request.headers, message: JSON.parse(plain.toString()) })
    response.writeHead(statuses.shift() ?? 201).end()
  })
  onTestFinished(stop)
  const keys = { p256dh: curve.getPublicKey().toString('base64url'), auth: auth.toString('base64url') }
  return { received, subscription: { endpoint: `${origin}/device`, keys } }
}

const devicesOf = (user: TestUser) =>
  server().services.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', user.id).execute()

async function makeDue(user: TestUser, columns = {}) {
  const devices = server().services.db.updateTable('push_subscriptions').where('user_id', '=', user.id)
  await devices.set({ due_at: 0, ...columns }).execute()
}

let posts: string[]

/** Likes one of the posts, which are shared before their author subscribes, as their images are told, too. */
async function likePost() {
  const id = posts.pop() ?? ''
  await ravi.trpc.posts.like.mutate({ id })
  return id
}

beforeEach(async () => {
  posts = []
  for (const prompt of ['A secret', 'Another', 'A third']) posts.push((await asha.share(prompt)).id)
  await asha.trpc.notifications.updateSettings.mutate({ like: { push: true } })
})

test('tells a device what is new, without names and prompts', async () => {
  const { received, subscription } = await startPushService()
  await asha.trpc.notifications.subscribePush.mutate(subscription)
  const postId = await likePost()
  await eventually(() => Promise.resolve(received)).toHaveLength(1)
  expect(received[0]?.message).toEqual({
    title: 'Your post has 1 new like',
    path: `/posts/${postId}`,
    tag: expect.stringMatching(/./),
  })
  const { pushKey, hasMail } = await asha.trpc.notifications.delivery.query()
  expect([hasMail, Buffer.from(pushKey, 'base64url')[0]]).toEqual([false, 4])
  expect(received[0]?.headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' })
  expect(received[0]?.headers.authorization).toContain(`k=${pushKey}`)
  await eventually(() => devicesOf(asha)).toMatchObject([{ pending: 0, attempts: 0 }])

  // The next one waits a minute, and tells of both.
  await likePost()
  await likePost()
  expect(received).toHaveLength(1)
  await makeDue(asha)
  await eventually(() => Promise.resolve(received)).toHaveLength(2)
  expect(received[1]?.message).toEqual({
    title: '2 new notifications',
    path: '/notifications',
    tag: 'notifications',
  })
})

test('sends nothing about what was read or switched off, or to a device that another user has', async () => {
  const { received, subscription } = await startPushService()
  await asha.trpc.notifications.subscribePush.mutate(subscription)
  await asha.trpc.notifications.updateSettings.mutate({ like: { push: false } })
  await likePost()
  await eventually(() => devicesOf(asha)).toMatchObject([{ pending: 0 }])
  await ravi.trpc.notifications.subscribePush.mutate(subscription)
  expect(await devicesOf(asha)).toEqual([])
  await ravi.trpc.notifications.unsubscribePush.mutate({ endpoint: subscription.endpoint })
  expect(await devicesOf(ravi)).toEqual([])
  expect(received).toEqual([])
})

test.each([
  [[403, 410], {}],
  [[503, 403], { attempts: 9 }],
])('repeats pushes after %j, and removes subscriptions that have ended', async (statuses, columns) => {
  const { received, subscription } = await startPushService(statuses)
  await asha.trpc.notifications.subscribePush.mutate(subscription)
  await likePost()
  await eventually(() => Promise.resolve(received)).toHaveLength(1)
  // The lease of the attempt was longer.
  await eventually(async () => (await devicesOf(asha))[0]?.due_at).toBeLessThan(Date.now() + 50_000)
  expect(await devicesOf(asha)).toMatchObject([{ pending: 1, attempts: 1 }])
  await makeDue(asha, columns)
  await eventually(() => devicesOf(asha)).toEqual([])
  expect(received).toHaveLength(2)
})

test.each([
  'http://push.example.org/device',
  'https://10.0.0.1/device',
  'https://[::1]/device',
  'https://user:password@push.example.org/device',
  'javascript:alert(1)',
  `https://push.example.org/${'x'.repeat(2_000)}`,
])('rejects the endpoint %s', async (endpoint) => {
  const { subscription } = await startPushService()
  const subscribed = asha.trpc.notifications.subscribePush.mutate({ ...subscription, endpoint })
  await expect(subscribed).rejects.toMatchObject({ data: { httpStatus: 400 } })
})

test('keeps the newest ten devices of a user', async () => {
  const { keys } = (await startPushService()).subscription
  for (let index = 0; index < 11; index += 1) {
    const endpoint = `https://push.example.org/${asha.id}/${index}`
    await asha.trpc.notifications.subscribePush.mutate({ endpoint, keys })
  }
  const devices = await devicesOf(asha)
  expect(devices.map(({ endpoint }) => endpoint.split('/').at(-1))).toEqual('1 2 3 4 5 6 7 8 9 10'.split(' '))
})
