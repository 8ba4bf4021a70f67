import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
import { Bucket } from '../../server/storage/bucket.ts'
import { parseConfig } from '../../server/config/config.ts'
import { deleteAccountData } from '../../server/users/delete-account.ts'
import { signUpAdministrator } from '../support/administrator.ts'
import { plainJpeg } from '../support/engine.ts'
import { createScriptedEngine, eventually, follow } from '../support/generations.ts'
import { dataUrl } from '../support/images.ts'
import { describeWithS3 } from '../support/s3.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { trpcTransport } from '../support/transports.ts'

/** Forwards connections to an object storage until it is cut off. */
async function startProxy(endpoint: string) {
  const sockets = new Set<Socket>()
  const { port: target } = new URL(endpoint)
  const server = createServer((socket) => {
    const upstream = connect(Number(target), '127.0.0.1')
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => sockets.delete(one))
    }
    socket.pipe(upstream).pipe(socket)
    socket.once('close', () => upstream.destroy())
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(cut)
  return { url: `http://127.0.0.1:${port}`, cut, restore: () => listen(port) }
}

const notNow = {
  status: 503,
  error: "This site can't read or save anything right now. Try again in a moment.",
  retryAfter: 5,
}

describeWithS3('a site with images in a bucket', (storage) => {
  /** Keys of the images in the bucket of an environment. */
  async function keysOf(env: Record<string, string>): Promise<string[]> {
    const { storage: config } = parseConfig(env, '/')
    if (config.kind !== 's3') throw new Error('The variables name no bucket.')
    const bucket = await Bucket.open(config)
    const keys: string[] = []
    for await (const { key } of bucket.list()) if (!key.startsWith('.')) keys.push(key)
    bucket.close()
    return keys
  }

  async function get(server: TestServer, target: string, init?: RequestInit) {
    const response = await server.request(target, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: Object.fromEntries(response.headers), bytes }
  }

  test('serves images and thumbnails like a site with a folder', async () => {
    const inBucket = await startTestServer({ env: storage().env() })
    const onDisk = await startTestServer()
    const responses = await Promise.all(
      [inBucket, onDisk].map(async (server) => {
        const asha = await server.signUp()
        const { photo } = await asha.generate('A lotus')
        const targets = [photo, ...thumbnailSizes.map((size) => thumbnailUrl(photo, size))]
        return Promise.all(
          ['GET', 'HEAD'].flatMap((method) =>
            targets.map(async (target) => {
              const { status, headers, bytes } = await get(server, target, {
                method,
                headers: server.headersOf(asha),
              })
              const { date: _, 'x-request-id': id, ...others } = headers
              return { status, headers: others, bytes, hasId: id !== undefined }
            }),
          ),
        )
      }),
    )
    expect(responses[0]).toEqual(responses[1])
    const unknown = await inBucket.request(`/uploads/${'x'.repeat(22)}/original.jpg`)
    expect(unknown.status).toBe(404)
  })

  test('deletes the objects of every deleted image, and reports the bytes of the others', async () => {
    const env = storage().env({ METRICS_TOKEN: 'a-token-for-metrics' })
    const server = await startTestServer({ env })
    const meera = await signUpAdministrator(server)
    const share = async (text: string, who = asha) =>
      who.trpc.posts.create.mutate({
        name: 'Asha',
        prompt: text,
        photo: dataUrl(await plainJpeg(text)),
      })
    const asha = await server.signUp()
    const ravi = await server.signUp()
    const generated = await asha.generate('A generated image')
    const [deleted, moderated] = [await share('Deleted'), await share('Moderated')]
    await share('With the account', ravi)
    const kept = await share('Kept')
    await asha.trpc.images.delete.mutate({ id: generated.id })
    await asha.trpc.images.deletePermanently.mutate({ id: generated.id })
    await asha.trpc.posts.delete.mutate({ id: deleted.id })
    await meera.trpc.posts.delete.mutate({ id: moderated.id })
    await deleteAccountData(server.services, ravi.id, { posts: 'remove' })
    const folder = kept.photo.split('/')[2] ?? ''
    const keys = await keysOf(env)
    expect(new Set(keys.map((key) => key.split('/')[0]))).toEqual(new Set([folder]))
    const sizes = await Promise.all(keys.map((key) => get(server, `/uploads/${key}`)))
    const total = sizes.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
    const metrics = await get(server, '/metrics', {
      headers: { authorization: 'Bearer a-token-for-metrics' },
    })
    expect(metrics.bytes.toString()).toContain(`rangoli_uploads_bytes ${total}\n`)
    const linked = await server.services.db
      .selectFrom('bucket_folders')
      .select('folder')
      .where('unlinked_at', 'is', null)
      .execute()
    expect(linked).toEqual([{ folder }])
  })

  test('answers 503 while the bucket is away and recovers once it is back', async () => {
    const env = storage().env()
    const proxy = await startProxy(env['S3_ENDPOINT'] ?? '')
    const server = await startTestServer({
      env: { ...env, S3_ENDPOINT: proxy.url },
    })
    const asha = await server.signUp()
    const photo = dataUrl(await plainJpeg('a photo'))
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Before', photo })
    proxy.cut()
    const away = await server.request(post.photo)
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await server.request('/')).status).toBe(200)
    expect((await trpcTransport.list(server, {})).posts).toMatchObject([{ prompt: 'Before' }])
    expect(await trpcTransport.share(server, { prompt: 'While away', photo }, asha)).toEqual(notNow)
    expect(await trpcTransport.generate(server, { prompt: 'A lotus' }, asha)).toEqual(notNow)
    expect((await server.request('/readyz')).status).toBe(503)
    expect((await server.request('/healthz')).status).toBe(200)
    expect(server.lines.join('')).toContain('ECONNREFUSED')

    await proxy.restore()
    expect((await server.request(post.photo)).status).toBe(200)
    expect(await trpcTransport.share(server, { prompt: 'After', photo }, asha)).toMatchObject({ error: null })
    await expect.poll(async () => (await server.request('/readyz')).status).toBe(200)
  })

  test('stores an image generated while the bucket is away once it is back', async () => {
    const env = storage().env()
    const proxy = await startProxy(env['S3_ENDPOINT'] ?? '')
    const { engine, waitForJob } = createScriptedEngine()
    const server = await startTestServer({
      engine,
      env: { ...env, S3_ENDPOINT: proxy.url },
    })
    const asha = await server.signUp()
    const generation = follow(asha.trpc, { prompt: 'A lotus' })
    const job = await waitForJob('A lotus')
    proxy.cut()
    await job.finish()
    await eventually(() => server.lines.join('')).toContain('storing a generated image failed; retrying')
    await proxy.restore()
    const { image } = await generation.seen('succeeded')
    const served = await server.request(image.photo ?? '', { headers: server.headersOf(asha) })
    expect(served.status).toBe(200)
  })
})
