import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/databases.ts'
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts'
import type { Database } from '../db/open-database.ts'
import { ImageLinks } from '../images/image-links.ts'
import { parseAddressRange } from '../network/addresses.ts'
import { openLog } from '../observability/log.ts'
import { setRole } from '../access/user-access.ts'
import { claimDelivery, pruneDeliveries } from './delivery-queue.ts'
import { WebhookAddresses } from './webhook-addresses.ts'
import { insertDelivery } from './webhook-events.ts'
import { WebhookSender } from './webhook-sender.ts'

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
  const { open: openDatabase } = await createTestDatabase()
  const lines: string[] = []
  const outcomes: string[] = []
  const lookups: string[] = []

  async function open(): Promise<Database> {
    const db = await openDatabase()
    onTestFinished(() => db.destroy())
    return db
  }
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
  async function start(): Promise<WebhookSender> {
    const sender = new WebhookSender({
      db: await open(),
      log: openLog('debug', { write: (line) => void lines.push(line) }),
      addresses: new WebhookAddresses({
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

test('several processes send each delivery once', async () => {
  const receiver = await startWebhookReceiver()
  const { start, add, queue, states } = await createSite()
  const ids: string[] = []
  const webhooks = [
    await add(receiver.url),
    await add(receiver.url, 'ravi'),
    await add(receiver.url, 'meera'),
  ]
  for (let index = 0; index < 30; index += 1) ids.push((await queue(webhooks[index % 3] ?? '')).id)
  await Promise.all([start(), start(), start()])
  await expect.poll(states, { timeout: 20_000 }).toEqual(ids.map(() => 'succeeded'))
  expect(receiver.ids().toSorted()).toEqual(ids.toSorted())
})

test('a webhook gets one request at a time', async () => {
  let open = 0
  let most = 0
  const receiver = await startWebhookReceiver((response) => {
    open += 1
    most = Math.max(most, open)
    setImmediate(() => {
      open -= 1
      response.writeHead(200).end()
    })
  })
  const { start, add, queue, states } = await createSite()
  const id = await add(receiver.url)
  for (let index = 0; index < 10; index += 1) await queue(id)
  await Promise.all([start(), start()])
  await expect.poll(states, { timeout: 20_000 }).toEqual(Array.from({ length: 10 }, () => 'succeeded'))
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

describe('a webhook is disabled', () => {
  test('when its endpoint is gone', async () => {
    const receiver = await startWebhookReceiver((response) => response.writeHead(410).end())
    const { start, add, queue, rows, states, webhook, lines } = await createSite()
    const id = await add(receiver.url)
    await queue(id)
    await queue(id)
    await start()
    await expect.poll(states).toEqual(['failed', 'failed'])
    expect(await webhook(id)).toMatchObject({ enabled: 0, disabled_reason: 'gone' })
    expect((await rows()).map(({ failure }) => failure)).toEqual(['status', 'disabled'])
    expect(receiver.requests).toHaveLength(1)
    expect(lines.join('')).toContain('a webhook was disabled')
    expect(lines.join('')).not.toContain(receiver.url)
  })

  test('when every attempt of three days has failed', async () => {
    const receiver = await startWebhookReceiver((response) => response.writeHead(503).end())
    const { db, start, add, queue, states, webhook } = await createSite()
    const [recent, failing] = [await add(receiver.url), await add(receiver.url)]
    for (const [id, days] of [
      [recent, 2.9],
      [failing, 3.1],
    ] as const) {
      await db
        .updateTable('webhooks')
        .set({ failing_since: Date.now() - days * dayMs })
        .where('id', '=', id)
        .execute()
      await queue(id)
    }
    await start()
    await expect.poll(states).toEqual(['waiting', 'failed'])
    await expect.poll(() => receiver.requests.length).toBe(2)
    expect((await webhook(recent)).enabled).toBe(1)
    expect(await webhook(failing)).toMatchObject({ enabled: 0, disabled_reason: 'failing' })
  })
})

test('the owner of a disabled webhook gets a mail, and administrators about one of the site', async () => {
  const receiver = await startWebhookReceiver((response) => response.writeHead(410).end())
  const { db, start, add, queue, states } = await createSite({ sendsMail: true })
  await setRole(db, 'meera', 'administrator')
  await setRole(db, 'ravi', 'moderator')
  const [own, site] = [await add(receiver.url), await add(receiver.url)]
  await db.updateTable('webhooks').set({ user_id: null }).where('id', '=', site).execute()
  await queue(own)
  await queue(site)
  await start()
  await expect.poll(states).toEqual(['failed', 'failed'])
  const mails = await db.selectFrom('mails').select(['user_id', 'message']).orderBy('user_id').execute()
  expect(mails.map(({ user_id, message }) => [user_id, JSON.parse(message) as unknown])).toEqual([
    [
      'asha',
      { kind: 'webhook-disabled', host: `127.0.0.1:${receiver.port}`, reason: 'gone', isOfSite: false },
    ],
    [
      'meera',
      { kind: 'webhook-disabled', host: `127.0.0.1:${receiver.port}`, reason: 'gone', isOfSite: true },
    ],
  ])
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

test('a failed lookup of a host is tried again', async () => {
  const { start, add, queue, rows, outcomes } = await createSite({ resolved: ['ETIMEOUT'] })
  await queue(await add('https://hooks.example.org/'))
  await start()
  await expect.poll(rows).toMatchObject([{ state: 'waiting', attempts: 1, failure: 'connection' }])
  expect(outcomes).toEqual(['connection'])
})

test('redirects are not followed', async () => {
  const elsewhere = await startWebhookReceiver()
  const receiver = await startWebhookReceiver((response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  )
  const { start, add, queue, rows } = await createSite()
  await queue(await add(receiver.url))
  await start()
  await expect.poll(async () => (await rows())[0]?.status).toBe(307)
  expect((await rows())[0]).toMatchObject({ state: 'waiting', failure: 'status' })
  expect(elsewhere.requests).toEqual([])
})

test('an endpoint that does not respond fails in time', async () => {
  const receiver = await startWebhookReceiver(() => {})
  const { start, add, queue, outcomes } = await createSite({ sendTimeoutMs: 200 })
  await queue(await add(receiver.url))
  await start()
  await expect.poll(() => outcomes).toEqual(['timeout'])
})

test('a response without end counts by its status', async () => {
  const receiver = await startWebhookReceiver((response) => {
    response.writeHead(200)
    const write = () => {
      if (!response.destroyed) response.write('x'.repeat(16_384), () => setImmediate(write))
    }
    write()
  })
  const { start, add, queue, states } = await createSite()
  await queue(await add(receiver.url))
  await start()
  await expect.poll(states).toEqual(['succeeded'])
})

test('an endpoint that switches protocols is a failed connection', async () => {
  const receiver = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: chat\r\n\r\n'),
    )
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  const { start, add, queue, outcomes } = await createSite()
  const { port } = receiver.address() as AddressInfo
  await queue(await add(`http://127.0.0.1:${port}/hook`))
  const sender = await start()
  await expect.poll(() => outcomes).toEqual(['connection'])
  await sender.stop(60)
})

test('a server that is away, or speaks no TLS, is a failure with its reason', async () => {
  const receiver = await startWebhookReceiver()
  const { start, add, queue, rows } = await createSite()
  await queue(await add('http://127.0.0.1:65535/'))
  await queue(await add(receiver.url.replace('http:', 'https:'), 'ravi'))
  await start()
  await expect
    .poll(async () => (await rows()).map(({ failure, status }) => [failure, status]))
    .toEqual([
      ['connection', null],
      ['certificate', null],
    ])
})

describe('an address that is not allowed is not connected to', () => {
  let requests: () => number
  let port: number
  beforeEach(async () => {
    const receiver = await startWebhookReceiver()
    requests = () => receiver.requests.length
    port = receiver.port
  })

  test('if the name of an allowed host resolves to it now', async () => {
    const { start, add, queue, outcomes, makeAllDue, lookups } = await createSite({
      resolved: [['127.0.0.1'], ['127.0.0.2']],
    })
    await queue(await add(`http://hooks.example.org:${port}/`))
    await start()
    await expect.poll(() => outcomes).toEqual(['succeeded'])
    expect(requests()).toBe(1)
    await queue(await add(`http://hooks.example.org:${port}/`, 'ravi'))
    await makeAllDue()
    await expect.poll(() => outcomes).toEqual(['succeeded', 'address_not_allowed'])
    expect(requests()).toBe(1)
    // Once for each attempt: the connection has no lookup of its own.
    expect(lookups).toEqual(['hooks.example.org', 'hooks.example.org'])
  })

  test.each([
    [['127.0.0.1', '10.0.0.1']],
    [['169.254.169.254']],
    [['::ffff:169.254.169.254']],
    [['fd00:ec2::254']],
    [['100.64.0.1']],
    [['::1']],
    [['0.0.0.0']],
  ])('if a name resolves to %j', async (addresses) => {
    const { start, add, queue, outcomes } = await createSite({ resolved: [addresses] })
    await queue(await add(`https://hooks.example.org:${port}/`))
    await start()
    await expect.poll(() => outcomes).toEqual(['address_not_allowed'])
    expect(requests()).toBe(0)
  })

  test('by http, even if it is public', async () => {
    const { start, add, queue, outcomes } = await createSite({ resolved: [['1.1.1.1']] })
    await queue(await add('http://hooks.example.org/'))
    await start()
    await expect.poll(() => outcomes).toEqual(['address_not_allowed'])
  })
})

test('the addresses of this machine are refused, whatever their range', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all)
  const rules = new WebhookAddresses({ allowed: [], publicOrigin: 'https://gallery.example.org' })
  for (const { address, family } of addresses) {
    const host = family === 'IPv6' ? `[${address}]` : address
    await expect(rules.pin(new URL(`https://${host}/`))).rejects.toThrow('not allowed')
  }
})

test('the name of the site is refused', async () => {
  const rules = new WebhookAddresses({
    allowed: [],
    publicOrigin: 'https://gallery.example.org',
    resolve: () => Promise.resolve([{ address: '1.1.1.1', family: 4 }]),
  })
  await expect(rules.pin(new URL('https://hooks.example.org/'))).resolves.toBeInstanceOf(Function)
  await expect(rules.pin(new URL('https://gallery.example.org/hook'))).rejects.toThrow('not allowed')
  await expect(rules.pin(new URL('https://GALLERY.example.org.:8443/'))).rejects.toThrow('not allowed')
})

test('a stopping process completes the delivery that is being sent', async () => {
  let respond = () => {}
  const receiver = await startWebhookReceiver((response) => {
    respond = () => response.writeHead(204).end()
  })
  const { start, add, queue, states } = await createSite()
  await queue(await add(receiver.url))
  const sender = await start()
  await expect.poll(() => receiver.requests.length).toBe(1)
  const stopped = sender.stop(10)
  respond()
  await stopped
  expect(await states()).toEqual(['succeeded'])
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
  await db
    .updateTable('webhook_deliveries')
    .set({ created_at: Date.now() - 30.1 * dayMs })
    .execute()
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
  expect(ids).not.toContain(oldest)
  expect(ids).toContain(kept)
  expect(ids).toContain(waiting)
  expect(ids).not.toContain('log-4')
  expect(ids).toContain('log-5')
  expect(ids).toContain('log-5004')
})
