import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { compressFiles } from '../../launch/compress-files.mjs'
import { bestEncoding } from './representation.ts'
import { createHeldEngine } from '../../../test/support/engine.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['deflate', null],
  [';;,,q=', null],
])('selects for Accept-Encoding %j the encoding %j', (header, encoding) => {
  expect(bestEncoding(header)).toBe(encoding)
})

/** Receives a response without decompressing it, as `fetch` would. */
function receive(server: TestServer, address: string, acceptEncoding: string | null) {
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
    request(server.url + address, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
      response.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

const decompress = { br: brotliDecompressSync, gzip: gunzipSync }

const server = shareTestServer()

test.each(['/', '/?q=post', '/trpc/posts.list', '/api/v1/post', '/create-post'])(
  'sends %s in the encoding that the client accepts, with the same content',
  async (address) => {
    await fillGallery(server(), numberedPosts(30))
    const plain = await receive(server(), address, null)
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const encoding of ['br', 'gzip', 'br'] as const) {
      const { headers, body } = await receive(server(), address, encoding)
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['content-length']).toBe(String(body.byteLength))
      expect(headers['vary']).toContain('Accept-Encoding')
      expect(headers['etag']).toBe(plain.headers['etag'])
      expect(body.byteLength).toBeLessThan(plain.body.byteLength / 2)
      expect(decompress[encoding](body).equals(plain.body)).toBe(true)
    }
  },
)

test('does not compress small responses', async () => {
  const own = await startTestServer()
  for (const address of ['/trpc/posts.list', '/api/v1/post']) {
    const { headers, body } = await receive(own, address, 'br, gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBe(String(body.byteLength))
  }
})

test('does not compress images', async () => {
  const asha = await server().signUp()
  const { id: imageId } = await asha.generate('A lotus')
  const { photo } = await asha.trpc.posts.create.mutate({ prompt: 'A lotus', imageId })
  const { headers } = await receive(server(), photo, 'br, gzip')
  expect(headers['content-type']).toBe('image/jpeg')
  expect(headers['content-encoding']).toBeUndefined()
})

test('sends the events of a generation at once, uncompressed', async () => {
  const { engine, held } = createHeldEngine()
  const own = await startTestServer({ engine })
  const asha = await own.signUp()
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
  const input = encodeURIComponent(JSON.stringify({ ids: images.map(({ id }) => id) }))
  const response = await own.request(`/trpc/images.watch?input=${input}`, {
    headers: { ...own.headersOf(asha), accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
  })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('The response has no body.')
  let received = ''
  const readOn = async () => {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream ended with ${received}`)
    received += value
  }
  // The engine is still running, so these events were sent one by one.
  while (!received.includes('"running"')) await readOn()
  await vi.waitFor(() => expect(held).toHaveLength(1))
  expect(received).not.toContain('"succeeded"')
  held[0]?.release()
  while (!received.includes('"succeeded"')) await readOn()
})

test('serves the precompressed files of the client build', async () => {
  const own = await startTestServer()
  const client = path.join(own.directory, 'client')
  await mkdir(path.join(client, 'assets'), { recursive: true })
  const script = `export const words = ${JSON.stringify('lotus kite '.repeat(500))}`
  await writeFile(path.join(client, 'assets/long.js'), script)
  await writeFile(path.join(client, 'assets/short.js'), 'export {}')
  compressFiles(client)

  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, body } = await receive(own, '/assets/long.js', encoding)
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(decompress[encoding](body).toString()).toBe(script)
    expect((await receive(own, '/assets/short.js', encoding)).headers['content-encoding']).toBeUndefined()
  }
  const plain = await receive(own, '/assets/long.js', null)
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
  expect(plain.body.toString()).toBe(script)
})

test('does not precompress files that would not get smaller', async () => {
  const folder = await tempFolder()
  await writeFile(path.join(folder, 'noise.txt'), crypto.getRandomValues(new Uint8Array(5_000)))
  compressFiles(folder)
  expect(await readdir(folder)).toEqual(['noise.txt'])
})
