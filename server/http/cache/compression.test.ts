import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFiles } from '../../launch/compress-files.mjs'
import { bestEncoding } from './representation.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'

test.each([
  [undefined, null],
  ['identity', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  [';;,,q=', null],
])('selects for Accept-Encoding %j the encoding %j', (header, encoding) => {
  expect(bestEncoding(header)).toBe(encoding)
})

/** Receives a response without decompressing it, as `fetch` would. */
async function receive(server: TestServer, address: string, acceptEncoding: string | null) {
  const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
  const [response] = (await once(get(server.url + address, { headers }), 'response')) as [IncomingMessage]
  return { headers: response.headers, body: await buffer(response) }
}

const decompress = { br: brotliDecompressSync, gzip: gunzipSync }
const encodings = ['br', 'gzip'] as const

const server = shareTestServer()

test('compresses neither small responses nor images', async () => {
  const small = await startTestServer()
  await fillGallery(small, numberedPosts(1))
  const { posts } = await small.client().posts.list.query()
  for (const address of ['/trpc/posts.list', '/api/v1/post', posts[0]?.photo ?? '']) {
    const { headers, body } = await receive(small, address, 'br, gzip')
    expect([address, headers['content-encoding']]).toEqual([address, undefined])
    expect(headers['content-length']).toBe(String(body.byteLength))
  }
})

test.each(['/', '/?q=post', '/trpc/posts.list', '/api/v1/post', '/create-post'])(
  'sends %s in the encoding that the client accepts, with the same content',
  async (address) => {
    await fillGallery(server(), numberedPosts(30))
    const plain = await receive(server(), address, null)
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const encoding of encodings) {
      const { headers, body } = await receive(server(), address, encoding)
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(body.byteLength),
        vary: expect.stringContaining('Accept-Encoding'),
        etag: plain.headers.etag,
      })
      expect(body.byteLength).toBeLessThan(plain.body.byteLength / 2)
      expect(decompress[encoding](body).equals(plain.body)).toBe(true)
    }
  },
)

test('serves the precompressed files of the client build, which are smaller', async () => {
  const client = path.join(server().directory, 'client')
  await mkdir(path.join(client, 'assets'), { recursive: true })
  const script = `export const words = ${JSON.stringify('lotus kite '.repeat(500))}`
  await writeFile(path.join(client, 'assets/long.js'), script)
  await writeFile(path.join(client, 'noise.txt'), crypto.getRandomValues(new Uint8Array(5_000)))
  compressFiles(client)
  expect(await readdir(client)).toEqual(['assets', 'noise.txt'])
  for (const encoding of encodings) {
    const { headers, body } = await receive(server(), '/assets/long.js', encoding)
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(decompress[encoding](body).toString()).toBe(script)
  }
  const plain = await receive(server(), '/assets/long.js', null)
  expect([plain.headers.vary, plain.body.toString()]).toEqual(['Accept-Encoding', script])
})
