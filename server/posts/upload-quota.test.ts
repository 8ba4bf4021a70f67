import { expect, onTestFinished, test, vi } from 'vitest'
import { trpcTransport } from '../../test/support/transports.ts'
import { createGate } from '../../test/support/gate.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { cutShort, dataUrl, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const limitReached = { status: 429, error: 'You have reached your daily upload limit.' }

async function uploadsUsed({ services: { db } }: TestServer): Promise<number> {
  const rows = await db.selectFrom('daily_usage').select('used').where('kind', '=', 'upload').execute()
  return rows.reduce((total, { used }) => total + used, 0)
}

const uniqueImage = async () => dataUrl(await noisyImage().jpeg().toBuffer())

const share = async (server: TestServer, who: TestUser, photo?: string) =>
  trpcTransport.share(server, { prompt: 'p', photo: photo ?? (await uniqueImage()) }, who)

async function startLimited(uploads: number) {
  const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: String(uploads) } })
  return { server, asha: await server.signUp() }
}

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

test('counts photos that cost as much to decode as valid ones, and none that are rejected by their first bytes', async () => {
  const { server, asha } = await startLimited(5)
  const ravi = await server.signUp()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const photo of ['https://example.org/lotus.jpg', dataUrl(svg), dataUrl(Buffer.from('a lotus'))])
    expect(await share(server, asha, photo)).toMatchObject({ status: 400 })
  expect(await uploadsUsed(server)).toBe(0)
  const undecodable: [Buffer, number][] = [
    [await cutShort(noisyImage().png()), 400],
    [await cutShort(noisyImage().jpeg()), 400],
    [await cutShort(noisyImage().webp()), 400],
    [Buffer.from('\xff\xd8\xff text', 'latin1'), 400],
    [pixelBomb(), 413],
  ]
  for (const [bytes, status] of undecodable)
    expect(await share(server, asha, dataUrl(bytes))).toMatchObject({ status })
  expect(await share(server, asha, dataUrl(pixelBomb()))).toMatchObject(limitReached)
  expect(await share(server, asha)).toMatchObject(limitReached)
  expect(await share(server, ravi)).toMatchObject({ error: null })
  expect(await uploadsIn(server.directory)).toHaveLength(1)
})

test('refunds an upload that the server cannot store', async () => {
  const { server, asha } = await startLimited(1)
  const photo = await uniqueImage()
  vi.spyOn(server.services.blobs, 'put').mockRejectedValueOnce(new Error('the disk is on fire'))
  expect(await share(server, asha, photo)).toMatchObject({ status: 500, error: 'Failed to share post' })
  expect(await uploadsUsed(server)).toBe(0)
  expect(await share(server, asha, photo)).toMatchObject({ error: null })
  expect(await uploadsUsed(server)).toBe(1)
})

test('queues a user’s second upload, but neither those of others nor generated images', async () => {
  const server = await startTestServer()
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  const held = holdNextPut(server)
  const first = share(server, asha)
  await held.reached
  let secondEnded = false
  const second = share(server, asha).finally(() => (secondEnded = true))
  expect(await share(server, ravi)).toMatchObject({ error: null })
  await asha.generate('A lotus')
  expect(secondEnded).toBe(false)
  held.release()
  expect(await Promise.all([first, second])).toMatchObject([{ error: null }, { error: null }])
})
