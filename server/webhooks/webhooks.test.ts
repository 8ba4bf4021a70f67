import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createInstantEngine, plainJpeg, uploadJpeg } from '../../test/support/engine.ts'
import { createScriptedEngine } from '../../test/support/generations.ts'
import { makeAccount } from '../../test/support/accounts.ts'
import { startTestMailServer } from '../../test/support/mail.ts'
import { dataUrl } from '../../test/support/images.ts'
import { findFreePorts } from '../../test/support/ports.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import {
  allowLoopback,
  startWebhookReceiver,
  type ReceivedRequest,
} from '../../test/support/webhook-receiver.ts'
import { AppError } from '../errors/app-error.ts'
import { waitingDeliveriesMax, webhookEvents, type WebhookEvent } from '../../shared/webhooks.ts'

const dayMs = 24 * 60 * 60 * 1_000
const closedUrl = 'http://127.0.0.1:65535/'

/** Environment of a site that knows its address. */
async function namedEnv() {
  const port = await findFreePorts(1)
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  return { ...allowLoopback, PORT: String(port), PUBLIC_URL, DAILY_IMAGE_LIMIT: '100' }
}

const env = await namedEnv()

const server = shareTestServer({ env, engine: createInstantEngine({ isDeterministic: true }) })
let meera: TestUser
beforeAll(async () => {
  meera = await signUpAdministrator(server())
})

const signUp = (to = server()) => to.signUp()

/** Creates a webhook of a user. */
function subscribe(user: TestUser, url: string, events: readonly WebhookEvent[] = webhookEvents) {
  return user.trpc.account.webhooks.create.mutate({ url, events: [...events] })
}

/** A user with a webhook at a receiver. */
async function createSubscriber(to?: TestServer, events: readonly WebhookEvent[] = webhookEvents) {
  const receiver = await startWebhookReceiver()
  const asha = await signUp(to)
  const webhook = await subscribe(asha, receiver.url, events)
  const { webhooks } = asha.trpc.account
  const newest = async () => (await webhooks.deliveries.query({ id: webhook.id })).deliveries[0]
  const read = async () => (await webhooks.list.query())[0]
  return { asha, receiver, webhook, id: webhook.id, webhooks, newest, read }
}

async function share({ trpc, generate }: TestUser, prompt: string, options: object = {}) {
  const image = await generate(`An image of ${prompt}`)
  return trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id, ...options })
}

function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>)
}

test('an image and its post are reported, signed, with links', async () => {
  const { asha, receiver, webhooks, webhook: created } = await createSubscriber()
  const { secret, ...webhook } = created
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await webhooks.list.query()).toEqual([webhook])

  const image = await asha.generate('A lotus')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
  await expect.poll(receiver.types).toEqual(['image.succeeded', 'post.created'])
  const [generated, shared] = receiver.requests
  if (!generated || !shared) throw new Error('Nothing was received.')
  expect(generated).toMatchObject({
    method: 'POST',
    path: '/hook',
    headers: { 'content-type': 'application/json', 'user-agent': 'Rangoli' },
  })
  expect(generated.headers).not.toHaveProperty('authorization')
  const { id, engine, model, width, height, createdAt } = image
  expect(verify(secret, generated)).toEqual({
    type: 'image.succeeded',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      userId: asha.id,
      image: {
        id,
        engine,
        model,
        width,
        height,
        createdAt,
        prompt: 'A lotus',
        url: expect.stringMatching(`^${env.PUBLIC_URL}/v1/images/${id}.jpeg[?]expires=`),
        finishedAt: expect.stringMatching(/Z$/),
      },
    },
  })
  expect(verify(secret, shared)).toMatchObject({
    type: 'post.created',
    data: {
      post: {
        id: post.id,
        imageId: id,
        authorId: asha.id,
        visibility: 'public',
        name: 'Asha',
        prompt: 'A lotus',
        isSensitive: false,
        url: `${env.PUBLIC_URL}/posts/${post.id}`,
        imageUrl: env.PUBLIC_URL + post.photo,
      },
    },
  })
  expect(() => verify('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', shared)).toThrow('No matching')
})

test('a failed generation is reported with its reason, without links if the site does not know its address', async () => {
  const { engine, waitForJob } = createScriptedEngine()
  const unnamed = await startTestServer({ env: allowLoopback, engine })
  const { asha, receiver } = await createSubscriber(unnamed)
  const failed = asha.generate('A lotus')
  ;(await waitForJob('A lotus')).fail(new AppError('engine_failed'))
  await expect(failed).rejects.toThrow()
  const finished = asha.generate('A kite')
  await (await waitForJob('A kite')).finish()
  await finished
  await expect.poll(receiver.types).toEqual(['image.failed', 'image.succeeded'])
  expect(receiver.requests.map(({ payload }) => payload.data)).toMatchObject([
    { userId: asha.id, image: { prompt: 'A lotus', failure: 'engine_failed' } },
    { image: { url: null } },
  ])
})

test('users get events of their own only, and none of reused images, uploads and repeated posts', async () => {
  const { asha, receiver } = await createSubscriber()
  await (await signUp()).generate('A drum')
  await uploadJpeg(asha, 'a photo')
  const post = { name: 'Asha', prompt: 'A photo', photo: dataUrl(await plainJpeg('another photo')) }
  const { id } = await asha.trpc.posts.create.mutate(post)
  expect((await asha.trpc.posts.create.mutate(post)).id).toBe(id)
  const first = await asha.generate('A lotus')
  expect((await asha.generate('A lotus')).id).toBe(first.id)
  await expect.poll(receiver.types).toEqual(['post.created', 'image.succeeded'])
})

describe('a webhook of the site', () => {
  async function createSiteWebhook(events: readonly WebhookEvent[] = webhookEvents) {
    const receiver = await startWebhookReceiver()
    const { webhooks } = meera.trpc.admin
    const webhook = await webhooks.create.mutate({ url: receiver.url, events: [...events] })
    onTestFinished(async () => {
      await server().services.db.deleteFrom('webhooks').where('id', '=', webhook.id).execute()
    })
    /** The data of the reported post. */
    async function read() {
      const { deliveries } = await webhooks.deliveries.query({ id: webhook.id })
      return deliveries.find(({ type }) => type === 'post.created')?.payload.data
    }
    return { receiver, webhooks, webhook, read, asha: await signUp() }
  }

  test('reports images of all users without prompts and links, and of posts what their authors show', async () => {
    const { receiver, asha, webhook } = await createSiteWebhook()
    const image = await asha.generate('A lotus')
    await expect.poll(receiver.types).toEqual(['image.succeeded'])
    const [request] = receiver.requests
    const data = { userId: asha.id, image: { id: image.id } }
    expect(request && verify(webhook.secret, request)).toMatchObject({ data })
    expect(request?.body).not.toMatch(/lotus|url|uploads/)
    const visibilities = ['unlisted', 'private'] as const
    for (const options of [{}, { hidePrompt: true }, ...visibilities.map((visibility) => ({ visibility }))]) {
      const prompt = `A lotus ${JSON.stringify(options)}`
      await asha.trpc.posts.create.mutate({ name: 'Asha', imageId: image.id, prompt, ...options })
    }
    await expect.poll(() => receiver.requests.length).toBe(5)
    const [shown, hidden, unlisted, own] = receiver.requests.slice(1)
    expect(shown?.body).toContain('A lotus')
    expect(hidden?.payload.data).toMatchObject({ post: { url: expect.stringContaining(env.PUBLIC_URL) } })
    for (const one of [hidden, unlisted, own]) expect(one?.body).not.toContain('lotus')
    for (const one of [unlisted, own]) expect(one?.body).not.toMatch(/url|uploads|Asha/i)
  })

  test('says what a public post shows now, and nothing of one that is not public any more', async () => {
    const { receiver, asha, read } = await createSiteWebhook()
    receiver.respondWith((response) => response.writeHead(500).end())
    const { id, photo } = await share(asha, 'A secret kite')
    const update = (changes: object) => asha.trpc.posts.update.mutate({ id, ...changes })
    expect(await read()).toMatchObject({ post: { id, prompt: 'A secret kite' } })
    await update({ prompt: 'A red kite', name: 'A.' })
    expect(await read()).toMatchObject({ post: { id, prompt: 'A red kite', name: 'A.' } })
    await update({ visibility: 'private' })
    expect(Object.keys((await read()) ?? {})).toEqual(['post'])
    expect(JSON.stringify(await read())).not.toMatch(/kite|url|"name"/i)
    await update({ visibility: 'public', hidePrompt: true })
    expect(await read()).toMatchObject({
      post: { url: `${env.PUBLIC_URL}/posts/${id}`, imageUrl: env.PUBLIC_URL + photo },
    })
    expect(JSON.stringify(await read())).not.toContain('kite')
  })

  test('reports hidden posts without their content, and their authors get the note', async () => {
    const { receiver: site, asha } = await createSiteWebhook(['post.hidden'])
    const receiver = await startWebhookReceiver()
    await subscribe(asha, receiver.url, ['post.hidden'])
    const { id: imageId } = await asha.generate('A lotus')
    const create = (prompt: string) => asha.trpc.posts.create.mutate({ name: 'Asha', imageId, prompt })
    const posts = [await create('A lotus'), await create('Another lotus')]
    await meera.trpc.moderation.hide.mutate({ id: posts[0]?.id ?? '', note: 'Not a lotus' })
    for (const one of [receiver, site]) await expect.poll(() => one.requests.length).toBe(2)
    expect(receiver.requests.map(({ payload }) => payload.data)).toMatchObject(
      posts.map(({ id, prompt }) => ({ note: 'Not a lotus', post: { id, prompt, authorId: asha.id } })),
    )
    const bodies = site.requests.map(({ body }) => body).join()
    expect(bodies).toContain(posts[0]?.id)
    expect(bodies).not.toMatch(/lotus|note|url/i)
  })

  test('is recorded in the audit log by its host', async () => {
    const { webhooks, webhook, receiver } = await createSiteWebhook()
    const { id } = webhook
    await webhooks.update.mutate({ id, events: ['post.hidden'] })
    await webhooks.rotateSecret.mutate({ id })
    await webhooks.delete.mutate({ id })
    const { entries } = await meera.trpc.admin.auditLog.query({ kind: 'site', limit: 4 })
    const records = entries.flatMap((entry) => (entry.kind === 'admin' ? entry.record : []))
    const actions = ['delete_webhook', 'rotate_webhook_secret', 'change_webhook', 'create_webhook']
    expect(records.map(({ action }) => action)).toEqual(actions)
    expect(records[0]?.details).toEqual({ host: `127.0.0.1:${receiver.port}` })
  })

  test('that is deleted while users generate fails no image', async () => {
    const users = [await signUp(), await signUp()]
    const { webhooks } = meera.trpc.admin
    const replace = async () => {
      for (let index = 0; index < 8; index += 1) {
        const { id } = await webhooks.create.mutate({ url: closedUrl, events: ['image.succeeded'] })
        await webhooks.delete.mutate({ id })
      }
    }
    const generate = async (user: TestUser) => {
      for (let index = 0; index < 3; index += 1) await user.generate(`Lotus ${index}`)
    }
    await Promise.all([replace(), ...users.map(generate)])
    for (const user of users) {
      const { images } = await user.trpc.images.list.query()
      expect(images.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
    }
  })
})

test('a test is delivered at once, logged with the status of its response, and again on request', async () => {
  const { receiver, id, webhooks, newest, read } = await createSubscriber(server(), ['post.hidden'])
  receiver.respondWith((response) => response.writeHead(500).end('Sorry'))
  const sent = await webhooks.sendTest.mutate({ id })
  expect(sent).toMatchObject({ type: 'webhook.test', state: 'waiting', attempts: 0 })
  await expect.poll(async () => (await newest())?.state).toBe('failed')
  expect(await newest()).toMatchObject({ id: sent.id, attempts: 1, status: 500, failure: 'status' })

  receiver.respondWith((response) => response.writeHead(202).end('Thanks'))
  expect(await webhooks.redeliver.mutate({ deliveryId: sent.id })).toMatchObject({ state: 'waiting' })
  await expect.poll(async () => (await newest())?.state).toBe('succeeded')
  expect(await newest()).toMatchObject({ attempts: 1, status: 202, failure: null, nextAttemptAt: null })
  expect([receiver.types()[0], receiver.ids()]).toEqual(['webhook.test', [sent.id, sent.id]])
  expect(await read()).toMatchObject({
    waiting: 0,
    failingSince: null,
    lastDelivery: { state: 'succeeded', status: 202 },
  })
})

test('a delivery that waits for its next attempt is sent on request, with its attempts counted', async () => {
  const { asha, receiver, id, webhooks, newest } = await createSubscriber()
  receiver.respondWith((response) => response.writeHead(500).end())
  await asha.generate('A lotus')
  await expect.poll(async () => (await newest())?.failure).toBe('status')
  const later = { due_at: Date.now() + 3_600_000 }
  const { db } = server().services
  await db.updateTable('webhook_deliveries').set(later).where('webhook_id', '=', id).execute()

  receiver.respondWith((response) => response.writeHead(200).end())
  const deliveryId = (await newest())?.id ?? ''
  const redeliver = () => webhooks.redeliver.mutate({ deliveryId })
  for (const { nextAttemptAt } of await Promise.all([redeliver(), redeliver()]))
    expect(nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + 60_000).toBe(true)
  await expect.poll(async () => (await newest())?.state).toBe('succeeded')
  expect(await newest()).toMatchObject({ attempts: 2, status: 200 })
  expect(receiver.requests).toHaveLength(2)
})

test('a replaced secret signs for a day, by the clock that dates the deliveries', async () => {
  const start = Date.now() + 3 * dayMs
  let time = start
  const own = await startTestServer({ env: allowLoopback, now: () => time })
  const { receiver, id, webhook, webhooks, read } = await createSubscriber(own)
  const second = await webhooks.rotateSecret.mutate({ id })
  time += 0.5 * dayMs
  const third = await webhooks.rotateSecret.mutate({ id })
  const all = [third.secret, webhook.secret, second.secret]
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
    const last = { state: 'succeeded', lastAttemptAt: date.toISOString() }
    await expect.poll(async () => (await read())?.lastDelivery).toMatchObject(last)
  }
  expect((await read())?.formerSecretUntil).toBeNull()
})

test('a disabled webhook gets nothing, and its deliveries end', async () => {
  const { asha, receiver, id, webhooks, newest, read } = await createSubscriber()
  receiver.respondWith((response) => response.writeHead(503).end())
  await asha.generate('A lotus')
  await expect.poll(async () => (await read())?.failingSince).not.toBeNull()
  await webhooks.update.mutate({ id, isEnabled: false })
  const ended = await newest()
  expect(ended).toMatchObject({ state: 'failed', status: 503, nextAttemptAt: null })
  expect(await read()).toMatchObject({ isEnabled: false, disabledReason: null, waiting: 0 })
  await expect(webhooks.sendTest.mutate({ id })).rejects.toThrow('disabled')
  await expect(webhooks.redeliver.mutate({ deliveryId: ended?.id ?? '' })).rejects.toThrow('disabled')
  await asha.generate('A kite')
  expect((await newest())?.id).toBe(ended?.id)
  const enabled = await webhooks.update.mutate({ id, isEnabled: true })
  expect(enabled).toMatchObject({ isEnabled: true, failingSince: null })
})

test('events are dropped while 1,000 deliveries wait, which the webhook shows and the log says once', async () => {
  const own = await startTestServer({ env: allowLoopback })
  const { asha, receiver, id, webhook, read } = await createSubscriber(own)
  expect(webhook.droppedAt).toBeNull()
  const later = Date.now() + 60 * 60_000
  const ids = Array.from({ length: waitingDeliveriesMax }, (_, index) => `waiting-${index}`)
  const waiting = ids.map((one) => ({
    id: one,
    webhook_id: id,
    user_id: asha.id,
    type: 'webhook.test' as const,
    data: '{}',
    created_at: later,
    due_at: later,
  }))
  await own.services.db.insertInto('webhook_deliveries').values(waiting).execute()
  const change = (from: number, to: number, values: { state?: 'failed' | 'waiting'; due_at: number }) =>
    own.services.db
      .updateTable('webhook_deliveries')
      .set(values)
      .where('id', 'in', ids.slice(from, to))
      .execute()
  const droppedSince = async () => (await read())?.droppedAt
  const warnings = () => own.lines.filter((line) => line.includes('events of a webhook are dropped'))

  await asha.generate('A lotus')
  expect(await read()).toMatchObject({ waiting: waitingDeliveriesMax, droppedAt: expect.any(String) })
  const droppedAt = await droppedSince()
  await change(1, 3, { due_at: 0 })
  await expect.poll(receiver.types).toEqual(['webhook.test', 'webhook.test'])
  expect(warnings()).toHaveLength(1)
  // Room for one more ends nothing, half of the queue does.
  expect(await droppedSince()).toBe(droppedAt)
  await change(500, waitingDeliveriesMax, { state: 'failed', due_at: later })
  await change(3, 4, { due_at: 0 })
  await expect.poll(droppedSince).toBeNull()

  await change(1, waitingDeliveriesMax, { state: 'waiting', due_at: later })
  await asha.generate('A kite')
  await asha.generate('A pond')
  await expect.poll(droppedSince).not.toBeNull()
  await change(4, 5, { due_at: 0 })
  await expect.poll(warnings).toHaveLength(2)
})

test('the log of deliveries has pages', async () => {
  const { id, webhooks } = await createSubscriber()
  const sent: string[] = []
  for (let index = 0; index < 5; index += 1) sent.unshift((await webhooks.sendTest.mutate({ id })).id)
  const first = await webhooks.deliveries.query({ id, limit: 3 })
  const second = await webhooks.deliveries.query({ id, limit: 3, cursor: first.nextCursor })
  expect([...first.deliveries, ...second.deliveries].map((delivery) => delivery.id)).toEqual(sent)
  expect(second.nextCursor).toBeNull()
  await expect(webhooks.deliveries.query({ id, cursor: 'nonsense' })).rejects.toThrow('cursor')
})

test('a user has at most ten webhooks, also with several requests at once', async () => {
  const asha = await signUp()
  const created = await Promise.allSettled(Array.from({ length: 12 }, () => subscribe(asha, closedUrl)))
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await asha.trpc.account.webhooks.list.query()).toHaveLength(10)
  await expect(subscribe(asha, closedUrl)).rejects.toThrow('There are 10 webhooks already')
})

test('a blocked user’s webhooks get nothing', async () => {
  const { asha, receiver, id } = await createSubscriber()
  const post = await share(asha, 'A lotus to hide')
  await expect.poll(() => receiver.requests.length).toBe(2)
  await meera.trpc.admin.users.update.mutate({ id: asha.id, blocked: true })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  const deliveries = server().services.db.selectFrom('webhook_deliveries').select('type')
  const rows = await deliveries.where('webhook_id', '=', id).execute()
  expect(rows.map(({ type }) => type).toSorted()).toEqual(['image.succeeded', 'post.created'])
})

describe('a URL is refused', () => {
  const addresses: Readonly<Record<string, string>> = {
    'hooks.example.org': '1.1.1.1',
    'inside.example.org': '10.0.0.1',
  }
  const resolveHost = (hostname: string) => {
    const address = addresses[hostname]
    if (address !== undefined) return Promise.resolve([{ address, family: 4 }])
    const code = hostname.startsWith('slow') ? 'ETIMEOUT' : 'ENOTFOUND'
    return Promise.reject(Object.assign(new Error(), { code }))
  }
  const strict = shareTestServer({ resolveHost })
  const url = 'https://hooks.example.org/'
  let asha: TestUser
  let id: string
  beforeAll(async () => {
    asha = await signUp(strict())
    id = (await subscribe(asha, url)).id
  })

  test.each([
    ['//hooks.example.org/', 'must begin with https://'],
    ['http://hooks.example.org/', 'must begin with https://'],
    ['https://asha:secret@hooks.example.org/', 'no user name or password'],
    [`https://hooks.example.org/${'x'.repeat(2_000)}`, 'at most 2,000 characters'],
    ['https://nowhere.example.org/', 'The host nowhere.example.org is unknown.'],
    ['https://inside.example.org/', 'private'],
  ])('%s', async (refused, message) => {
    await expect(subscribe(asha, refused)).rejects.toThrow(message)
    const update = asha.trpc.account.webhooks.update.mutate({ id, url: refused })
    await expect(update).rejects.toThrow(message)
  })

  test('whose name cannot be resolved at the moment, with 503', async () => {
    const body = { url: 'https://slow.example.org/', events: ['post.created'] }
    const response = await strict().postJson('/trpc/account.webhooks.create', body, asha)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await response.json()).toMatchObject({
      error: {
        message: 'The host slow.example.org could not be looked up. Try again in a moment.',
        data: { reason: 'busy', detail: { code: 'webhook_host_unresolved' } },
      },
    })
  })

  test('for no event, or one that does not exist', async () => {
    for (const events of [[], ['image.deleted' as WebhookEvent]])
      await expect(subscribe(asha, url, events)).rejects.toThrow('one or more of')
    const webhook = await subscribe(asha, `${url}#part`, ['post.created', 'image.failed', 'post.created'])
    expect(webhook).toMatchObject({ url, events: ['image.failed', 'post.created'] })
  })
})

test('a webhook that is gone is disabled with a mail that links to where it is enabled again', async () => {
  const mail = await startTestMailServer()
  const ownEnv = await namedEnv()
  const own = await startTestServer({ env: { ...mail.env, ...ownEnv } })
  const receiver = await startWebhookReceiver((response) => response.writeHead(410).end())
  const account = await makeAccount(own)
  await mail.discardMail(account.email)
  const { id } = await subscribe(account, receiver.url)
  await account.trpc.account.webhooks.sendTest.mutate({ id })
  const { subject, text, url } = await mail.waitForMail(account.email)
  expect(subject).toBe('A webhook was disabled')
  expect(text).toContain(`Your webhook at 127.0.0.1:${receiver.port} was disabled.`)
  expect(text).not.toContain('/hook')
  expect(url).toBe(`${ownEnv.PUBLIC_URL}/account`)
  const [webhook] = await account.trpc.account.webhooks.list.query()
  expect(webhook).toMatchObject({ isEnabled: false, disabledReason: 'gone' })
})
