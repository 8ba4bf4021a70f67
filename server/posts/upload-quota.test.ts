import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { clerkEnv, signInAtClerk } from '../../test/support/clerk.ts'
import { transports, type CallResult } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { createGate } from '../../test/support/gate.ts'
import { eventually } from '../../test/support/generations.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { cutShort, dataUrl, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const limitReached = { status: 429, error: 'You have reached your daily upload limit.' }

async function uploadsUsed({ services: { db } }: TestServer): Promise<number> {
  const rows = await db.selectFrom('daily_usage').select('used').where('kind', '=', 'upload').execute()
  return rows.reduce((total, { used }) => total + used, 0)
}

const uniqueImage = async () => dataUrl(await noisyImage().jpeg().toBuffer())

describe.each(transports)('the daily upload limit, through $name', (transport) => {
  test.each<[string, () => Buffer | Promise<Buffer>, number]>([
    ['a truncated PNG', () => cutShort(noisyImage().png()), 400],
    ['a truncated JPEG', () => cutShort(noisyImage().jpeg()), 400],
    ['a truncated WebP', () => cutShort(noisyImage().webp()), 400],
    ['text behind the first bytes of a JPEG', () => Buffer.from('\xff\xd8\xff text', 'latin1'), 400],
    ['an image of too many pixels', () => pixelBomb(), 413],
  ])('counts %s, which costs as much to decode as a valid one', async (_, make, status) => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '2' } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const photo = dataUrl(await make())
    const share = (who: TestUser, body: string) => transport.share(server, { prompt: 'p', photo: body }, who)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await share(asha, photo)).toMatchObject({ status })
    }
    expect(await share(asha, photo)).toMatchObject(limitReached)
    expect(await share(asha, await uniqueImage())).toMatchObject(limitReached)
    expect(await share(ravi, await uniqueImage())).toMatchObject({ error: null })
    expect(await uploadsIn(server.directory)).toHaveLength(1)
  })

  test.each<[string, () => string]>([
    ['no data URL', () => 'https://example.org/lotus.jpg'],
    ['an SVG', () => dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['text', () => dataUrl(Buffer.from('a lotus'))],
  ])('does not count %s, which is rejected by its first bytes', async (_, make) => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const asha = await server.signUp()
    expect(await transport.share(server, { prompt: 'p', photo: make() }, asha)).toMatchObject({ status: 400 })
    expect(await uploadsUsed(server)).toBe(0)
    expect(await transport.share(server, { prompt: 'p', photo: await uniqueImage() }, asha)).toMatchObject({
      error: null,
    })
  })

  test('is refunded when the server cannot store the photo', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const asha = await server.signUp()
    const photo = await uniqueImage()
    const share = () => transport.share(server, { prompt: 'p', photo }, asha)
    vi.spyOn(server.services.blobs, 'put').mockRejectedValueOnce(new Error('the disk is on fire'))
    expect(await share()).toMatchObject({ status: 500, error: 'Failed to share post' })
    expect(await uploadsUsed(server)).toBe(0)
    expect(await share()).toMatchObject({ error: null })
    expect(await uploadsUsed(server)).toBe(1)
  })

  test('is consumed before a photo is processed, so that simultaneous uploads cannot exceed it', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const asha = await server.signUp()
    const held = holdNextPut(server)
    const first = transport.share(server, { prompt: 'p', photo: await uniqueImage() }, asha)
    await held.reached
    expect(await uploadsUsed(server)).toBe(1)
    const second = transport.share(server, { prompt: 'p', photo: await uniqueImage() }, asha)
    held.release()
    expect(await first).toMatchObject({ error: null })
    expect(await second).toMatchObject(limitReached)
  })
})

/** Blocks the next upload before it is stored, until `release` is called or the test ends. */
function holdNextPut({ services: { blobs } }: TestServer) {
  const put = blobs.put.bind(blobs)
  const [reached, released] = [createGate(), createGate()]
  onTestFinished(released.open)
  vi.spyOn(blobs, 'put').mockImplementationOnce(async (files, reservation) => {
    reached.open()
    await released.opened
    return put(files, reservation)
  })
  return { reached: reached.opened, release: released.open }
}

describe.each(transports)('uploads of one user at a time, through $name', (transport) => {
  const waiting = {
    status: 429,
    error: 'Another upload of yours is still being processed. Try again in 10 seconds.',
    retryAfter: 10,
  }

  test('queues a user’s second upload, but neither those of others nor generated images', async () => {
    const server = await startTestServer()
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const share = async (who: TestUser) =>
      transport.share(server, { prompt: 'p', photo: await uniqueImage() }, who)
    const held = holdNextPut(server)
    const first = share(asha)
    await held.reached
    let secondEnded = false
    const second = share(asha).finally(() => (secondEnded = true))
    expect(await share(ravi)).toMatchObject({ error: null })
    await asha.generate('A lotus')
    expect(secondEnded).toBe(false)
    held.release()
    expect(await Promise.all([first, second])).toMatchObject([{ error: null }, { error: null }])
  })

  test('rejects a flood of uploads with Retry-After without delaying other users', async () => {
    const server = await startTestServer({ env: clerkEnv() })
    const asha = signInAtClerk(server)
    const held = holdNextPut(server)
    const share = async (who: TestUser) =>
      transport.share(server, { prompt: 'p', photo: await uniqueImage() }, who)
    const first = share(asha)
    await held.reached
    const rejected: CallResult[] = []
    const flood = Array.from({ length: 20 }, () => share(asha))
    for (const upload of flood) void upload.then((answer) => rejected.push(answer))
    // Eight uploads are queued.
    await eventually(() => rejected.length).toBe(12)
    expect(rejected).toEqual(Array.from({ length: 12 }, () => waiting))
    const others = Array.from({ length: 4 }, () => share(signInAtClerk(server)))
    for (const answer of await Promise.all(others)) expect(answer).toMatchObject({ error: null })
    held.release()
    const answers = await Promise.all([first, ...flood])
    expect(answers.filter(({ error }) => error === null)).toHaveLength(9)
    expect(server.services.uploadQueue.users).toBe(0)
  })

  test('decodes and counts a photo once that is sent twice at the same time', async () => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const asha = await server.signUp()
    const photo = dataUrl(await plainJpeg('a photo'))
    const put = vi.spyOn(server.services.blobs, 'put')
    const share = () => transport.share(server, { prompt: 'p', photo }, asha)
    expect(await Promise.all([share(), share(), share()])).toMatchObject([
      { error: null },
      { error: null },
      { error: null },
    ])
    expect(put).toHaveBeenCalledTimes(1)
    expect((await server.client().posts.list.query()).total).toBe(1)
  })
})
