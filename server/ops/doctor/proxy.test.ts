import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { respondNothing, respondRedirect } from '../../../test/support/openai/provider-responses.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { checkProxy, checkRedirect, probeStream } from './proxy.ts'
import { linesOf, startProxy, type ProxyMode } from '../../../test/support/doctor.ts'

/** Checks a site where `trusted` proxies are trusted. */
async function check(origin: string, trusted = 1): Promise<string[]> {
  const config = parseConfig({ PUBLIC_URL: origin, TRUST_PROXY: String(trusted) }, '/srv')
  return linesOf(await checkProxy(config))
}

/** Starts another server that gives the same answer to every check. */
async function startStranger(answer: Responder): Promise<string> {
  const files = { '/healthz/stream': answer, '/healthz': answer }
  const provider = await startFakeProvider([], files)
  onTestFinished(provider.stop)
  return provider.origin
}

const status =
  (code: number): Responder =>
  ({ response }) =>
    void response.writeHead(code).end()

const isOwn = 'ok: The server recognizes that address as its own.'
const streams = 'ok: Streams arrive piece by piece.'

describe('a proxy in front of a server', () => {
  test('is fine where it forwards requests and answers unchanged', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes')
    expect(await check(origin)).toEqual([
      `ok: The server answers at ${origin}.`,
      streams,
      'ok: TRUST_PROXY is right: requests come through 1 proxy.',
      isOwn,
    ])
  })

  test.each([
    ['buffers', 'A proxy buffers streams: users', 'proxy_buffering off).'],
    ['compresses', 'A proxy buffers and compresses streams: users', 'gzip off).'],
  ] satisfies [ProxyMode, string, string][])(
    'is a problem where it %s streams',
    async (manner, text, advice) => {
      const server = await startTestServer()
      const [, stream] = await check(await startProxy(server.url, manner))
      expect(stream).toMatch(/^problem: /)
      expect(stream).toContain(text)
      expect(stream?.endsWith(advice)).toBe(true)
    },
  )

  test('is a problem where TRUST_PROXY counts fewer proxies than there are', async () => {
    const server = await startTestServer()
    const origin = await startProxy(await startProxy(server.url, 'passes'), 'passes')
    const [one, two, none] = await Promise.all([check(origin), check(origin, 2), check(origin, 0)])
    expect(one[2]).toBe(
      'problem: Requests from here come through 2 proxies that set X-Forwarded-For, and TRUST_PROXY is 1: all visitors share one rate limit. → Set TRUST_PROXY=2.',
    )
    expect(two[2]).toMatch(/^ok: /)
    expect(none[2]).toMatch(/TRUST_PROXY is off/)
  })

  test('is a problem where it sets no X-Forwarded-For', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes', { forwards: false })
    const [one, none] = await Promise.all([check(origin), check(origin, 0)])
    expect(one[2]).toMatch(/^problem: .* 0 proxies .* anyone can pretend .* set TRUST_PROXY=off\.$/)
    expect(none[2]).toMatch(/^ok: /)
  })

  test('is a problem where it changes the Host that the server relies on', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes', { replaces: { host: 'inside.example' } })
    expect((await check(origin)).at(-1)).toMatch(
      /^problem: The server takes .* for another site: .* Host and Origin/,
    )
  })

  test('is a problem where the server has another PUBLIC_URL', async () => {
    const server = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    const origin = await startProxy(server.url, 'passes')
    expect((await check(origin)).at(-1)).toMatch(/^problem: The server takes /)
  })
})

describe('a public address', () => {
  test('is noted where nothing answers', async () => {
    const provider = await startFakeProvider([])
    await provider.stop()
    expect(await check(provider.origin)).toEqual([
      expect.stringMatching(/^note: Nothing answers at .* \(ECONNREFUSED\)\. → Start the server/),
    ])
  })

  test.each([
    [status(502), /^note: A proxy answers at .* but does not reach the server \(502\)/],
    [status(429), /^note: .* limits requests/],
    [status(404), /^problem: What answers at .* is not this version of Rangoli \(404\)/],
    [status(200), /^problem: What answers at .* is not this version of Rangoli \(200\)/],
    [
      respondRedirect('https://elsewhere.example/'),
      /^problem: .* redirects to https:\/\/elsewhere\.example\//,
    ],
  ])('is described where something else answers, %#', async (answer, line) => {
    expect(await check(await startStranger(answer))).toEqual([expect.stringMatching(line)])
  })

  test('is a problem where the server is not healthy', async () => {
    const server = await startTestServer()
    const provider = await startFakeProvider([], {
      '/healthz': status(503),
      '/healthz/stream': async ({ response }) => {
        const answer = await fetch(`${server.url}/healthz/stream`)
        response.writeHead(200, Object.fromEntries(answer.headers)).end(await answer.text())
      },
    })
    onTestFinished(provider.stop)
    expect((await check(provider.origin, 0))[0]).toMatch(/^problem: The server at .* is not healthy \(503\)/)
  })
})

test('checks nothing without PUBLIC_URL', async () => {
  expect(linesOf(await checkProxy(parseConfig({}, '/srv')))).toEqual([
    'ok: No proxy is set up: neither PUBLIC_URL nor TRUST_PROXY is set.',
  ])
  const [line] = linesOf(await checkProxy(parseConfig({ TRUST_PROXY: '1' }, '/srv')))
  expect(line).toMatch(/^note: Not checked/)
})

describe('http next to https', () => {
  const site = 'https://pictures.example.org'

  test.each([
    [respondRedirect(`${site}/`, 308), /^ok: http:.* redirects there\.$/],
    [respondRedirect('https://elsewhere.example/'), /^note: .* answers with 302 and does not redirect/],
    [status(200), /^note: .* answers with 200 and does not redirect .* → Configure the proxy to redirect/],
  ])('is expected to redirect, %#', async (answer, line) => {
    const provider = await startFakeProvider([], { '/': answer })
    onTestFinished(provider.stop)
    expect(linesOf([await checkRedirect(provider.origin, site)])[0]).toMatch(line)
  })

  test('may be missing', async () => {
    const provider = await startFakeProvider([])
    await provider.stop()
    expect(linesOf([await checkRedirect(provider.origin, site)])[0]).toMatch(/^ok: Nothing answers/)
  })
})

describe('the test stream', () => {
  const firstHalf: Responder = ({ response }) => {
    response.writeHead(200)
    response.write('{"line":1')
  }

  test.each([
    ['the answer', respondNothing()],
    ['the rest of it', firstHalf],
  ])('times out where %s does not arrive', async (_, answer) => {
    const provider = await startFakeProvider([], { '/healthz/stream': answer })
    onTestFinished(provider.stop)
    expect(await probeStream(provider.origin, 300)).toEqual({ error: 'no answer in time' })
  })

  test('is an error where the connection breaks', async () => {
    const provider = await startFakeProvider([], {
      '/healthz/stream': ({ response }) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"line":1', () => response.socket?.destroySoon())
      },
    })
    onTestFinished(provider.stop)
    expect(await probeStream(provider.origin)).toEqual({ error: 'UND_ERR_SOCKET' })
  })
})
