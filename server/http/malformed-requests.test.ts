import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cookieOf, freshAddress, shareTestServer } from '../../test/support/test-server.ts'

const lines: string[] = []
const server = shareTestServer({ logTo: { write: (line) => void lines.push(line) } })

/** Sends raw bytes and returns the status of the response; null if the connection was closed without one. */
async function statusOf(message: string): Promise<number | null> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
  socket.write(Buffer.from(message, 'latin1'))
  const response = await readText(socket)
  return response === '' ? null : Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1])
}

const get = (target: string, headers = 'Host: localhost\r\n') =>
  statusOf(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)

const post = (target: string, body: string, headers = '') =>
  statusOf(
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${headers}Connection: close\r\n\r\n${body}`,
  )

const isResponse = (status: number | null) => status !== null && status >= 200 && status < 500

afterAll(() => {
  // None of the requests is an error of the server.
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
})

describe('responds without a server error to a malformed URL', () => {
  test.each([
    '/%',
    '/%ff',
    '/%00',
    '/?q=%',
    '/?q=%ff&q=%',
    '/?%',
    '/create-post?x=%E0%A4%A',
    '/trpc/%ff',
    '/trpc/%',
    '/trpc/',
    '/trpc',
    '/trpc/__proto__',
    '/trpc/constructor',
    '/trpc/posts',
    '/trpc/posts.list.x',
    '/trpc/posts.__proto__',
    '/trpc/posts.toString',
    '/trpc/posts.list,posts.list',
    '/trpc/posts.list?input=%',
    '/trpc/posts.list?input={',
    '/trpc/posts.list?input=5',
    '/trpc/posts.list?input={"__proto__":{"limit":5}}',
    '/trpc/posts.list?batch=1',
    '/trpc/posts.list?batch=1&input=5',
    '/trpc/posts.list?batch=1&input=null',
    '/trpc/posts.list?batch=1&input={"0":5}',
    '/trpc/posts.list?batch=x&input={"5":{}}',
    '/trpc/posts.list?connectionParams=x',
    '/trpc/posts.list?lastEventId=x',
    '/trpc/viewer?input={"a":1}',
    '/api/v1/post?search=%',
    '/api/v1/post?search[]=x',
    '/api/v1/post?limit=%ff',
    '/api/v1/post?before=%ff',
    '/api/v1/post?limit=1&limit=abc',
    '/api/v1/%ff',
    '/api/auth/%ff',
    '/api/auth/get-session?%',
    '/api/auth/get-session?disableCookieCache=x',
    '/assets/%ff',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%00',
    '/favicon%00.ico',
    '/.env',
    '/auth-secret',
    '//',
    '//evil.example/',
    '/\\evil.example',
    '/;',
    `/${'x'.repeat(10_000)}`,
    '*',
    'http://evil.example/',
    'x',
  ])('%s', async (target) => {
    expect(await get(target)).toSatisfy(isResponse)
  })

  test.each([
    'Host: \r\n',
    '',
    'Host: a b\r\n',
    'Host: [\r\n',
    'Host: \xff\r\n',
    'Host: user@evil.example\r\n',
    'Host: evil.example/path\r\n',
    'Host: localhost:99999\r\n',
    'Host: a\r\nHost: b\r\n',
    'Host: localhost\r\nX-Forwarded-Host: a b\r\n',
    'Host: localhost\r\nX-Forwarded-For: ,,,x\r\n',
    'Host: localhost\r\nX-Forwarded-Proto: javascript\r\n',
    'Host: localhost\r\nCookie: =;=;;a=%\r\n',
    'Host: localhost\r\nAuthorization: Bearer \xff\r\n',
    'Host: localhost\r\nTrpc-Accept: application/jsonl\r\n',
    'Host: localhost\r\nAccept: text/event-stream\r\n',
    'Host: localhost\r\nRange: bytes=5-1\r\n',
    'Host: localhost\r\nIf-None-Match: "\xff\r\n',
  ])('with the headers %j', async (headers) => {
    for (const target of ['/', '/api/v1/post', '/trpc/posts.list', '/trpc/viewer', '/api/auth/get-session']) {
      expect(await get(target, headers)).toSatisfy(isResponse)
    }
  })
})

describe('responds without a server error to an unknown method', () => {
  test.each(['TRACE', 'PROPFIND', 'QUERY', 'LINK', 'PUT', 'DELETE', 'OPTIONS', 'M-SEARCH'])(
    '%s',
    async (method) => {
      for (const target of [
        '/',
        '/api/v1/post',
        '/trpc/posts.list',
        '/trpc/posts.create',
        '/api/auth/sign-in/email',
        '/uploads/a/b',
      ]) {
        const status = await statusOf(
          `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        )
        expect(status).toSatisfy(isResponse)
      }
    },
  )

  test('rejects mutations by GET', async () => {
    const asha = await server().signUp()
    for (const procedure of ['posts.create', 'posts.delete', 'images.generate']) {
      const response = await server().request(`/trpc/${procedure}?input={"prompt":"x","id":"x"}`, {
        headers: { cookie: asha.cookie },
      })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
    expect((await asha.trpc.images.list.query()).images).toEqual([])
  })
})

test('accepts a plain call of images.generate, whose response is not a stream', async () => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus' }, asha)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ prompt: 'A lotus' }])
})

test('account routes reject invalid JSON, and print nothing to the console', async () => {
  const toConsole = vi.spyOn(console, 'error')
  const headers = { 'x-forwarded-for': freshAddress() }
  const response = await server().postJson('/api/auth/sign-in/email', '{"email":', undefined, headers)
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(/JSON/)
  expect(toConsole).not.toHaveBeenCalled()
})

test('limits the combining marks of a name', async () => {
  const response = await server().postAccount('/sign-up/email', {
    name: `x${'\u0301\u0323'.repeat(10_000)}`,
    email: 'tower@example.org',
    password: 'a quiet lotus at dawn',
  })
  expect(response.status).toBe(200)
  const viewer = await server()
    .client({ cookie: cookieOf(response) })
    .viewer.query()
  expect(viewer?.firstName.normalize('NFD')).toBe(`x${'\u0323'.repeat(4)}${'\u0301'.repeat(4)}`)
})

describe('responds without a server error to a malformed body', () => {
  let cookie = ''
  beforeAll(async () => {
    cookie = (await server().signUp()).cookie
  })
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  test.each([
    ['an empty body', ''],
    ['a lone brace', '{'],
    ['invalid UTF-8', '{"prompt":"\xff\xfe"}'],
    ['a NUL', '\0'],
    ['a very deep list', nested],
    ['a very deep object', '{"a":'.repeat(50_000)],
    ['prototype keys', '{"__proto__":{"prompt":"x"},"constructor":5}'],
    ['a number out of range', '{"prompt":1e999}'],
    ['lone surrogates', '{"prompt":"\\ud83d","name":"\\udc00","photo":"\\ud800"}'],
  ])('%s', async (_, body) => {
    const origin = `Origin: http://localhost\r\nCookie: ${cookie}\r\nX-Forwarded-For: ${freshAddress()}\r\n`
    for (const type of ['application/json', 'text/plain', 'multipart/form-data', '\xff', '']) {
      const headers = `${origin}Content-Type: ${type}\r\n`
      for (const target of [
        '/api/v1/post',
        '/trpc/posts.create',
        '/trpc/posts.delete',
        '/api/auth/sign-out',
      ]) {
        expect(await post(target, body, headers)).toSatisfy(isResponse)
      }
    }
  })
})
