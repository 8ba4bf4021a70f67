import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { buffer as readBytes, text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { collect, imageOf, testBlobStore } from '../../test/support/blob-store-contract.ts'
import { countedBytes, openBucketStore } from '../../test/support/bucket-store.ts'
import { describeWithS3, s3StartTimeoutMs } from '../../test/support/s3.ts'
import type { S3StorageConfig } from '../config/storage-section.ts'
import { Bucket } from './bucket.ts'

const hourMs = 60 * 60 * 1_000

async function openBucket(config: S3StorageConfig, timeouts?: Parameters<typeof Bucket.open>[1]) {
  const bucket = await Bucket.open(config, timeouts)
  onTestFinished(() => bucket.close())
  return bucket
}

/** Opens a client of the SDK, for what the site does not do. */
async function openClient({ endpoint, region, credentials, forcePathStyle }: S3StorageConfig) {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
  })
  onTestFinished(() => client.destroy())
  return client
}

describeWithS3('S3 blob store', (storage) => {
  async function open(maxBytes: number | null = null) {
    const config = storage().config()
    const bucket = await openBucket(config)
    await bucket.writeSiteId('a site')
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of bucket.list()) if (!key.startsWith('.')) found.push(key)
      return found
    }
    return { config, bucket, keys, ...(await openBucketStore(bucket, maxBytes)) }
  }

  testBlobStore(async (maxBytes) => (await open(maxBytes)).store)

  test('stores objects with their type and a cache lifetime', async () => {
    const { store, config } = await open()
    const folder = await store.put({ 'original.jpg': Buffer.from('a'), '320.webp': Buffer.from('b') })
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const { bucket: name, prefix } = config
    const client = await openClient(config)
    for (const [file, type] of [
      ['original.jpg', 'image/jpeg'],
      ['320.webp', 'image/webp'],
    ]) {
      const found = await client.send(
        new GetObjectCommand({ Bucket: name, Key: `${prefix}${folder}/${file}` }),
      )
      expect(found.ContentType).toBe(type)
      expect(found.CacheControl).toBe('public, max-age=31536000, immutable')
      await found.Body?.transformToByteArray()
    }
  })

  test('reads a file of several chunks', async () => {
    const { store } = await open()
    const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => index % 251))
    const folder = await store.put({ 'original.jpg': bytes })
    expect(Buffer.from((await store.read(folder, 'original.jpg')) ?? []).equals(bytes)).toBe(true)
    const file = await store.open(folder, 'original.jpg')
    expect(file && (await readBytes(file.stream())).equals(bytes)).toBe(true)
  })

  test('keeps the sockets free while 80 downloads stay unread', async () => {
    const { store } = await open()
    const folder = await store.put(imageOf(3_000_000))
    const streams = await Promise.all(
      Array.from({ length: 80 }, async () => (await store.open(folder, 'original.jpg'))?.stream()),
    )
    for (const stream of streams) stream?.once('readable', () => {})
    expect(await store.size(folder, 'original.jpg')).toBe(3_000_000)
    const file = await store.open(folder, 'original.jpg')
    expect(file && (await readText(file.stream()))).toHaveLength(3_000_000)
    for (const stream of streams) stream?.destroy()
  })

  test('sweeps what was written, or reserved, an hour ago and never linked, and thumbnails that were added late', async () => {
    const { store, bucket, db, link, unlink, keys } = await open(1_000)
    const [linked, lost, deleted, removed] = [
      await store.put(imageOf(1)),
      await store.put(imageOf(2)),
      await store.put(imageOf(3)),
      await store.put(imageOf(10)),
    ]
    for (const folder of [linked, deleted, removed]) await link(folder)
    await store.reserve(700)
    expect(await store.sweep(Date.now())).toBe(0)
    for (const folder of [deleted, removed]) await unlink(folder)
    await store.remove(removed)
    await bucket.put(removed, '320.webp', Buffer.from('late'))
    await store.remove(linked)
    expect(await store.sweep(Date.now() + hourMs + 1_000)).toBe(3)
    expect(await keys()).toEqual([`${linked}/original.jpg`])
    expect(await countedBytes(db)).toBe(1)
    expect(await db.selectFrom('bucket_folders').select('folder').execute()).toEqual([{ folder: linked }])
    await expect(link(lost)).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('lists images of another site as finished, and discards them', async () => {
    const { store, bucket, db } = await open()
    const folder = 'f'.repeat(22)
    await bucket.put(folder, 'original.jpg', Buffer.from('foreign'))
    const listed: unknown[] = []
    for await (const one of store.olderThan(-60_000)) listed.push(one)
    expect(listed).toMatchObject([{ name: folder, isFinished: true }])
    await store.discard(folder)
    expect(await collect(store.olderThan(-60_000))).toEqual([])
    expect(await countedBytes(db)).toBe(0)
  })

  test('stores an image again whose response was lost, but overwrites no other', async () => {
    const { bucket } = await open()
    const folder = 'f'.repeat(22)
    await bucket.put(folder, 'original.jpg', Buffer.from('one'))
    await bucket.put(folder, 'original.jpg', Buffer.from('one'))
    await expect(bucket.put(folder, 'original.jpg', Buffer.from('another'))).rejects.toMatchObject({
      cause: { status: 412 },
    })
    expect(Buffer.from((await bucket.read(folder, 'original.jpg')) ?? []).toString()).toBe('one')
  })

  test.each([
    ['S3_SECRET_ACCESS_KEY', 'wrong-secret', /: it does not belong to S3_ACCESS_KEY_ID\. Correct/],
    ['S3_ACCESS_KEY_ID', 'wrong-key', /: http:\S+ does not know this key\. Correct it\.$/],
    ['S3_BUCKET', 'no-such-bucket', /: the bucket no-such-bucket does not exist at http:\S+\. Create it/],
    ['S3_ENDPOINT', 'http://127.0.0.1:9', /: http:\S+ does not answer \(ECONNREFUSED\)\. Correct it/],
  ])('rejects a wrong %s with one line', async (variable, value, message) => {
    const config = storage().config({ [variable]: value })
    const error = await Bucket.openUsable(config).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(message) })
    expect((error as Error).message).not.toContain('\n')
  })

  test(
    'loses no acknowledged image when the object storage is killed under writes, and works once it is back',
    async () => {
      const { store, db, link } = await open()
      const acknowledged: string[] = []
      const writing = { isOver: false }
      const writer = async () => {
        while (!writing.isOver) {
          try {
            acknowledged.push(await store.put(imageOf(50_000)))
          } catch (error) {
            expect(error).toMatchObject({ code: 'storage_unavailable', retryAfter: expect.any(Number) })
            await pause(50)
          }
        }
      }
      const writers = Array.from({ length: 4 }, writer)
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20)
      await storage().stop()
      const before = acknowledged.length
      await storage().start()
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 5)
      writing.isOver = true
      await Promise.all(writers)
      for (const folder of acknowledged) {
        await link(folder)
        expect((await store.read(folder, 'original.jpg'))?.byteLength).toBe(50_000)
      }
      await store.sweep(Date.now() + hourMs + 1_000)
      expect((await collect(store.olderThan(-hourMs))).sort()).toEqual([...acknowledged].sort())
      expect(await countedBytes(db)).toBe(acknowledged.length * 50_000)
    },
    s3StartTimeoutMs + 60_000,
  )
})

/** Starts a server for raw connections, and returns the configuration of a bucket there. */
async function serveSockets(handle: (socket: Socket) => void): Promise<S3StorageConfig> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    handle(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    kind: 's3',
    bucket: 'images',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'the secret key' },
    prefix: '',
    forcePathStyle: true,
    maxBytes: null,
  }
}

const shortTimeouts = { connectionMs: 200, idleMs: 200, responseMs: 400 }

const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>'
const answerPages = (socket: Socket) => socket.on('data', () => socket.write(page))

test.each([
  ['an object storage that never answers', () => {}],
  ['a page of a proxy', answerPages],
])('gives up on %s', async (_, handle) => {
  const bucket = await openBucket(await serveSockets(handle), shortTimeouts)
  const folder = 'f'.repeat(22)
  for (const call of [
    () => bucket.size(folder, 'original.jpg'),
    () => bucket.read(folder, 'original.jpg'),
    () => bucket.put(folder, 'original.jpg', Buffer.from('image')),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'storage_unavailable', retryAfter: 5 })
  }
})

test('gives up on a response that stops in the middle', async () => {
  const head =
    'HTTP/1.1 206 Partial Content\r\nContent-Length: 1000\r\nContent-Range: bytes 0-999/1000\r\n\r\nbeginning'
  const config = await serveSockets((socket) => socket.once('data', () => socket.write(head)))
  const bucket = await openBucket(config, shortTimeouts)
  await expect(bucket.read('f'.repeat(22), 'original.jpg')).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
})

test('rejects another program, which answers every request with a page', async () => {
  await expect(Bucket.openUsable(await serveSockets(answerPages))).rejects.toThrow(
    /^S3_ENDPOINT: \S+ does not return what was stored\. /,
  )
})

test('remembers an object storage without conditional writes', async () => {
  const conditions: boolean[] = []
  const config = await serveSockets((socket) =>
    socket.on('data', (data) => {
      const request = data.toString()
      if (!request.startsWith('PUT')) return
      const isConditional = /^if-none-match:/im.test(request)
      conditions.push(isConditional)
      const status = isConditional ? '501 Not Implemented' : '200 OK'
      socket.write(`HTTP/1.1 ${status}\r\nETag: "1"\r\nContent-Length: 0\r\n\r\n`)
    }),
  )
  const bucket = await openBucket(config)
  for (const file of ['320.webp', 'original.jpg'])
    await bucket.put('f'.repeat(22), file, Buffer.from('image'))
  expect(conditions).toEqual([true, false, false])
})

test.each([
  { code: 'QuotaExceeded', expected: 'storage_full' },
  { code: 'SignatureDoesNotMatch', expected: 'storage_unavailable' },
])('reports $code as $expected, and does not repeat credentials', async ({ code, expected }) => {
  const secret = 'the secret key'
  const body = `<Error><Code>${code}</Code><Message>No.</Message><StringToSign>${secret}</StringToSign></Error>`
  const head = `HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}`
  const config = await serveSockets((socket) =>
    socket.on('data', () => socket.write(`${head}\r\n\r\n${body}`)),
  )
  const bucket = await openBucket(config)
  const error: unknown = await bucket.read('f'.repeat(22), 'original.jpg').catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: expected })
  const { cause } = error as Error
  expect(JSON.stringify([error, cause], Object.getOwnPropertyNames(error))).not.toContain(secret)
  expect(String(cause)).not.toContain(secret)
})
