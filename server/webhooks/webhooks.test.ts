import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { AddressError, parseAddressRange } from '../network/addresses.ts'
import { WebhookAddresses } from './webhook-addresses.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createFailingEngine, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { makeAccount } from '../../test/support/accounts.ts'
import { startTestMailServer } from '../../test/support/mail.ts'
import { dataUrl } from '../../test/support/images.ts'
import { findFreePorts } from '../../test/support/ports.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import {
  allowLoopback,
  startWebhookReceiver,
  type ReceivedRequest,
} from '../../test/support/webhook-receiver.ts'
import { AppError } from '../errors/app-error.ts'
import { waitingDeliveriesMax, webhookEvents, type WebhookEvent } from '../../shared/webhooks.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Starts a site that knows its address, and a receiver. */
async function createSite(options: Parameters<typeof startTestServer>[0] = {}) {
  const receiver = await startWebhookReceiver()
  const port = await findFreePorts(1)
  const origin = `http://127.0.0.1:${port}`
  const server = await startTestServer({
    ...options,
    env: { ...allowLoopback, PORT: String(port), PUBLIC_URL: origin, ...options.env },
  })
  return { server, receiver, origin }
}

/** Creates a webhook of a user. */
function subscribe(user: TestUser, url: string, events: readonly WebhookEvent[] = webhookEvents) {
  return user.trpc.account.webhooks.create.mutate({ url, events: [...events] })
}

function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>)
}

test('an image and its post are reported, signed, with links', async () => {
  const { server, receiver, origin } = await createSite()
  const asha = await server.signUp()
  const { secret, ...webhook } = await subscribe(asha, receiver.url)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await asha.trpc.account.webhooks.list.query()).toEqual([webhook])

  const image = await asha.generate('A lotus')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
  await expect.poll(receiver.types).toEqual(['image.succeeded', 'post.created'])
  const [generated, shared] = receiver.requests
  if (!generated || !shared) throw new Error('Nothing was received.')
  expect(generated).toMatchObject({ method: 'POST', path: '/hook' })
  expect(generated.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Rangoli' })
  expect(generated.headers).not.toHaveProperty('authorization')
  expect(verify(secret, generated)).toEqual({
    type: 'image.succeeded',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      userId: asha.id,
      image: {
        id: image.id,
        engine: image.engine,
        model: image.model,
        prompt: 'A lotus',
        width: image.width,
        height: image.height,
        url: expect.stringMatching(`^${origin}/v1/images/${image.id}.jpeg[?]expires=`),
        createdAt: image.createdAt,
        finishedAt: expect.stringMatching(/Z$/),
      },
    },
  })
  expect(verify(secret, shared)).toMatchObject({
    type: 'post.created',
    data: {
      post: {
        id: post.id,
        imageId: image.id,
        authorId: asha.id,
        visibility: 'public',
        name: 'Asha',
        prompt: 'A lotus',
        isSensitive: false,
        url: `${origin}/posts/${post.id}`,
        imageUrl: origin + post.photo,
      },
    },
  })
  expect(() => verify('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', shared)).toThrow('No matching')
})

test('a failed generation is reported with its reason, a canceled one is not', async () => {
  const { server, receiver } = await createSite({
    engine: createFailingEngine(new AppError('engine_failed')),
  })
  const asha = await server.signUp()
  await subscribe(asha, receiver.url)
  await expect(asha.generate('A lotus')).rejects.toThrow()
  await expect.poll(receiver.types).toEqual(['image.failed'])
  expect(receiver.requests[0]?.payload.data).toMatchObject({
    userId: asha.id,
    image: { prompt: 'A lotus', failure: 'engine_failed' },
  })
})

test('a hidden post is reported to its author with the note, and to the site without its content', async () => {
  const { server, receiver } = await createSite()
  const site = await startWebhookReceiver()
  const asha = await server.signUp()
  const meera = await signUpAdministrator(server)
  await subscribe(asha, receiver.url, ['post.hidden'])
  await meera.trpc.admin.webhooks.create.mutate({ url: site.url, events: ['post.hidden'] })
  const { id: imageId } = await asha.generate('A lotus')
  const words = { name: 'Asha', imageId }
  const first = await asha.trpc.posts.create.mutate({ ...words, prompt: 'A lotus' })
  const second = await asha.trpc.posts.create.mutate({ ...words, prompt: 'Another lotus' })
  await meera.trpc.moderation.hide.mutate({ id: first.id, note: 'Not a lotus' })
  await expect.poll(() => receiver.requests.length).toBe(2)
  await expect.poll(() => site.requests.length).toBe(2)
  expect(receiver.requests.map(({ payload }) => payload.data)).toMatchObject([
    { note: 'Not a lotus', post: { id: first.id, prompt: 'A lotus', authorId: asha.id } },
    { note: 'Not a lotus', post: { id: second.id, prompt: 'Another lotus' } },
  ])
  const bodies = site.requests.map(({ body }) => body).join()
  expect(bodies).toContain(first.id)
  expect(bodies).not.toMatch(/lotus|note|url/i)
})

describe('a webhook of the site', () => {
  async function createSiteWebhook() {
    const { server, receiver, origin } = await createSite()
    const meera = await signUpAdministrator(server)
    const webhook = await meera.trpc.admin.webhooks.create.mutate({
      url: receiver.url,
      events: [...webhookEvents],
    })
    return { server, receiver, origin, meera, webhook, asha: await server.signUp() }
  }

  test('reports images of all users without their prompts and links', async () => {
    const { receiver, asha, webhook } = await createSiteWebhook()
    const { id } = await asha.generate('A lotus')
    await expect.poll(receiver.types).toEqual(['image.succeeded'])
    const [request] = receiver.requests
    expect(request && verify(webhook.secret, request)).toMatchObject({
      data: { userId: asha.id, image: { id } },
    })
    expect(request?.body).not.toMatch(/lotus|url|uploads/)
  })

  test('says what a public post shows, but not what its author hides', async () => {
    const { receiver, origin, asha } = await createSiteWebhook()
    const { id: imageId } = await asha.generate('A lotus')
    const post = { name: 'Asha', imageId }
    await asha.trpc.posts.create.mutate({ ...post, prompt: 'A public lotus' })
    await asha.trpc.posts.create.mutate({ ...post, prompt: 'A secret lotus', hidePrompt: true })
    await asha.trpc.posts.create.mutate({ ...post, prompt: 'An unlisted lotus', visibility: 'unlisted' })
    await asha.trpc.posts.create.mutate({ ...post, prompt: 'A private lotus', visibility: 'private' })
    await expect.poll(() => receiver.requests.length).toBe(5)
    const [shown, hidden, unlisted, own] = receiver.requests.slice(1)
    expect(shown?.body).toContain('A public lotus')
    expect(hidden?.payload.data).toMatchObject({ post: { url: expect.stringContaining(origin) } })
    for (const request of [hidden, unlisted, own]) expect(request?.body).not.toContain('lotus')
    for (const request of [unlisted, own]) expect(request?.body).not.toMatch(/url|uploads|Asha/i)
  })

  test('leaves out what a post showed once it is not public any more', async () => {
    const { receiver, meera, webhook, asha } = await createSiteWebhook()
    receiver.respondWith((response) => response.writeHead(500).end())
    const { id: imageId } = await asha.generate('A lotus')
    const { id } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A kite', imageId })
    await expect.poll(receiver.types).toContain('post.created')
    await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
    const read = () => meera.trpc.admin.webhooks.deliveries.query({ id: webhook.id })
    const [created] = (await read()).deliveries
    expect(created?.payload.data).toEqual({
      post: { id, imageId, authorId: asha.id, visibility: 'public', createdAt: expect.any(String) },
    })
  })

  test('says what a public post shows now, not what its author has hidden or changed since', async () => {
    const { receiver, origin, meera, webhook, asha } = await createSiteWebhook()
    receiver.respondWith((response) => response.writeHead(500).end())
    const { id: imageId } = await asha.generate('A lotus')
    const post = { name: 'Asha', prompt: 'A secret kite', imageId }
    const { id } = await asha.trpc.posts.create.mutate(post)
    const read = async () => {
      const { deliveries } = await meera.trpc.admin.webhooks.deliveries.query({ id: webhook.id })
      return deliveries.find(({ type }) => type === 'post.created')?.payload.data
    }
    expect(await read()).toMatchObject({ post: { id, prompt: 'A secret kite' } })
    await asha.trpc.posts.update.mutate({ id, prompt: 'A red kite', name: 'A.' })
    expect(await read()).toMatchObject({ post: { id, prompt: 'A red kite', name: 'A.' } })
    await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
    await asha.trpc.posts.update.mutate({ id, visibility: 'public', hidePrompt: true })
    const { photo } = await asha.trpc.posts.get.query({ id })
    const data = await read()
    expect(data).toMatchObject({ post: { url: `${origin}/posts/${id}`, imageUrl: origin + photo } })
    expect(JSON.stringify(data)).not.toContain('kite')
  })

  test('is recorded in the audit log by its host', async () => {
    const { meera, webhook, receiver } = await createSiteWebhook()
    await meera.trpc.admin.webhooks.update.mutate({ id: webhook.id, events: ['post.hidden'] })
    await meera.trpc.admin.webhooks.rotateSecret.mutate({ id: webhook.id })
    await meera.trpc.admin.webhooks.delete.mutate({ id: webhook.id })
    const { entries } = await meera.trpc.admin.auditLog.query()
    const records = entries.flatMap((entry) => (entry.kind === 'admin' ? entry.record : []))
    expect(records.map(({ action }) => action)).toEqual([
      'delete_webhook',
      'rotate_webhook_secret',
      'change_webhook',
      'create_webhook',
    ])
    expect(records[0]?.details).toEqual({ host: `127.0.0.1:${receiver.port}` })
  })
})

test('users get only events of their own', async () => {
  const { server, receiver } = await createSite()
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  await subscribe(asha, receiver.url)
  await ravi.generate('A drum')
  await asha.generate('A lotus')
  await expect.poll(receiver.types).toEqual(['image.succeeded'])
  expect(receiver.requests[0]?.body).toContain(asha.id)
})

test('reused images, uploads and repeated posts are not reported', async () => {
  const { server, receiver } = await createSite({ engine: createInstantEngine({ isDeterministic: true }) })
  const asha = await server.signUp()
  await subscribe(asha, receiver.url)
  await asha.trpc.images.upload.mutate(new Blob([new Uint8Array(await plainJpeg('a photo'))]))
  const post = { name: 'Asha', prompt: 'A photo', photo: dataUrl(await plainJpeg('another photo')) }
  const { id } = await asha.trpc.posts.create.mutate(post)
  expect((await asha.trpc.posts.create.mutate(post)).id).toBe(id)
  const first = await asha.generate('A lotus')
  expect((await asha.generate('A lotus')).id).toBe(first.id)
  await expect.poll(receiver.types).toEqual(['post.created', 'image.succeeded'])
})

test('a test is delivered at once, and logged with the status of its response', async () => {
  const { server, receiver } = await createSite()
  receiver.respondWith((response) => response.writeHead(500).end('Sorry'))
  const asha = await server.signUp()
  const { id } = await subscribe(asha, receiver.url, ['post.hidden'])
  const { webhooks } = asha.trpc.account
  const sent = await webhooks.sendTest.mutate({ id })
  expect(sent).toMatchObject({ type: 'webhook.test', state: 'waiting', attempts: 0 })
  await expect.poll(receiver.types).toEqual(['webhook.test'])
  const newest = async () => (await webhooks.deliveries.query({ id })).deliveries[0]
  await expect.poll(async () => (await newest())?.state).toBe('failed')
  expect(await newest()).toMatchObject({ id: sent.id, attempts: 1, status: 500, failure: 'status' })
  expect(receiver.requests[0]?.headers['webhook-id']).toBe(sent.id)

  receiver.respondWith((response) => response.writeHead(202).end('Thanks'))
  expect(await webhooks.redeliver.mutate({ deliveryId: sent.id })).toMatchObject({ state: 'waiting' })
  await expect.poll(async () => (await newest())?.state).toBe('succeeded')
  expect(await newest()).toMatchObject({ attempts: 1, status: 202, failure: null, nextAttemptAt: null })
  expect(receiver.requests[1]?.headers['webhook-id']).toBe(sent.id)
  expect((await webhooks.list.query())[0]).toMatchObject({
    waiting: 0,
    failingSince: null,
    lastDelivery: { state: 'succeeded', status: 202 },
  })
})

test('a delivery that waits for its next attempt is sent on request, with its attempts counted', async () => {
  const { server, receiver } = await createSite()
  receiver.respondWith((response) => response.writeHead(500).end())
  const asha = await server.signUp()
  const { id } = await subscribe(asha, receiver.url)
  const { webhooks } = asha.trpc.account
  await asha.generate('A lotus')
  const newest = async () => (await webhooks.deliveries.query({ id })).deliveries[0]
  await expect.poll(async () => (await newest())?.failure).toBe('status')
  await server.services.db
    .updateTable('webhook_deliveries')
    .set({ due_at: Date.now() + 3_600_000 })
    .execute()

  receiver.respondWith((response) => response.writeHead(200).end())
  const deliveryId = (await newest())?.id ?? ''
  const [first, second] = await Promise.all([
    webhooks.redeliver.mutate({ deliveryId }),
    webhooks.redeliver.mutate({ deliveryId }),
  ])
  for (const { nextAttemptAt } of [first, second]) {
    expect(nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + 60_000).toBe(true)
  }
  await expect.poll(async () => (await newest())?.state).toBe('succeeded')
  expect(await newest()).toMatchObject({ attempts: 2, status: 200 })
  expect(receiver.requests).toHaveLength(2)
})

test('a replaced secret signs for a day, by the clock that dates the deliveries', async () => {
  const start = Date.now() + 3 * dayMs
  let time = start
  const { server, receiver } = await createSite({ now: () => time })
  const asha = await server.signUp()
  const { id, secret } = await subscribe(asha, receiver.url)
  const { webhooks } = asha.trpc.account
  const second = await webhooks.rotateSecret.mutate({ id })
  time += 0.5 * dayMs
  const third = await webhooks.rotateSecret.mutate({ id })
  const all = [third.secret, secret, second.secret]
  expect(new Set(all).size).toBe(3)
  expect(third.formerSecretUntil).toBe(new Date(time + dayMs).toISOString())

  for (const [at, signing] of [
    [start + 0.5 * dayMs, all],
    [start + 1.1 * dayMs, [third.secret, second.secret]],
    [start + 1.6 * dayMs, [third.secret]],
  ] as const) {
    time = at
    receiver.requests.length = 0
    const delivery = await webhooks.sendTest.mutate({ id })
    await expect.poll(() => receiver.requests.length).toBe(1)
    const [sent] = receiver.requests
    const date = new Date(time)
    const signatures = signing.map((one) => new Verifier(one).sign(delivery.id, date, sent?.body ?? ''))
    expect(sent?.headers).toMatchObject({
      'webhook-timestamp': String(Math.floor(time / 1_000)),
      'webhook-signature': signatures.join(' '),
    })
    expect([sent?.payload.timestamp, delivery.createdAt]).toEqual([date.toISOString(), date.toISOString()])
    await expect
      .poll(async () => (await webhooks.list.query())[0]?.lastDelivery)
      .toMatchObject({ state: 'succeeded', lastAttemptAt: date.toISOString() })
  }
  expect((await webhooks.list.query())[0]?.formerSecretUntil).toBeNull()
})

test('a disabled webhook gets nothing, and its deliveries end', async () => {
  const { server, receiver } = await createSite()
  receiver.respondWith((response) => response.writeHead(503).end())
  const asha = await server.signUp()
  const { id } = await subscribe(asha, receiver.url)
  const { webhooks } = asha.trpc.account
  await asha.generate('A lotus')
  await expect.poll(async () => (await webhooks.list.query())[0]?.failingSince).not.toBeNull()
  await webhooks.update.mutate({ id, isEnabled: false })
  const [{ deliveries }, [webhook]] = await Promise.all([
    webhooks.deliveries.query({ id }),
    webhooks.list.query(),
  ])
  expect(deliveries).toMatchObject([{ state: 'failed', status: 503, nextAttemptAt: null }])
  expect(webhook).toMatchObject({ isEnabled: false, disabledReason: null, waiting: 0 })
  await expect(webhooks.sendTest.mutate({ id })).rejects.toThrow('disabled')
  const [ended] = deliveries
  await expect(webhooks.redeliver.mutate({ deliveryId: ended?.id ?? '' })).rejects.toThrow('disabled')
  await asha.generate('A kite')
  expect((await webhooks.deliveries.query({ id })).deliveries).toHaveLength(1)
  expect(await webhooks.update.mutate({ id, isEnabled: true })).toMatchObject({
    isEnabled: true,
    failingSince: null,
  })
})

test('events are dropped while 1,000 deliveries wait, which the webhook shows and the log says once', async () => {
  const lines: string[] = []
  const { server, receiver } = await createSite({ logTo: { write: (line) => void lines.push(line) } })
  const { db } = server.services
  const asha = await server.signUp()
  const { id, droppedAt } = await subscribe(asha, receiver.url)
  expect(droppedAt).toBeNull()
  const later = Date.now() + 60 * 60_000
  await db
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: waitingDeliveriesMax }, (_, index) => ({
        id: `waiting-${index}`,
        webhook_id: id,
        user_id: asha.id,
        type: 'webhook.test' as const,
        data: '{}',
        created_at: later,
        due_at: later,
      })),
    )
    .execute()
  await asha.generate('A lotus')
  const [webhook] = await asha.trpc.account.webhooks.list.query()
  expect(webhook).toMatchObject({
    waiting: waitingDeliveriesMax,
    droppedAt: expect.stringMatching(/Z$/),
  })
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: 0 })
    .where('id', 'in', ['waiting-1', 'waiting-2'])
    .execute()
  await expect.poll(receiver.types).toEqual(['webhook.test', 'webhook.test'])
  const warnings = () => lines.filter((line) => line.includes('events of a webhook are dropped'))
  expect(warnings()).toHaveLength(1)

  // Room for one more ends nothing, half of the queue does.
  const droppedSince = async () => (await asha.trpc.account.webhooks.list.query())[0]?.droppedAt
  expect(await droppedSince()).toBe(webhook?.droppedAt)
  const fill = async (from: number, to: number, state: 'failed' | 'waiting') => {
    const ids = Array.from({ length: to - from }, (_, index) => `waiting-${from + index}`)
    await db.updateTable('webhook_deliveries').set({ state, due_at: later }).where('id', 'in', ids).execute()
  }
  const sendOne = async (index: number) => {
    const before = receiver.types().length
    await db
      .updateTable('webhook_deliveries')
      .set({ due_at: 0 })
      .where('id', '=', `waiting-${index}`)
      .execute()
    await expect.poll(() => receiver.types().length).toBe(before + 1)
  }
  await fill(500, waitingDeliveriesMax, 'failed')
  await sendOne(3)
  await expect.poll(droppedSince).toBeNull()

  await fill(1, waitingDeliveriesMax, 'waiting')
  await asha.generate('A kite')
  await asha.generate('A pond')
  await expect.poll(droppedSince).not.toBeNull()
  await sendOne(4)
  await expect.poll(warnings).toHaveLength(2)
})

test('the log of deliveries has pages', async () => {
  const { server, receiver } = await createSite()
  const asha = await server.signUp()
  const { id } = await subscribe(asha, receiver.url)
  const { webhooks } = asha.trpc.account
  const sent: string[] = []
  for (let index = 0; index < 5; index += 1) sent.unshift((await webhooks.sendTest.mutate({ id })).id)
  const first = await webhooks.deliveries.query({ id, limit: 3 })
  const second = await webhooks.deliveries.query({ id, limit: 3, cursor: first.nextCursor })
  expect([...first.deliveries, ...second.deliveries].map((delivery) => delivery.id)).toEqual(sent)
  expect(second.nextCursor).toBeNull()
  await expect(webhooks.deliveries.query({ id, cursor: 'nonsense' })).rejects.toThrow('cursor')
})

test('a user has at most ten webhooks, also with several requests at once', async () => {
  const { server } = await createSite()
  const asha = await server.signUp()
  const created = await Promise.allSettled(
    Array.from({ length: 12 }, () => subscribe(asha, 'http://127.0.0.1:65535/')),
  )
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await asha.trpc.account.webhooks.list.query()).toHaveLength(10)
  await expect(subscribe(asha, 'http://127.0.0.1:65535/')).rejects.toThrow('There are 10 webhooks already')
})

test('a blocked user’s webhooks get nothing', async () => {
  const { server, receiver } = await createSite()
  const meera = await signUpAdministrator(server)
  const asha = await server.signUp()
  const { id } = await subscribe(asha, receiver.url)
  const { id: imageId } = await asha.generate('A lotus')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId })
  await expect.poll(() => receiver.requests.length).toBe(2)
  await meera.trpc.admin.users.update.mutate({ id: asha.id, blocked: true })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  const rows = await server.services.db
    .selectFrom('webhook_deliveries')
    .select('type')
    .where('webhook_id', '=', id)
    .execute()
  expect(rows.map(({ type }) => type).toSorted()).toEqual(['image.succeeded', 'post.created'])
})

test('links are left out by a site that does not know its address', async () => {
  const { server, receiver } = await createSite({ env: { PUBLIC_URL: '' } })
  const asha = await server.signUp()
  await subscribe(asha, receiver.url)
  await asha.generate('A lotus')
  await expect.poll(() => receiver.requests.length).toBe(1)
  expect(receiver.requests[0]?.payload.data).toMatchObject({ image: { url: null } })
})

describe('a URL is refused', () => {
  const addresses: Readonly<Record<string, string>> = {
    'hooks.example.org': '1.1.1.1',
    'inside.example.org': '10.0.0.1',
  }
  const resolveHost = (hostname: string) => {
    const address = addresses[hostname]
    return address === undefined
      ? Promise.reject(
          Object.assign(new Error(), { code: hostname.startsWith('slow') ? 'ETIMEOUT' : 'ENOTFOUND' }),
        )
      : Promise.resolve([{ address, family: 4 }])
  }
  const server = shareTestServer({ resolveHost })
  let asha: TestUser
  beforeAll(async () => {
    asha = await server().signUp()
  })

  test.each([
    ['ftp://hooks.example.org/', 'must begin with https://'],
    ['//hooks.example.org/', 'must begin with https://'],
    ['https://asha:secret@hooks.example.org/', 'no user name or password'],
    [`https://hooks.example.org/${'x'.repeat(2_000)}`, 'at most 2,000 characters'],
    ['http://hooks.example.org/', 'must begin with https://'],
    ['https://nowhere.example.org/', 'The host nowhere.example.org is unknown.'],
    ['https://inside.example.org/', 'private'],
    ['https://127.0.0.1/', 'private'],
    ['https://2130706433/', 'private'],
    ['https://0x7f.1/', 'private'],
    ['https://[::1]/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    ['https://[fd00:ec2::254]/', 'private'],
    ['https://169.254.169.254/latest/meta-data/', 'private'],
  ])('%s', async (url, message) => {
    await expect(subscribe(asha, url)).rejects.toThrow(message)
    const { id } = await subscribe(asha, 'https://hooks.example.org/')
    await expect(asha.trpc.account.webhooks.update.mutate({ id, url })).rejects.toThrow(message)
    expect((await asha.trpc.account.webhooks.delete.mutate({ id })).id).toBe(id)
  })

  test('an address whose name cannot be resolved at the moment, with 503', async () => {
    const ravi = await server().signUp()
    const body = { url: 'https://slow.example.org/', events: ['post.created'] }
    const response = await server().postJson('/trpc/account.webhooks.create', body, ravi)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await response.json()).toMatchObject({
      error: {
        message: 'The host slow.example.org could not be looked up. Try again in a moment.',
        data: { reason: 'busy', detail: { code: 'webhook_host_unresolved' } },
      },
    })
  })

  test('for no event, or one that does not exist', async () => {
    const url = 'https://hooks.example.org/'
    await expect(subscribe(asha, url, [])).rejects.toThrow('one or more of')
    await expect(subscribe(asha, url, ['image.deleted' as WebhookEvent])).rejects.toThrow('one or more of')
    const { events } = await subscribe(asha, `${url}#part`, ['post.created', 'image.failed', 'post.created'])
    expect(events).toEqual(['image.failed', 'post.created'])
    expect((await asha.trpc.account.webhooks.list.query())[0]?.url).toBe(url)
  })
})

test('a webhook that is gone is disabled with a mail that links to where it is enabled again', async () => {
  const mail = await startTestMailServer()
  const { server, receiver, origin } = await createSite({ env: mail.env })
  receiver.respondWith((response) => response.writeHead(410).end())
  const account = await makeAccount(server)
  await mail.discardMail(account.email)
  const { id } = await subscribe(account, receiver.url)
  await account.trpc.account.webhooks.sendTest.mutate({ id })
  const { subject, text, url } = await mail.waitForMail(account.email)
  expect(subject).toBe('A webhook was disabled')
  expect(text).toContain(`Your webhook at 127.0.0.1:${receiver.port} was disabled.`)
  expect(text).not.toContain('/hook')
  expect(url).toBe(`${origin}/account`)
  expect(await account.trpc.account.webhooks.list.query()).toMatchObject([
    { isEnabled: false, disabledReason: 'gone' },
  ])
})

test('a webhook of the site that is deleted while users generate fails no image', async () => {
  const { server, receiver } = await createSite({ env: { DAILY_IMAGE_LIMIT: '100' } })
  const meera = await signUpAdministrator(server)
  const users = [await server.signUp(), await server.signUp(), await server.signUp()]
  const { webhooks } = meera.trpc.admin
  const replace = async () => {
    for (let index = 0; index < 20; index += 1) {
      const { id } = await webhooks.create.mutate({ url: receiver.url, events: ['image.succeeded'] })
      await webhooks.delete.mutate({ id })
    }
  }
  const generate = async (user: TestUser) => {
    for (let index = 0; index < 8; index += 1) await user.generate(`Lotus ${index}`)
  }
  await Promise.all([replace(), ...users.map(generate)])
  for (const user of users) {
    const { images } = await user.trpc.images.list.query()
    expect(images.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'succeeded'))
  }
})

test('webhooks may have the ports 443 and from 1024, and 80 at allowed addresses only', async () => {
  const addresses = new WebhookAddresses({
    allowed: [parseAddressRange('127.0.0.1') ?? expect.unreachable()],
    publicOrigin: null,
  })
  for (const url of ['https://1.1.1.1', 'https://1.1.1.1:1024', 'http://127.0.0.1', 'http://127.0.0.1:65535'])
    await addresses.pin(new URL(url))
  for (const url of [
    'https://1.1.1.1:25',
    'https://1.1.1.1:80',
    'http://127.0.0.1:25',
    'https://127.0.0.1:1023',
  ])
    await expect(addresses.pin(new URL(url))).rejects.toThrow(AddressError)
})
