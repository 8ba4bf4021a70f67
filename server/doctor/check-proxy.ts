import { streamProbe } from '../../shared/stream-probe.ts'
import type { Config } from '../config/config.ts'
import { askPolitely } from './ask-politely.ts'
import { checkHttps } from './check-https.ts'
import { checkOrigin } from './check-origin.ts'
import { count } from './amounts.ts'
import { note, ok, problem, type Finding } from './finding.ts'
import { watchStream, type StreamArrival } from './watch-stream.ts'

/** How long an address may take to answer, in milliseconds. */
const patience = 10_000

/** What a certificate that browsers refuse is called. */
const badCertificate = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/

/** Asks the site at its public address what comes of a request on its way through whatever stands before it. */
export async function checkProxy({ publicOrigin, proxyHops }: Config): Promise<Finding[]> {
  if (publicOrigin === null) {
    return [
      proxyHops === 0
        ? ok('No proxy is set up: neither PUBLIC_URL nor TRUST_PROXY is set.')
        : note('Not looked at, as PUBLIC_URL is not set.', 'Set PUBLIC_URL to the address that people use.'),
    ]
  }
  const arrival = await watchStream(publicOrigin)
  if ('fault' in arrival) return [describeSilence(publicOrigin, arrival.fault)]
  if (arrival.status !== 200 || arrival.proxies === null) return [describeStranger(publicOrigin, arrival)]
  return [
    ...(await checkHealth(publicOrigin)),
    describeStream(arrival),
    describeHops(arrival.proxies, proxyHops),
    await checkOrigin(publicOrigin),
    ...(await checkHttps(publicOrigin)),
  ]
}

function describeSilence(origin: string, fault: string): Finding {
  if (badCertificate.test(fault)) {
    return problem(
      `The certificate of ${origin} is not good (${fault}).`,
      'Renew it, or have the proxy send its whole chain.',
    )
  }
  if (fault === 'ENOTFOUND') {
    return problem(
      `The name in ${origin} leads nowhere (${fault}).`,
      'Set its DNS up, or correct PUBLIC_URL.',
    )
  }
  return note(
    `Nothing answers at ${origin} (${fault}).`,
    'Start the server and the proxy, and run this again; if they run, this machine can not reach its own public address.',
  )
}

/** Whatever it is that answers, it is not the server. */
function describeStranger(origin: string, arrival: Exclude<StreamArrival, { fault: string }>): Finding {
  const { status, location } = arrival
  if (location !== null) {
    return problem(`${origin} redirects to ${location}.`, 'Set PUBLIC_URL to where the site is in the end.')
  }
  if (status === 429) return note(`${origin} asks to wait (429).`, 'Run this again in a minute.')
  if ([502, 503, 504].includes(status)) {
    return note(
      `A proxy answers at ${origin}, but reaches no server (${status}).`,
      'Start the server, and run this again.',
    )
  }
  return problem(
    `What answers at ${origin} is not this version of Rangoli (${status}).`,
    `Have the proxy hand every path on, ${streamProbe.path} among them, and restart an older server.`,
  )
}

async function checkHealth(origin: string): Promise<Finding[]> {
  const answer = await askPolitely(`${origin}/healthz`, patience)
  if ('fault' in answer)
    return [problem(`${origin}/healthz gives no answer (${answer.fault}).`, 'Look at the log.')]
  if (answer.status >= 500) {
    return [problem(`The server at ${origin} is not well (${answer.status}).`, 'Look at its log.')]
  }
  return [ok(`The server answers at ${origin}.`)]
}

function describeStream({ moments, isCompressed }: Extract<StreamArrival, { moments: number }>): Finding {
  if (moments > streamProbe.lines / 2) return ok('Streams arrive bit by bit.')
  return problem(
    `Something on the way holds streams back${isCompressed ? ' and compresses them' : ''}: people see no progress and no previews, and long waits may be cut off.`,
    `Switch buffering off in the proxy (nginx: proxy_buffering off)${isCompressed ? ', and compression of what the server streams (nginx: gzip off)' : ''}.`,
  )
}

function describeHops(proxies: number, trusted: number): Finding {
  if (proxies === trusted) {
    return ok(
      trusted === 0
        ? 'Requests come without X-Forwarded-For, and TRUST_PROXY is off.'
        : `TRUST_PROXY is right: requests come through ${count(proxies, 'proxy', 'proxies')}.`,
    )
  }
  const mismatch = `Requests from here come through ${count(proxies, 'proxy', 'proxies')} that set X-Forwarded-For, and TRUST_PROXY is ${trusted === 0 ? 'off' : trusted}`
  return proxies > trusted
    ? problem(
        `${mismatch}: everybody counts as one visitor to the limits by address.`,
        `Set TRUST_PROXY=${proxies}.`,
      )
    : problem(
        `${mismatch}: anybody can pretend to come from any address.`,
        proxies === 0
          ? 'Have the proxy set X-Forwarded-For, or set TRUST_PROXY=off.'
          : `Have every proxy set X-Forwarded-For, or set TRUST_PROXY=${proxies}.`,
      )
}
