import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { cookieOf, freshAddress, shareTestServer } from '../../test/support/test-server.ts'

const lines: string[] = []
const server = shareTestServer({ logTo: { write: (line) => void lines.push(line) } })

afterAll(() => {
  // None of the requests is an error of the server.
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
})

/** Sends raw bytes, and expects a response that is no error of the server. */
async function expectResponse(head: string, body = ''): Promise<void> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
  socket.write(Buffer.from(`${head}Connection: close\r\n\r\n${body}`, 'latin1'))
  const response = await readText(socket)
  expect([head, response.slice(0, 10)]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 [234]/)])
}

const host = 'Host: localhost\r\n'

test('responds to malformed URLs', async () => {
  const targets = String.raw`
    /% /%ff /%00 /?q=% /?q=%ff&q=% /?% /create-post?x=%E0%A4%A / // //evil.example/ /\evil.example /; * x
    http://evil.example/ /.env /auth-secret /assets/%ff /assets/%00 /favicon%00.ico /assets/../../package.json
    /assets/..%2f..%2fpackage.json /assets/..%5c..%5cpackage.json
    /trpc /trpc/ /trpc/% /trpc/%ff /trpc/__proto__ /trpc/constructor /trpc/posts /trpc/posts.list.x
    /trpc/posts.__proto__ /trpc/posts.toString /trpc/posts.list,posts.list /trpc/posts.list?input=%
    /trpc/posts.list?input={ /trpc/posts.list?input=5 /trpc/posts.list?input={"__proto__":{"limit":5}}
    /trpc/posts.list?batch=1 /trpc/posts.list?batch=1&input=5 /trpc/posts.list?batch=1&input=null
    /trpc/posts.list?batch=1&input={"0":5} /trpc/posts.list?batch=x&input={"5":{}}
    /trpc/posts.list?connectionParams=x /trpc/posts.list?lastEventId=x /trpc/viewer?input={"a":1}
    /api/v1/post?search=% /api/v1/post?search[]=x /api/v1/post?limit=%ff /api/v1/post?before=%ff
    /api/v1/post?limit=1&limit=abc /api/v1/%ff /api/auth/%ff /api/auth/get-session?%
    /api/auth/get-session?disableCookieCache=x`
  for (const target of [...targets.trim().split(/\s+/), `/${'x'.repeat(10_000)}`])
    await expectResponse(`GET ${target} HTTP/1.1\r\n${host}`)
})

test.each([
  'Host: \r\n',
  '',
  'Host: a b\r\n',
  'Host: [\r\n',
  'Host: \xff\r\n',
  'Host: user@evil.example\r\n',
  'Host: localhost:99999\r\n',
  'Host: a\r\nHost: b\r\n',
  `${host}X-Forwarded-Host: a b\r\n`,
  `${host}X-Forwarded-For: ,,,x\r\n`,
  `${host}X-Forwarded-Proto: javascript\r\n`,
  `${host}Cookie: =;=;;a=%\r\n`,
  `${host}Authorization: Bearer \xff\r\n`,
  `${host}Trpc-Accept: application/jsonl\r\n`,
  `${host}Accept: text/event-stream\r\n`,
  `${host}If-None-Match: "\xff\r\n`,
])('responds to the headers %j', async (headers) => {
  for (const target of ['/', '/api/v1/post', '/trpc/posts.list', '/trpc/viewer', '/api/auth/get-session'])
    await expectResponse(`GET ${target} HTTP/1.1\r\n${headers}`)
})

test('responds to unknown methods', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'PUT', 'DELETE', 'OPTIONS', 'M-SEARCH'])
    for (const target of [
      '/',
      '/api/v1/post',
      '/trpc/posts.create',
      '/api/auth/sign-in/email',
      '/uploads/a/b',
    ])
      await expectResponse(`${method} ${target} HTTP/1.1\r\n${host}`)
})

test.each([
  ['an empty body', ''],
  ['invalid UTF-8', '{"prompt":"\xff\xfe"}'],
  ['a NUL', '\0'],
  ['a very deep list', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a very deep object', '{"a":'.repeat(50_000)],
  ['prototype keys', '{"__proto__":{"prompt":"x"},"constructor":5}'],
  ['a number out of range', '{"prompt":1e999}'],
  ['lone surrogates', '{"prompt":"\\ud83d","name":"\\udc00","photo":"\\ud800"}'],
])('responds to %s', async (_, body) => {
  const { cookie } = await server().signUp()
  const from = `${host}Origin: http://localhost\r\nCookie: ${cookie}\r\nX-Forwarded-For: ${freshAddress()}\r\n`
  for (const type of ['application/json', 'multipart/form-data', '\xff', ''])
    for (const target of ['/api/v1/post', '/trpc/posts.create', '/trpc/posts.delete', '/api/auth/sign-out'])
      await expectResponse(
        `POST ${target} HTTP/1.1\r\n${from}Content-Length: ${body.length}\r\nContent-Type: ${type}\r\n`,
        body,
      )
})

test('rejects mutations by GET', async () => {
  const asha = await server().signUp()
  for (const procedure of ['posts.create', 'posts.delete', 'images.generate']) {
    const address = `/trpc/${procedure}?input={"prompt":"x","id":"x"}`
    const { status } = await server().request(address, { headers: { cookie: asha.cookie } })
    expect([400, 403, 404, 405]).toContain(status)
  }
  expect((await asha.trpc.images.list.query()).images).toEqual([])
})

test('accepts a plain call of images.generate, whose response is not a stream', async () => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus' }, asha)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ prompt: 'A lotus' }])
})

test('account routes reject invalid JSON, and print nothing to the console', async () => {
  const toConsole = vi.spyOn(console, 'error')
  const response = await server().postAccount('/sign-in/email', '{"email":')
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
  const viewer = await server()
    .client({ cookie: cookieOf(response) })
    .viewer.query()
  expect(viewer?.firstName.normalize('NFD')).toBe(`x${'\u0323'.repeat(4)}${'\u0301'.repeat(4)}`)
})
