import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { startProviderDouble, type Answer } from '../engines/openai/provider-double.ts'
import { answerRedirect } from '../engines/openai/provider-answers.ts'
import { startTestServer } from '../http/test-kit.ts'
import { checkProxy } from './check-proxy.ts'
import { checkRedirect } from './check-https.ts'
import { linesOf } from './test-findings.ts'
import { startProxy, type ProxyManner } from './test-proxy.ts'

/** What is found out about a site, where so many proxies are trusted. */
async function examine(origin: string, trusted = 1): Promise<string[]> {
  const config = parseConfig({ PUBLIC_URL: origin, TRUST_PROXY: String(trusted) }, '/srv')
  return linesOf(await checkProxy(config))
}

/** Something that answers this at every address that is asked of it. */
async function startStranger(answer: Answer): Promise<string> {
  const files = { '/healthz/stream': answer, '/healthz': answer }
  const double = await startProviderDouble([], files)
  onTestFinished(double.stop)
  return double.origin
}

const status =
  (code: number): Answer =>
  ({ response }) =>
    void response.writeHead(code).end()

const isOwn = 'ok: The server takes that address for its own.'
const streams = 'ok: Streams arrive bit by bit.'

describe('a proxy in front of a server', () => {
  test('that passes on what comes', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes')
    expect(await examine(origin)).toEqual([
      `ok: The server answers at ${origin}.`,
      streams,
      'ok: TRUST_PROXY is right: requests come through 1 proxy.',
      isOwn,
    ])
  })

  test.each([
    ['buffers', 'Something on the way holds streams back: people', 'proxy_buffering off).'],
    ['compresses', 'Something on the way holds streams back and compresses them: people', 'gzip off).'],
  ] satisfies [ProxyManner, string, string][])('that %s', async (manner, text, advice) => {
    const server = await startTestServer()
    const [, stream] = await examine(await startProxy(server.url, manner))
    expect(stream).toMatch(/^problem: /)
    expect(stream).toContain(text)
    expect(stream?.endsWith(advice)).toBe(true)
  })

  test('beside another that is not trusted', async () => {
    const server = await startTestServer()
    const origin = await startProxy(await startProxy(server.url, 'passes'), 'passes')
    expect((await examine(origin))[2]).toBe(
      'problem: Requests from here come through 2 proxies that set X-Forwarded-For, and TRUST_PROXY is 1: everybody counts as one visitor to the limits by address. → Set TRUST_PROXY=2.',
    )
    expect((await examine(origin, 2))[2]).toMatch(/^ok: /)
    expect((await examine(origin, 0))[2]).toMatch(/TRUST_PROXY is off/)
  })

  test('that does not say for whom it asks', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes', { forwards: false })
    expect((await examine(origin))[2]).toMatch(
      /^problem: .* 0 proxies .* anybody can pretend .* set TRUST_PROXY=off\.$/,
    )
    expect((await examine(origin, 0))[2]).toMatch(/^ok: /)
  })

  test('that changes the Host, before a server that goes by it', async () => {
    const server = await startTestServer()
    const origin = await startProxy(server.url, 'passes', { replaces: { host: 'inside.example' } })
    expect((await examine(origin)).at(-1)).toMatch(
      /^problem: The server takes .* for another site: .* Host and Origin/,
    )
  })

  test('before a server that is known at another address', async () => {
    const server = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    const origin = await startProxy(server.url, 'passes')
    expect((await examine(origin)).at(-1)).toMatch(/^problem: The server takes /)
  })
})

describe('what else may be at a public address', () => {
  test('nobody', async () => {
    const double = await startProviderDouble([])
    await double.stop()
    expect(await examine(double.origin)).toEqual([
      expect.stringMatching(/^note: Nothing answers at .* \(ECONNREFUSED\)\. → Start the server/),
    ])
  })

  test.each([
    [status(502), /^note: A proxy answers at .* but reaches no server \(502\)/],
    [status(429), /^note: .* asks to wait/],
    [status(404), /^problem: What answers at .* is not this version of Rangoli \(404\)/],
    [status(200), /^problem: What answers at .* is not this version of Rangoli \(200\)/],
    [
      answerRedirect('https://elsewhere.example/'),
      /^problem: .* redirects to https:\/\/elsewhere\.example\//,
    ],
  ])('%#', async (answer, line) => {
    expect(await examine(await startStranger(answer))).toEqual([expect.stringMatching(line)])
  })

  test('a server that says it is not well', async () => {
    const server = await startTestServer()
    const double = await startProviderDouble([], {
      '/healthz': status(503),
      '/healthz/stream': async ({ response }) => {
        const answer = await fetch(`${server.url}/healthz/stream`)
        response.writeHead(200, Object.fromEntries(answer.headers)).end(await answer.text())
      },
    })
    onTestFinished(double.stop)
    expect((await examine(double.origin, 0))[0]).toMatch(/^problem: The server at .* is not well \(503\)/)
  })
})

test('without PUBLIC_URL there is nothing to ask', async () => {
  expect(linesOf(await checkProxy(parseConfig({}, '/srv')))).toEqual([
    'ok: No proxy is set up: neither PUBLIC_URL nor TRUST_PROXY is set.',
  ])
  const [line] = linesOf(await checkProxy(parseConfig({ TRUST_PROXY: '1' }, '/srv')))
  expect(line).toMatch(/^note: Not looked at/)
})

describe('http beside https', () => {
  const site = 'https://pictures.example.org'

  test.each([
    [answerRedirect(`${site}/`, 308), /^ok: http:.* redirects there\.$/],
    [answerRedirect('https://elsewhere.example/'), /^note: .* answers 302 and does not redirect/],
    [status(200), /^note: .* answers 200 and does not redirect .* → Have the proxy redirect/],
  ])('%#', async (answer, line) => {
    const double = await startProviderDouble([], { '/': answer })
    onTestFinished(double.stop)
    expect(linesOf([await checkRedirect(new URL(double.origin), site)])[0]).toMatch(line)
  })

  test('nothing there', async () => {
    const double = await startProviderDouble([])
    await double.stop()
    expect(linesOf([await checkRedirect(new URL(double.origin), site)])[0]).toMatch(/^ok: Nothing answers/)
  })
})
