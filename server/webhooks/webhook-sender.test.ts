import type { LookupAddress } from 'node:dns'
import type { ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/databases.ts'
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts'
import { ImageLinks } from '../images/image-links.ts'
import { parseAddressRange } from '../network/addresses.ts'
import { openLog } from '../observability/log.ts'
import { setRole } from '../access/user-access.ts'
import { claimDelivery, pruneDeliveries } from './delivery-queue.ts'
import { createPinUrl } from '../network/pin-url.ts'
import { insertDelivery } from './webhook-events.ts'
import { createWebhookSender } from './webhook-sender.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

interface SiteOptions {
  /** Addresses that webhooks may have. */
  readonly allowed?: readonly string[]
  /** Addresses of each lookup of a name, or the code of its error; the last one for all others. */
  readonly resolved?: readonly (readonly string[] | string)[]
  readonly sendTimeoutMs?: number
  readonly sendsMail?: boolean
}

/** Opens connections to one database: PostgreSQL where the tests use it, otherwise a SQLite file. */
async function createSite({
  allowed = ['127.0.0.1'],
  resolved = [[]],
  sendTimeoutMs,
  sendsMail = false,
}: SiteOptions = {}) {
  const { open } = await createTestDatabase()
  const lines: string[] = []
  const outcomes: string[] = []
  const lookups: string[] = []

  const db = await open()

  function resolve(hostname: string): Promise<LookupAddress[]> {
    const addresses = resolved[Math.min(lookups.length, resolved.length - 1)] ?? []
    lookups.push(hostname)
    if (typeof addresses === 'string') {
      return Promise.reject(Object.assign(new Error(addresses), { code: addresses }))
    }
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  }

  /** Starts a process that sends deliveries. */
  async function start() {
    const sender = createWebhookSender({
      db: await open(),
      log: openLog('debug', { write: (line) => void lines.push(line) }),
      pinUrl: createPinUrl({
        allowed: allowed.map(parseAddressRange).filter((range) => range !== null),
        publicOrigin: null,
        resolve,
      }),
      publicOrigin: null,
      now: Date.now,
      imageLinks: new ImageLinks('a secret', Date.now),
      sendsMail,
      ...(sendTimeoutMs !== undefined && { sendTimeoutMs }),
      onAttempt: (outcome) => outcomes.push(outcome),
    })
    sender.start(50)
    onTestFinished(() => sender.stop(0))
    return sender
  }

  let webhooks = 0
  /** Adds a webhook. */
  async function add(url: string, userId = 'asha'): Promise<string> {
    webhooks += 1
    const id = `webhook-${webhooks}`
    const secret = `whsec_${Buffer.from('the key of the signatures').toString('base64')}`
    await db
      .insertInto('webhooks')
      .values({ id, user_id: userId, url, events: '["post.hidden"]', secret, created_at: Date.now() })
      .execute()
    return id
  }

  /** Queues a delivery. */
  const queue = (webhookId: string) =>
    insertDelivery(db, {
      webhookId,
      userId: 'asha',
      type: 'post.hidden',
      createdAt: Date.now(),
      data: {
        note: '',
        post: { id: 'p', imageId: 'i', authorId: 'asha', visibility: 'public', createdAt: '' },
      },
    })

  const rows = () => db.selectFrom('webhook_deliveries').selectAll().orderBy('seq').execute()
  const states = async () => (await rows()).map(({ state }) => state)
  const webhook = (id: string) =>
    db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const makeAllDue = async () => {
    await db.updateTable('webhook_deliveries').set({ due_at: 0 }).execute()
    await db.updateTable('webhooks').set({ busy_until: 0 }).execute()
  }
  return { db, start, add, queue, rows, states, webhook, makeAllDue, lines, outcomes, lookups }
}

const claimAny = { now: 0, leaseMs: minuteMs, excludedOwners: [], excludesFailing: false }

test('several processes send each delivery once, one at a time to each webhook', async () => {
  const open = new Map<string, number>()
  let most = 0
  const receiver = await startWebhookReceiver((response, { path }) => {
    const others = open.get(path) ?? 0
    open.set(path, others + 1)
    most = Math.max(most, others + 1)
    setImmediate(() => {
      open.set(path, (open.get(path) ?? 0) - 1)
      response.writeHead(200).end()
    })
  })
  const { start, add, queue, states } = await createSite()
  const webhooks: string[] = []
  for (const user of ['asha', 'ravi', 'meera']) webhooks.push(await add(`${receiver.url}/${user}`, user))
  const ids: string[] = []
  for (let index = 0; index < 30; index += 1) ids.push((await queue(webhooks[index % 3] ?? '')).id)
  await Promise.all([start(), start(), start()])
  await expect.poll(states).toEqual(ids.map(() => 'succeeded'))
  expect(receiver.ids().toSorted()).toEqual(ids.toSorted())
  expect(most).toBe(1)
})

test('a delivery whose process was killed is sent by the next one when its lease has expired', async () => {
  const receiver = await startWebhookReceiver()
  const { db, start, add, queue, states, makeAllDue } = await createSite()
  const delivery = await queue(await add(receiver.url))
  expect((await claimDelivery(db, claimAny))?.delivery.attempts).toBe(1)
  expect(await claimDelivery(db, claimAny)).toBeNull()
  await start()
  // Claimed by a process that seems to be alive.
  const other = await queue(await add(receiver.url))
  await expect.poll(states).toEqual(['waiting', 'succeeded'])
  await makeAllDue()
  await expect.poll(states).toEqual(['succeeded', 'succeeded'])
  expect(receiver.ids()).toEqual([other.id, delivery.id])
})

test('slow endpoints of a user take two connections, and delay no others', async () => {
  const slow = await startWebhookReceiver(() => {})
  const fast = await startWebhookReceiver()
  const { start, add, queue } = await createSite()
  for (let index = 0; index < 10; index += 1) await queue(await add(slow.url))
  await start()
  await expect.poll(() => slow.requests.length).toBe(2)
  await queue(await add(fast.url, 'ravi'))
  await expect.poll(() => fast.requests.length).toBe(1)
  expect(slow.requests).toHaveLength(2)
})

test('a failing endpoint is tried again later by the same id', async () => {
  const receiver = await startWebhookReceiver((response) => response.writeHead(500).end())
  const { start, add, queue, rows, makeAllDue, webhook } = await createSite()
  const id = await add(receiver.url)
  const { id: deliveryId } = await queue(id)
  await start()
  const attempts = async () => (await rows()).map((row) => [row.state, row.attempts, row.status])
  await expect.poll(attempts).toEqual([['waiting', 1, 500]])
  const [first] = await rows()
  const pause = (first?.due_at ?? 0) - (first?.attempted_at ?? 0)
  expect(pause).toBeGreaterThanOrEqual(5_000)
  expect(pause).toBeLessThan(10_000)
  expect((await webhook(id)).failing_since).not.toBeNull()
  await makeAllDue()
  await expect.poll(async () => [(await rows())[0]?.attempts, (await webhook(id)).busy_until]).toEqual([2, 0])
  receiver.respondWith((response) => response.writeHead(204).end())
  await makeAllDue()
  await expect.poll(attempts).toEqual([['succeeded', 3, 204]])
  expect((await webhook(id)).failing_since).toBeNull()
  expect(receiver.ids()).toEqual([deliveryId, deliveryId, deliveryId])
})

test('a delivery fails after ten attempts', async () => {
  const receiver = await startWebhookReceiver((response) => response.writeHead(500).end())
  const { db, start, add, queue, rows } = await createSite()
  await queue(await add(receiver.url))
  await db.updateTable('webhook_deliveries').set({ attempts: 8 }).execute()
  await start()
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(9)
  await expect.poll(async () => (await rows())[0]?.status).toBe(500)
  const [row] = await rows()
  expect(row?.state).toBe('waiting')
  expect((row?.due_at ?? 0) - Date.now()).toBeGreaterThan(0.99 * dayMs)
  await db.updateTable('webhook_deliveries').set({ due_at: 0 }).execute()
  await expect.poll(async () => (await rows())[0]?.state).toBe('failed')
  expect(receiver.requests).toHaveLength(2)
})

test('an endpoint that asks for a pause gets no request in it', async () => {
  const receiver = await startWebhookReceiver((response) =>
    response.writeHead(429, { 'retry-after': '60' }).end(),
  )
  const { db, start, add, queue, rows, states, makeAllDue } = await createSite()
  const paused = await add(receiver.url)
  await queue(paused)
  await queue(paused)
  await start()
  await expect.poll(async () => (await rows()).map(({ status }) => status)).toEqual([429, null])
  const [first] = await rows()
  expect((first?.due_at ?? 0) - Date.now()).toBeGreaterThan(50_000)
  // Later than the second would have been sent to without a pause.
  const other = await startWebhookReceiver()
  await queue(await add(other.url))
  await expect.poll(states).toEqual(['waiting', 'waiting', 'succeeded'])
  expect(receiver.requests).toHaveLength(1)
  receiver.respondWith((response) => response.writeHead(204).end())
  await makeAllDue()
  await expect.poll(states).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(await claimDelivery(db, claimAny)).toBeNull()
})

test('a webhook that is gone is disabled, with a mail to its owner or the administrators', async () => {
  const receiver = await startWebhookReceiver((response) => response.writeHead(410).end())
  const { db, start, add, queue, rows, states, webhook, lines } = await createSite({ sendsMail: true })
  await setRole(db, 'meera', 'administrator')
  await setRole(db, 'ravi', 'moderator')
  const [own, site] = [await add(receiver.url), await add(receiver.url)]
  await db.updateTable('webhooks').set({ user_id: null }).where('id', '=', site).execute()
  for (const id of [own, own, site]) await queue(id)
  await start()
  await expect.poll(states).toEqual(['failed', 'failed', 'failed'])
  expect(await webhook(own)).toMatchObject({ enabled: 0, disabled_reason: 'gone' })
  expect((await rows()).map(({ failure }) => failure)).toEqual(['status', 'disabled', 'status'])
  expect(receiver.requests).toHaveLength(2)
  expect(lines.join('')).toContain('a webhook was disabled')
  expect(lines.join('')).not.toContain(receiver.url)
  const mails = await db.selectFrom('mails').select(['user_id', 'message']).orderBy('user_id').execute()
  const message = { kind: 'webhook-disabled', host: `127.0.0.1:${receiver.port}`, reason: 'gone' }
  expect(mails.map((mail) => [mail.user_id, JSON.parse(mail.message) as unknown])).toEqual([
    ['asha', { ...message, isOfSite: false }],
    ['meera', { ...message, isOfSite: true }],
  ])
})

test('a webhook is disabled when every attempt of three days has failed', async () => {
  const receiver = await startWebhookReceiver((response) => response.writeHead(503).end())
  const { db, start, add, queue, states, webhook } = await createSite()
  const [recent, failing] = [await add(receiver.url), await add(receiver.url)]
  for (const [id, days] of [
    [recent, 2.9],
    [failing, 3.1],
  ] as const) {
    const since = { failing_since: Date.now() - days * dayMs }
    await db.updateTable('webhooks').set(since).where('id', '=', id).execute()
    await queue(id)
  }
  await start()
  await expect.poll(states).toEqual(['waiting', 'failed'])
  await expect.poll(() => receiver.requests.length).toBe(2)
  expect((await webhook(recent)).enabled).toBe(1)
  expect(await webhook(failing)).toMatchObject({ enabled: 0, disabled_reason: 'failing' })
})

test('an error of the site is no failure of the endpoint, and takes none of its attempts', async () => {
  const { db, start, add, queue, rows, webhook, makeAllDue, lines, outcomes } = await createSite()
  const receiver = await startWebhookReceiver()
  const id = await add(receiver.url)
  await queue(id)
  const [{ data } = { data: '' }] = await rows()
  await db.updateTable('webhook_deliveries').set({ data: 'no JSON' }).execute()
  await start()
  await expect.poll(() => lines.join('')).toContain('could not be prepared')
  await expect.poll(async () => (await webhook(id)).busy_until).toBe(0)
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, failure: null }])
  expect(await webhook(id)).toMatchObject({ enabled: 1, failing_since: null })
  expect([receiver.types(), outcomes]).toEqual([[], []])
  await db.updateTable('webhook_deliveries').set({ data }).execute()
  await makeAllDue()
  await expect.poll(rows).toMatchObject([{ state: 'succeeded', attempts: 1 }])
})

const hangUp = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: chat\r\n\r\n'

/** Sends a response without end. */
function flood(response: ServerResponse): void {
  response.writeHead(200)
  const write = () => {
    if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(write))
  }
  write()
}

test.each<[what: string, respond: (response: ServerResponse) => void, outcome: string, row: object]>([
  [
    'redirects',
    (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    'status',
    { state: 'waiting', status: 307 },
  ],
  ['does not respond', () => {}, 'timeout', { state: 'waiting', status: null }],
  ['responds without end', flood, 'succeeded', { state: 'succeeded', status: 200 }],
  [
    'switches protocols',
    ({ socket }) => socket?.write(hangUp),
    'connection',
    { state: 'waiting', status: null },
  ],
])('an endpoint that %s is sent one request, and logged', async (_, respond, outcome, row) => {
  const receiver = await startWebhookReceiver(respond)
  const { start, add, queue, rows, outcomes } = await createSite({ sendTimeoutMs: 1_000 })
  await queue(await add(receiver.url))
  const sender = await start()
  await expect.poll(() => outcomes).toEqual([outcome])
  await expect.poll(rows).toMatchObject([row])
  expect(receiver.requests).toHaveLength(1)
  await sender.stop(60)
})

test('a host that cannot be looked up, a server that is away, or speaks no TLS, is tried again', async () => {
  const receiver = await startWebhookReceiver()
  const { start, add, queue, rows } = await createSite({ resolved: ['ETIMEOUT'] })
  await queue(await add('https://hooks.example.org/'))
  await queue(await add('http://127.0.0.1:65535/', 'ravi'))
  await queue(await add(receiver.url.replace('http:', 'https:'), 'meera'))
  await start()
  await expect.poll(rows).toMatchObject(
    ['connection', 'connection', 'certificate'].map((failure) => ({
      state: 'waiting',
      attempts: 1,
      status: null,
      failure,
    })),
  )
})

test('an address is checked for each attempt, and is that of the connection', async () => {
  const receiver = await startWebhookReceiver()
  const { start, add, queue, outcomes, makeAllDue, lookups } = await createSite({
    resolved: [['127.0.0.1'], ['127.0.0.2']],
  })
  const url = `http://hooks.example.org:${receiver.port}/`
  await queue(await add(url))
  await start()
  await expect.poll(() => outcomes).toEqual(['succeeded'])
  await queue(await add(url, 'ravi'))
  await makeAllDue()
  await expect.poll(() => outcomes).toEqual(['succeeded', 'address_not_allowed'])
  expect(receiver.requests).toHaveLength(1)
  // Once for each attempt: the connection has no lookup of its own.
  expect(lookups).toEqual(['hooks.example.org', 'hooks.example.org'])
})

describe('webhooks may not have', () => {
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all)
  const ownUrls = own.map(({ address, family }) => `https://${family === 'IPv6' ? `[${address}]` : address}/`)
  const pin = (url: string, addresses: readonly string[] = [], allowed = '10.9.9.9') =>
    createPinUrl({
      allowed: [parseAddressRange(allowed) ?? expect.unreachable()],
      publicOrigin: 'https://gallery.example.org',
      resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) }))),
    })(new URL(url))

  test.each<[url: string, ...addresses: string[]]>([
    ['https://hooks.example.org/', '1.1.1.1', '10.0.0.1'],
    ...['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.64.0.1', '::1', '0.0.0.0'].map(
      (address): [string, string] => ['https://hooks.example.org/', address],
    ),
    ['http://hooks.example.org/', '1.1.1.1'],
    ['https://gallery.example.org/hook', '1.1.1.1'],
    ['https://GALLERY.example.org.:8443/', '1.1.1.1'],
    ['https://2130706433/'],
    ['https://0x7f.1/'],
    ['https://[::ffff:10.0.0.1]/'],
    ['https://1.1.1.1:25'],
    ['https://1.1.1.1:80'],
    ['http://10.9.9.9:25'],
    ['https://10.9.9.9:1023'],
    ...ownUrls.map((url): [string] => [url]),
  ])('the URL %s, which resolves to %s', async (url, ...addresses) => {
    await expect(pin(url, addresses)).rejects.toMatchObject({ reason: 'not_allowed' })
  })

  test('other than public addresses by https, and allowed ones, with the usual ports', async () => {
    await pin('https://hooks.example.org/', ['1.1.1.1'])
    for (const url of ['https://1.1.1.1', 'https://1.1.1.1:1024', 'http://10.9.9.9', 'http://10.9.9.9:65535'])
      await pin(url)
  })
})

test('a process that can not wait leaves the delivery to the next one at once', async () => {
  const receiver = await startWebhookReceiver(() => {})
  const { start, add, queue, states } = await createSite()
  await queue(await add(receiver.url))
  const sender = await start()
  await expect.poll(() => receiver.requests.length).toBe(1)
  await sender.stop(0)
  expect(await states()).toEqual(['waiting'])
  receiver.respondWith((response) => response.writeHead(204).end())
  await start()
  await expect.poll(states).toEqual(['succeeded'])
})

test('deliveries are removed after thirty days, and beyond five thousand of a webhook', async () => {
  const { db, add, queue, rows } = await createSite()
  const [old, full] = [await add('https://a.example/'), await add('https://b.example/')]
  const { id: oldest } = await queue(old)
  const monthAgo = { created_at: Date.now() - 30.1 * dayMs }
  await db.updateTable('webhook_deliveries').set(monthAgo).execute()
  const { id: kept } = await queue(old)
  const { id: waiting } = await queue(full)
  const row = {
    webhook_id: full,
    user_id: null,
    type: 'webhook.test',
    data: '{}',
    state: 'succeeded',
    created_at: Date.now(),
    due_at: 0,
  } as const
  for (let start = 0; start < 5_005; start += 1_001) {
    const values = Array.from({ length: 1_001 }, (_, index) => ({ ...row, id: `log-${start + index}` }))
    await db.insertInto('webhook_deliveries').values(values).execute()
  }
  await pruneDeliveries(db, Date.now())
  const ids = (await rows()).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([kept, waiting, 'log-5', 'log-5004']))
  for (const gone of [oldest, 'log-4']) expect(ids).not.toContain(gone)
})
