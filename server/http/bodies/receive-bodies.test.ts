import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { uploadMaxBytes } from '../../../shared/limits.ts'
import { transports } from '../../../test/support/transports.ts'
import { eventually } from '../../../test/support/generations.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type Credential,
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'

const server = shareTestServer()
const tooLarge = 'The request is too large.'
const kilobyte = 1_024
const megabyte = 1_024 * kilobyte
let asha: TestUser
beforeAll(async () => {
  asha = await server().signUp()
})

/** Posts a body, which has no Content-Length if it is a stream. */
function post(
  address: string,
  body: BodyInit,
  who?: Credential,
  headers: Record<string, string> = {},
  to = server(),
) {
  const common = { 'content-type': 'application/json', origin: to.url, ...to.headersOf(who), ...headers }
  return to.request(address, { method: 'POST', headers: common, body, duplex: 'half' } as RequestInit)
}

const stream = (body: BlobPart, times = 1) => new Blob(Array<BlobPart>(times).fill(body)).stream()
const open = (to = server()) => connect(Number(new URL(to.url).port), '127.0.0.1')

describe.each(transports)('through $name', ({ addresses }) => {
  test('rejects a body above the limit, and serves the next request on its connection', async () => {
    const chunk = 'x'.repeat(64 * kilobyte)
    for (const response of [
      await post(addresses.generate, `"${'x'.repeat(1_100_000)}"`, asha),
      await post(addresses.generate, stream(chunk, 32), asha),
      await post(addresses.share, stream(chunk, 640), asha),
    ]) {
      expect(response.status).toBe(413)
      expect(await response.text()).toContain(tooLarge)
      expect((await server().request('/api/v1/post')).status).toBe(200)
    }
  })

  test('accepts a small body without Content-Length', async () => {
    const response = await post(addresses.share, stream('{"prompt":""}'), asha)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Please enter a prompt and generate an image')
  })

  test('accepts a large photo from signed-in users only', async () => {
    const photo = JSON.stringify({ prompt: 'p', photo: `data:image/png;base64,${'A'.repeat(4_000_000)}` })
    for (const [headers, error] of [
      [{}, 'Please sign in first.'],
      [{ authorization: 'Bearer x' }, 'The bearer token is not valid.'],
      [{ cookie: 'better-auth.session_token=x.y' }, 'Please sign in first.'],
    ] as const) {
      for (const body of [photo, stream(photo)]) {
        const response = await post(addresses.share, body, undefined, headers)
        expect(response.status).toBe(401)
        expect(await response.text()).toContain(error)
      }
    }
    const accepted = await post(addresses.share, photo, asha)
    expect(accepted.status).toBe(400)
    expect(await accepted.text()).toContain('not a JPEG, PNG or WebP')
  })
})

test('a typed client gets the reason, or the outcome of each call of a batch', async () => {
  const share = (photo: string) => asha.trpc.posts.create.mutate({ name: 'A', prompt: 'p', photo })
  await expect(share('x'.repeat(uploadMaxBytes * 1.5))).rejects.toMatchObject({
    message: tooLarge,
    data: { httpStatus: 413, reason: 'too_large' },
  })
  const calls = [
    share(`data:image/png;base64,${'A'.repeat(2_000_000)}`),
    asha.trpc.posts.delete.mutate({ id: 'nothing' }),
  ]
  expect(await Promise.allSettled(calls)).toMatchObject([
    { reason: { data: { httpStatus: 400 } } },
    { reason: { data: { httpStatus: 404 } } },
  ])
})

test('a batch contains at most a hundred calls', async () => {
  const list = (count: number) =>
    Promise.all(Array.from({ length: count }, () => asha.trpc.posts.list.query({ limit: 1 })))
  expect(await list(100)).toHaveLength(100)
  await expect(list(101)).rejects.toMatchObject({ data: { httpStatus: 400, reason: 'bad_input' } })
})

test.each([
  ['/api/auth/sign-in/email', 64],
  ['/api/v1/unknown', 1_024],
  ['/', 1_024],
])('%s accepts at most %i kilobytes', async (address, kilobytes) => {
  for (let round = 0; round < 3; round += 1)
    expect((await post(address, 'x'.repeat(kilobytes * kilobyte))).status).not.toBe(413)
  expect((await post(address, 'x'.repeat(kilobytes * kilobyte + 1))).status).toBe(413)
})

test.each(['/api/v1/post', '/trpc/posts.create', '/v1/images/edits', '/api/auth/sign-in/email', '/'])(
  '%s rejects a huge Content-Length without reading the body, and closes the connection',
  async (address) => {
    const socket = open()
    socket.write(
      `POST ${address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\nbeginning`,
    )
    const response = await readText(socket)
    expect(response).toMatch(/^HTTP\/1\.1 413 /)
    expect(response).toMatch(/\r\nconnection: close\r\n/i)
    expect(response).toContain(tooLarge)
  },
)

test('closes the connection after the maximum that is discarded, without Content-Length', async () => {
  const socket = open()
  // Data in flight fails once the server has closed the connection.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let sent = 0
  const send = () => {
    do sent += chunk.length
    while (socket.write(chunk))
  }
  socket.on('drain', send)
  send()
  socket.resume()
  await closed
  expect(sent).toBeLessThan(100 * megabyte)
})

describe('the memory of bodies', () => {
  const upload = '/trpc/images.upload'
  const bytes = { 'content-type': 'application/octet-stream' }
  const large = { ...bytes, 'content-length': String(20 * megabyte) }

  /** Begins to send a body, which never ends. */
  function begin(to: TestServer, headers: Record<string, string>, address = upload): Socket {
    const socket = open(to)
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    const all = Object.entries({ host: new URL(to.url).host, origin: to.url, ...headers })
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${address} HTTP/1.1\r\n${lines.join('')}\r\n`)
    return socket
  }

  test('is reserved before a body is read, at most 64 MB per user, and released with it', async () => {
    const own = await startTestServer()
    const { bodyBudget } = own.services
    const [ravi, meera] = [await own.signUp(), await own.signUp()]
    const send = (who: TestUser) => post(upload, new Uint8Array(5 * megabyte), who, bytes, own)
    const sockets = Array.from({ length: 80 }, () => begin(own, { ...large, ...own.headersOf(ravi) }))
    await eventually(() => bodyBudget.reservedBytes).toBe(60 * megabyte)
    const rejected = await send(ravi)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await rejected.json()).toMatchObject({ error: { data: { reason: 'too_many_unfinished' } } })
    expect((await send(meera)).status).toBe(400)
    for (const socket of sockets) socket.destroy()
    await eventually(() => bodyBudget.reservedBytes).toBe(0)
    expect((await send(ravi)).status).toBe(400)
  })

  test('is at most 256 MB in all, with small bodies answered meanwhile', async () => {
    const own = await startTestServer()
    for (let users = 0; users < 5; users += 1) {
      const headers = own.headersOf(await own.signUp())
      for (let index = 0; index < 3; index += 1) begin(own, { ...large, ...headers })
    }
    await eventually(() => own.services.bodyBudget.reservedBytes).toBe(240 * megabyte)
    const last = await own.signUp()
    const { key: bearer } = await last.trpc.account.apiKeys.create.mutate({ name: 'A program' })
    const photo = JSON.stringify({ prompt: 'p', photo: 'x'.repeat(20 * megabyte) })
    for (const [address, shape] of [
      ['/api/v1/post', { success: false, error: expect.any(String) }],
      ['/v1/images/edits', { error: { code: 'busy' } }],
      ['/trpc/posts.create', { error: { data: { reason: 'busy' } } }],
    ] as const) {
      const rejected = await post(address, photo, { bearer }, {}, own)
      expect([address, rejected.status, rejected.headers.get('retry-after')]).toEqual([address, 503, '10'])
      expect(await rejected.json()).toMatchObject(shape)
    }
    expect((await post('/api/v1/post', '{"prompt":""}', { bearer }, {}, own)).status).toBe(400)
  })

  test('grows with a body of unknown length, and is at most 16 MB for a network that has not signed in', async () => {
    const own = await startTestServer()
    const { bodyBudget } = own.services
    const chunked = { ...bytes, 'transfer-encoding': 'chunked', ...own.headersOf(await own.signUp()) }
    const socket = begin(own, chunked)
    socket.write(`100000\r\n${'x'.repeat(megabyte)}\r\n`)
    await eventually(() => bodyBudget.reservedBytes).toBe(megabyte)
    socket.destroy()
    await eventually(() => bodyBudget.reservedBytes).toBe(0)
    const anonymous = { 'content-length': String(megabyte / 2), 'x-forwarded-for': freshAddress() }
    for (let index = 0; index < 40; index += 1) begin(own, anonymous, '/trpc/posts.report')
    await eventually(() => bodyBudget.reservedBytes).toBe(16 * megabyte)
  })
})

const strict = shareTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
const form = 'multipart/form-data; boundary=xyz'
const field = '--xyz\r\ncontent-disposition: form-data; name="a"\r\n\r\nA\r\n'
const lists = () => `[${'[],'.repeat(2_000_000)}[]]`
const keys = () => `{${Array.from({ length: 500_000 }, (_, key) => `"${key}":0`).join(',')}}`

test.each<[what: string, procedure: string, type: string, body: () => string]>([
  ['lists', 'posts.create', 'application/json', lists],
  ['keys', 'posts.create', 'application/json', keys],
  ['one number', 'posts.create', 'application/json', () => '1'.repeat(6_000_000)],
  ['short strings', 'posts.create', 'application/json', () => `[${'"abc",'.repeat(1_000_000)}0]`],
  ['JSON of another type', 'images.upload', 'text/plain', lists],
  ['headers', 'images.upload', form, () => `--xyz\r\n${'x: y\r\n'.repeat(1_000_000)}`],
  ['fields', 'images.upload', form, () => `${field.repeat(100_000)}--xyz--\r\n`],
  ['boundaries', 'images.uploadForEdit', form, () => '--xyz\r\n'.repeat(600_000)],
])('rejects a large body of %s, and counts it as an upload', async (_, procedure, type, body) => {
  const ravi = await strict().signUp()
  const send = (path: string, mediaType: string, sent: BodyInit) =>
    post(`/trpc/${path}`, sent, ravi, { 'content-type': mediaType }, strict())
  expect((await send(procedure, type, body())).status).toBe(400)
  const small = new Uint8Array([0xff, 0xd8, 0xff])
  expect((await send('images.upload', 'application/octet-stream', small)).status).toBe(429)
  expect(strict().services.bodyBudget.reservedBytes).toBe(0)
})

test('parses no large body of lists of a visitor', async () => {
  const response = await post('/trpc/posts.verify', lists())
  expect(await response.text()).toContain('The request is not readable JSON.')
})
