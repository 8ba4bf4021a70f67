import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { EngineFault } from './engine-fault.ts'
import { networkErrorOf } from './network-error.ts'
import { openRequest } from './open-request.ts'
import { asPicture, pictureMaxBytes } from './picture-bytes.ts'
import { pinAddress, publicAddresses, type AddressRules } from './pin-address.ts'
import { readBytes } from './read-bytes.ts'

const maxRedirects = 3
const maxMilliseconds = 60_000
const pausesBetweenTries = [250, 1_000]
const headers = { accept: 'image/jpeg, image/png, image/webp', 'user-agent': 'Rangoli' }

/** What fetching a picture may do. */
export interface PictureFetch {
  /** The configured endpoint's origin, which is trusted wherever it is. */
  readonly ownOrigin: string
  readonly signal: AbortSignal
  readonly rules?: AddressRules
}

/**
 * Fetches the picture that an answer gives the address of: without any credential, from a public address or the
 * endpoint's own origin only. The picture is paid for by now, so a host in trouble is asked up to three times.
 *
 * @throws EngineFault
 */
export async function fetchPicture(address: string, options: PictureFetch): Promise<Uint8Array> {
  const time = AbortSignal.timeout(maxMilliseconds)
  try {
    const signal = AbortSignal.any([options.signal, time])
    return await fetchPatiently(address, { ...options, signal }, pausesBetweenTries)
  } catch (error) {
    if (time.aborted) throw new EngineFault('engine_timeout', 'the picture took too long to fetch')
    if (error instanceof EngineFault) throw error
    throw new EngineFault('engine_failed', 'the picture could not be fetched', {
      networkError: networkErrorOf(error),
    })
  }
}

async function fetchPatiently(address: string, options: PictureFetch, pauses: number[]): Promise<Uint8Array> {
  try {
    return await fetchOnce(address, options)
  } catch (error) {
    const [pause, ...later] = pauses
    if (pause === undefined || options.signal.aborted || !isTransient(error)) throw error
    await setTimeout(pause, undefined, { signal: options.signal })
    return fetchPatiently(address, options, later)
  }
}

async function fetchOnce(address: string, options: PictureFetch): Promise<Uint8Array> {
  let url = parse(address, options.ownOrigin)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const incoming = await open(url, options)
    const { statusCode: status = 0 } = incoming
    if (status === 200) return asPicture(await readBytes(incoming, pictureMaxBytes))
    incoming.destroy()
    const { location } = incoming.headers
    if (status < 300 || status >= 400 || location === undefined) {
      throw new EngineFault('engine_failed', "the picture's host does not give it", { status })
    }
    url = parse(location, url.href)
  }
  throw new EngineFault('engine_failed', "the picture's address redirects too often")
}

async function open(
  url: URL,
  { ownOrigin, signal, rules = publicAddresses }: PictureFetch,
): Promise<IncomingMessage> {
  const request = { url, method: 'GET', headers, signal } as const
  if (url.origin === ownOrigin) return openRequest(request)
  return openRequest({ ...request, lookup: await pinAddress(url, rules) })
}

function parse(address: string, base: string): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new EngineFault('engine_failed', "the picture's address is not one of the web")
}

/** Whether the same request may succeed in a moment. */
function isTransient(error: unknown): boolean {
  return error instanceof EngineFault ? (error.facts.status ?? 0) >= 500 : true
}
