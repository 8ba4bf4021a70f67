import { streamProbe } from '../../../shared/stream-probe.ts'
import type { Config } from '../../config/config.ts'
import { isLoopbackHost } from '../../network/addresses.ts'
import { count, note, ok, problem, type Line, type Lines } from './report.ts'
import { request } from './request.ts'

/** Network errors that browsers show as a bad certificate. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateError = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/

/** Requests the site at its public address and reports what the proxies on the way do to requests and answers. */
export async function* checkProxy({ publicOrigin: origin, proxyHops }: Config): Lines {
  if (origin === null) {
    return yield proxyHops === 0
      ? ok('No proxy is set up: neither PUBLIC_URL nor TRUST_PROXY is set.')
      : note('Not checked: the proxy decides on the address of the site.', 'Set PUBLIC_URL.')
  }
  if (origin.startsWith('http:') && !isLoopbackHost(new URL(origin).hostname)) {
    const text = `PUBLIC_URL is ${origin}: passwords and sessions travel unencrypted.`
    yield note(text, 'Configure a proxy for https, and set PUBLIC_URL to its address.')
  }
  const probe = await probeStream(origin)
  if ('error' in probe) return yield describeSilence(origin, probe.error)
  const { status, location, proxies } = probe
  if (status !== 200 || proxies === null) return yield describeStranger(origin, status, location)
  yield await checkHealth(origin)
  yield describeStream(probe)
  yield compareHops(proxies, proxyHops)
  yield await checkOwnOrigin(origin)
}

/**
 * Requests the server's test stream and counts at how many moments something of it arrived.
 *
 * @returns also the number of proxies that the server saw; null if the answer is not from a server of this version
 */
export async function probeStream(origin: string, timeoutMs = 15_000) {
  let moments = 0
  let lastAt = -Infinity
  const onChunk = () => {
    const now = performance.now()
    if (now - lastAt > streamProbe.intervalMs / 2) moments += 1
    lastAt = now
  }
  const answer = await request(new URL(streamProbe.path, origin), { timeoutMs, onChunk })
  if ('error' in answer) return answer
  const { status, headers } = answer
  const proxies = headers.get(streamProbe.proxiesHeader)
  return {
    status,
    location: headers.get('location'),
    proxies: proxies === null ? null : Number(proxies),
    moments,
    // The server itself never compresses it.
    isCompressed: headers.has('content-encoding'),
  }
}

function describeSilence(origin: string, error: string): Line {
  if (certificateError.test(error)) {
    const fix = 'Renew it, or configure the proxy to send the whole chain.'
    return problem(`The certificate of ${origin} is not valid (${error}).`, fix)
  }
  if (error === 'ENOTFOUND') {
    const fix = 'Add a DNS record, or correct PUBLIC_URL.'
    return problem(`The host name of ${origin} does not resolve (${error}).`, fix)
  }
  return note(
    `Nothing answers at ${origin} (${error}).`,
    'Start the server and the proxy, and run this again; if they run, this machine cannot reach its own public address.',
  )
}

/** Something answers, but it is not the server. */
function describeStranger(origin: string, status: number, location: string | null): Line {
  if (location !== null) {
    return problem(`${origin} redirects to ${location}.`, 'Set PUBLIC_URL to the final address.')
  }
  if (status === 429) return note(`${origin} limits requests (429).`, 'Run this again in a minute.')
  if ([502, 503, 504].includes(status)) {
    const text = `A proxy answers at ${origin}, but does not reach the server (${status}).`
    return note(text, 'Start the server, and run this again.')
  }
  return problem(
    `What answers at ${origin} is not this version of Rangoli (${status}).`,
    `Configure the proxy to forward every path, including ${streamProbe.path}, and restart an older server.`,
  )
}

async function checkHealth(origin: string): Promise<Line> {
  const answer = await request(`${origin}/healthz`)
  if ('status' in answer && answer.status < 500) return ok(`The server answers at ${origin}.`)
  const reason = 'error' in answer ? answer.error : answer.status
  return problem(`The server at ${origin} is not healthy (${reason}).`, 'Read its log.')
}

function describeStream({ moments, isCompressed }: { moments: number; isCompressed: boolean }): Line {
  if (moments > streamProbe.lines / 2) return ok('Streams arrive piece by piece.')
  return problem(
    `A proxy buffers${isCompressed ? ' and compresses' : ''} streams: users see no progress and no previews, and long requests may be cut off.`,
    `Turn buffering off in the proxy (nginx: proxy_buffering off)${isCompressed ? ', and compression of streams (nginx: gzip off)' : ''}.`,
  )
}

function compareHops(proxies: number, trusted: number): Line {
  const found = count(proxies, 'proxy', 'proxies')
  if (proxies === trusted) {
    return ok(
      trusted === 0
        ? 'Requests arrive without X-Forwarded-For, and TRUST_PROXY is off.'
        : `TRUST_PROXY is right: requests come through ${found}.`,
    )
  }
  const mismatch = `Requests from here come through ${found} that set X-Forwarded-For, and TRUST_PROXY is ${trusted === 0 ? 'off' : trusted}`
  if (proxies > trusted) {
    return problem(`${mismatch}: all visitors share one rate limit.`, `Set TRUST_PROXY=${proxies}.`)
  }
  return problem(
    `${mismatch}: anyone can pretend to have any address.`,
    `Configure every proxy to set X-Forwarded-For, or set TRUST_PROXY=${proxies === 0 ? 'off' : proxies}.`,
  )
}

/** Sends a write as a browser with a cookie would: the server rejects it with 401, or earlier with 403 as CSRF. */
async function checkOwnOrigin(origin: string): Promise<Line> {
  const headers = { 'content-type': 'application/json', cookie: 'rangoli-doctor=1', origin }
  const answer = await request(new URL('/api/v1/post', origin), { method: 'POST', headers, body: '{}' })
  if ('error' in answer) return note(`A write to ${origin} got no answer (${answer.error}).`)
  if (answer.status === 401) return ok('The server recognizes that address as its own.')
  if (answer.status !== 403) return note(`A write from that address was answered with ${answer.status}.`)
  return problem(
    `The server takes ${origin} for another site: no one can sign in or write.`,
    'Restart it with this PUBLIC_URL, and configure the proxy to pass Host and Origin on unchanged.',
  )
}
