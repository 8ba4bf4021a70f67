import { describe, expect, onTestFinished, test } from 'vitest'
import { linesOf, startProxy } from '../../../test/support/doctor.ts'
import { respondNothing, respondRedirect } from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'
import { parseConfig } from '../../config/config.ts'
import { checkProxy, probeStream } from './proxy.ts'

/** Checks a site where `trusted` proxies are trusted. */
async function check(origin: string, trusted = 1): Promise<string[]> {
  return linesOf(checkProxy(parseConfig({ PUBLIC_URL: origin, TRUST_PROXY: String(trusted) }, '/srv')))
}

/** Starts another server for one test. */
async function startStranger(answers: Record<string, Responder>) {
  const provider = await startFakeProvider([], answers)
  onTestFinished(provider.stop)
  return provider
}

const status =
  (code: number): Responder =>
  ({ response }) =>
    void response.writeHead(code).end()

describe('a proxy in front of a server', () => {
  const server = shareTestServer()

  test('is fine where it forwards requests and answers unchanged', async () => {
    const origin = await startProxy(server().url)
    expect(await check(origin)).toEqual([
      `ok: The server answers at ${origin}.`,
      'ok: Streams arrive piece by piece.',
      'ok: TRUST_PROXY is right: requests come through 1 proxy.',
      'ok: The server recognizes that address as its own.',
    ])
  })

  test('is a problem where it buffers streams', async () => {
    const [, stream] = await check(await startProxy(server().url, { buffers: true }))
    expect(stream).toMatch(/^problem: A proxy buffers streams: users.*proxy_buffering off\)\.$/)
  })

  test('is a problem where TRUST_PROXY counts fewer proxies than there are', async () => {
    const origin = await startProxy(await startProxy(server().url))
    const [one, two] = await Promise.all([check(origin), check(origin, 2)])
    expect(one[2]).toBe(
      'problem: Requests from here come through 2 proxies that set X-Forwarded-For, and TRUST_PROXY is 1: all visitors share one rate limit. → Set TRUST_PROXY=2.',
    )
    expect(two[2]).toMatch(/^ok: /)
  })

  test('is a problem where it sets no X-Forwarded-For', async () => {
    const origin = await startProxy(server().url, { forwards: false })
    const [one, none] = await Promise.all([check(origin), check(origin, 0)])
    expect(one[2]).toMatch(/^problem: .* 0 proxies .* anyone can pretend .* set TRUST_PROXY=off\.$/)
    expect(none[2]).toMatch(/^ok: /)
  })

  test('is a problem where it changes the Host that the server relies on', async () => {
    const origin = await startProxy(server().url, { replaces: { host: 'inside.example' } })
    expect((await check(origin)).at(-1)).toMatch(
      /^problem: The server takes .* for another site: .* Host and Origin/,
    )
  })
})

describe('a public address', () => {
  test.each([
    [null, /^note: Nothing answers at .* \(ECONNREFUSED\)\. → Start the server/],
    [status(502), /^note: A proxy answers at .* but does not reach the server \(502\)/],
    [status(200), /^problem: What answers at .* is not this version of Rangoli \(200\)/],
    [
      respondRedirect('https://elsewhere.example/'),
      /^problem: .* redirects to https:\/\/elsewhere\.example\//,
    ],
  ])('is described where something else or nothing answers, %#', async (answer, line) => {
    const provider = await startStranger(answer ? { '/healthz/stream': answer } : {})
    if (!answer) await provider.stop()
    expect(await check(provider.origin)).toEqual([expect.stringMatching(line)])
  })

  test('reports a public address without https', async () => {
    expect((await check('http://pictures.invalid'))[0]).toMatch(
      /^note: .* unencrypted\. → Configure a proxy for https/,
    )
  })

  test('times out where the rest of the test stream does not arrive', async () => {
    const firstHalf: Responder = ({ response }) => {
      response.writeHead(200)
      response.write('{"line":1')
    }
    for (const answer of [respondNothing(), firstHalf]) {
      const { origin } = await startStranger({ '/healthz/stream': answer })
      expect(await probeStream(origin, 300)).toEqual({ error: 'no answer in time' })
    }
  })
})
