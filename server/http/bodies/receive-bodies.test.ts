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
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'

const server = shareTestServer()
const tooLarge = 'The request is too large.'
let asha: TestUser
beforeAll(async () => {
  asha = await server().signUp()
})

/** A body without Content-Length. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk)
      sent += chunk.length
      if (sent >= bytes) controller.close()
    },
  })
}

describe.each(transports)('through $name', (transport) => {
  test('rejects a prompt of more than a megabyte', async () => {
    const response = await server().postJson(transport.addresses.generate, `"${'x'.repeat(1_100_000)}"`, asha)
    expect(response.status).toBe(413)
    expect(JSON.stringify(await response.json())).toContain(tooLarge)
  })

  test.each(['generate', 'share'] as const)(
    'rejects a body above the limit to %s without Content-Length',
    async (call) => {
      const response = await server().request(transport.addresses[call], {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
        body: stream(call === 'share' ? uploadMaxBytes * 2 : 2_000_000),
        duplex: 'half',
      } as RequestInit)
      expect(response.status).toBe(413)
      expect(JSON.stringify(await response.json())).toContain(tooLarge)
    },
  )

  test('accepts a small body without Content-Length', async () => {
    const response = await server().request(transport.addresses.share, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
      body: new Blob(['{"prompt":""}']).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('Please enter a prompt and generate an image')
  })

  test('serves the next request on the connection of a rejected one', async () => {
    for (let round = 0; round < 5; round += 1) {
      await server().postJson(transport.addresses.generate, 'x'.repeat(2_000_000), asha)
      expect((await server().request('/api/v1/post')).status).toBe(200)
    }
  })
})

test('a typed client gets the reason', async () => {
  const tooMuch = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: 'x'.repeat(uploadMaxBytes * 1.5),
  })
  await expect(tooMuch).rejects.toMatchObject({
    message: tooLarge,
    data: { httpStatus: 413, reason: 'too_large' },
  })
})

test('accepts a batch with an image and other calls', async () => {
  const share = asha.trpc.posts.create.mutate({
    name: 'A',
    prompt: 'p',
    photo: `data:image/png;base64,${'A'.repeat(2_000_000)}`,
  })
  const remove = asha.trpc.posts.delete.mutate({ id: 'nothing' })
  expect(await Promise.allSettled([share, remove])).toMatchObject([
    { reason: { data: { httpStatus: 400 } } },
    { reason: { data: { httpStatus: 404 } } },
  ])
})

test.each([
  ['/api/auth/sign-in/email', 64],
  ['/api/v1/unknown', 1_024],
  ['/', 1_024],
])('%s accepts at most %i kilobytes', async (address, kilobytes) => {
  const send = (size: number) =>
    server().request(address, { method: 'POST', headers: { origin: server().url }, body: 'x'.repeat(size) })
  for (let round = 0; round < 3; round += 1) expect((await send(kilobytes * 1_024)).status).not.toBe(413)
  expect((await send(kilobytes * 1_024 + 1)).status).toBe(413)
})

describe.each(transports)('a large photo through $name', (transport) => {
  const photo = JSON.stringify({ prompt: 'p', photo: `data:image/png;base64,${'A'.repeat(4_000_000)}` })
  const strangers: { who: string; headers: Record<string, string>; error: string }[] = [
    { who: 'an anonymous client', headers: {}, error: 'Please sign in first.' },
    {
      who: 'an invalid token',
      headers: { authorization: 'Bearer x' },
      error: 'The bearer token is not valid.',
    },
    {
      who: 'a forged session',
      headers: { cookie: 'better-auth.session_token=x.y' },
      error: 'Please sign in first.',
    },
  ]

  test.each(strangers)('is rejected for $who', async ({ headers, error }) => {
    for (const body of [photo, new Blob([photo]).stream()]) {
      const response = await server().request(transport.addresses.share, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server().url, ...headers },
        body,
        duplex: 'half',
      } as RequestInit)
      expect(response.status).toBe(401)
      expect(JSON.stringify(await response.json())).toContain(error)
    }
  })

  test('is accepted from a signed-in user', async () => {
    const response = await server().postJson(transport.addresses.share, photo, asha)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('not a JPEG, PNG or WebP')
  })
})

describe('a body with a huge Content-Length', () => {
  test.each(['/api/v1/post', '/trpc/posts.create', '/api/auth/sign-in/email', '/'])(
    'is rejected at %s without reading it, and closes the connection',
    async (address) => {
      const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
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
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
    // Data in flight fails once the server has closed the connection.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = Buffer.alloc(0x10000, 'x')
    let sent = 0
    const send = () => {
      do sent += chunk.length
      while (socket.write(Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])))
    }
    socket.on('drain', send)
    send()
    socket.resume()
    await closed
    expect(sent).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('a batch', () => {
  const list = (count: number) =>
    Promise.all(Array.from({ length: count }, () => asha.trpc.posts.list.query({ limit: 1 })))

  test('may contain a hundred calls', async () => {
    expect(await list(100)).toHaveLength(100)
  })

  test('is rejected with more than a hundred calls', async () => {
    await expect(list(101)).rejects.toMatchObject({ data: { httpStatus: 400, reason: 'bad_input' } })
  })
})

describe('the memory of bodies', () => {
  const megabyte = 1024 * 1024

  /** Begins to send a body, which never ends. */
  function begin(to: TestServer, address: string, headers: Record<string, string>): Socket {
    const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    const lines = Object.entries({ host: new URL(to.url).host, origin: to.url, ...headers })
    socket.write(
      `POST ${address} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    return socket
  }

  const large = { 'content-type': 'application/octet-stream', 'content-length': String(20 * megabyte) }

  function upload(to: TestServer, who: TestUser, bytes: number) {
    return to.request('/trpc/images.upload', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...to.headersOf(who) },
      body: new Uint8Array(bytes),
    })
  }

  test('is reserved before a body is read, at most 64 MB per user, and released with it', async () => {
    const own = await startTestServer()
    const { bodyBudget } = own.services
    const [ravi, meera] = [await own.signUp(), await own.signUp()]
    const sockets = Array.from({ length: 80 }, () =>
      begin(own, '/trpc/images.upload', { ...large, ...own.headersOf(ravi) }),
    )
    await eventually(() => bodyBudget.reservedBytes).toBe(60 * megabyte)
    const rejected = await upload(own, ravi, 5 * megabyte)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '10'])
    expect(await rejected.json()).toMatchObject({ error: { data: { reason: 'too_many_unfinished' } } })
    expect((await upload(own, meera, 5 * megabyte)).status).toBe(400)
    for (const socket of sockets) socket.destroy()
    await eventually(() => bodyBudget.reservedBytes).toBe(0)
    expect((await upload(own, ravi, 5 * megabyte)).status).toBe(400)
  })

  test('is at most 256 MB in all, with small bodies answered meanwhile', async () => {
    const own = await startTestServer()
    const users = await Promise.all(Array.from({ length: 5 }, () => own.signUp()))
    for (const user of users) {
      for (let index = 0; index < 3; index += 1)
        begin(own, '/trpc/images.upload', { ...large, ...own.headersOf(user) })
    }
    await eventually(() => own.services.bodyBudget.reservedBytes).toBe(240 * megabyte)
    const last = await own.signUp()
    const key = await last.trpc.account.apiKeys.create.mutate({ name: 'A program' })
    const send = (address: string, body: string) =>
      own.request(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key.key}` },
        body,
      })
    const photo = JSON.stringify({ prompt: 'p', photo: 'x'.repeat(20 * megabyte) })
    for (const [address, shape] of [
      ['/api/v1/post', { success: false, error: expect.any(String) }],
      ['/v1/images/edits', { error: { code: 'busy' } }],
      ['/trpc/posts.create', { error: { data: { reason: 'busy' } } }],
    ] as const) {
      const rejected = await send(address, photo)
      expect([address, rejected.status, rejected.headers.get('retry-after')]).toEqual([address, 503, '10'])
      expect(await rejected.json()).toMatchObject(shape)
    }
    expect((await send('/api/v1/post', '{"prompt":""}')).status).toBe(400)
  })

  test('grows with a body of unknown length', async () => {
    const own = await startTestServer()
    const ravi = await own.signUp()
    const socket = begin(own, '/trpc/images.upload', {
      'content-type': 'application/octet-stream',
      'transfer-encoding': 'chunked',
      ...own.headersOf(ravi),
    })
    socket.write(`100000\r\n${'x'.repeat(megabyte)}\r\n`)
    await eventually(() => own.services.bodyBudget.reservedBytes).toBe(megabyte)
    socket.destroy()
    await eventually(() => own.services.bodyBudget.reservedBytes).toBe(0)
  })

  test('is at most 16 MB for a network that has not signed in', async () => {
    const own = await startTestServer()
    const headers = { 'content-length': String(megabyte / 2), 'x-forwarded-for': freshAddress() }
    for (let index = 0; index < 20; index += 1) begin(own, '/trpc/posts.report', headers)
    await eventually(() => own.services.bodyBudget.reservedBytes).toBe(16 * megabyte)
  })
})

describe('a large body that is not what it seems', () => {
  const form = 'multipart/form-data; boundary=xyz'
  const field = '--xyz\r\ncontent-disposition: form-data; name="a"\r\n\r\nA\r\n'

  test.each<[string, string, string, () => string]>([
    ['lists', 'posts.create', 'application/json', () => `[${'[],'.repeat(8_000_000)}[]]`],
    [
      'keys',
      'posts.create',
      'application/json',
      () => `{${Array.from({ length: 2_000_000 }, (_, key) => `"${key}":0`).join(',')}}`,
    ],
    ['one number', 'posts.create', 'application/json', () => '1'.repeat(25_000_000)],
    ['short strings', 'posts.create', 'application/json', () => `[${'"abc",'.repeat(4_000_000)}0]`],
    ['no JSON', 'posts.create', 'application/json', () => 'x'.repeat(25_000_000)],
    ['JSON of another type', 'images.upload', 'text/plain', () => `[${'[],'.repeat(8_000_000)}[]]`],
    ['headers', 'images.upload', form, () => `--xyz\r\n${'x: y\r\n'.repeat(4_000_000)}`],
    ['fields', 'images.upload', form, () => `${field.repeat(400_000)}--xyz--\r\n`],
    ['boundaries', 'images.upload', form, () => '--xyz\r\n'.repeat(2_500_000)],
  ])('is rejected and counts as an upload: %s', async (_, procedure, type, body) => {
    const own = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
    const ravi = await own.signUp()
    const send = () =>
      own.request(`/trpc/${procedure}`, {
        method: 'POST',
        headers: { 'content-type': type, ...own.headersOf(ravi) },
        body: body(),
      })
    expect((await send()).status).toBe(400)
    expect((await send()).status).toBe(429)
    expect(own.services.bodyBudget.reservedBytes).toBe(0)
  })
})
