import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { EngineError, networkErrorOf } from '../engine-error.ts'
import { openRequest, readBytes } from '../engine-http.ts'
import { decodeImage, imageMaxBytes, requireImage } from '../engine-image.ts'
import type { ImageSource } from './image-response.ts'
import type { Endpoint } from './openai-client.ts'

const maxRedirects = 3
const timeoutMs = 60_000
const retryDelaysMs = [250, 1_000]
const headers = { accept: 'image/jpeg, image/png, image/webp', 'user-agent': 'Rangoli' }

/** Name resolution and the addresses that may be connected to. */
export interface AddressRules {
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
  readonly isAllowed: (address: string) => boolean
}

interface FetchOptions {
  /** Origin of the configured endpoint, which may have any address. */
  readonly ownOrigin: string
  readonly signal: AbortSignal
  /** Defaults to the system's resolver and all public addresses. */
  readonly rules?: AddressRules
}

const publicAddresses: AddressRules = {
  resolve: (hostname) => lookup(hostname, { all: true }),
  isAllowed: isPublicAddress,
}

/**
 * Decodes or fetches the image of a response.
 *
 * @throws EngineError
 */
export async function loadImage(
  source: ImageSource,
  endpoint: Pick<Endpoint, 'origin'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ('base64' in source) return decodeImage(source.base64)
  return fetchImage(source.url, { ownOrigin: endpoint.origin, signal })
}

/**
 * Fetches the image at the URL in a response: without credentials, and only from public addresses or the endpoint's own
 * origin. The image has been paid for, so errors of the network or the host are retried twice.
 *
 * @throws EngineError
 */
export async function fetchImage(url: string, options: FetchOptions): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const signal = AbortSignal.any([options.signal, timeout])
    return await fetchWithRetries(url, { ...options, signal }, retryDelaysMs)
  } catch (error) {
    if (timeout.aborted) throw new EngineError('engine_timeout', 'fetching the image took too long')
    if (error instanceof EngineError) throw error
    throw new EngineError('engine_failed', 'the image could not be fetched', {
      networkError: networkErrorOf(error),
    })
  }
}

async function fetchWithRetries(url: string, options: FetchOptions, delaysMs: number[]): Promise<Uint8Array> {
  try {
    return await fetchOnce(url, options)
  } catch (error) {
    const [delayMs, ...later] = delaysMs
    if (delayMs === undefined || options.signal.aborted || !isTransient(error)) throw error
    await setTimeout(delayMs, undefined, { signal: options.signal })
    return fetchWithRetries(url, options, later)
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof EngineError ? (error.facts.status ?? 0) >= 500 : true
}

async function fetchOnce(address: string, options: FetchOptions): Promise<Uint8Array> {
  let url = parseUrl(address, options.ownOrigin)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const incoming = await openUrl(url, options)
    const { statusCode: status = 0 } = incoming
    if (status === 200) return requireImage(await readBytes(incoming, imageMaxBytes))
    incoming.destroy()
    const { location } = incoming.headers
    if (status < 300 || status >= 400 || location === undefined) {
      throw new EngineError('engine_failed', 'the host of the image responded with an error', { status })
    }
    url = parseUrl(location, url.href)
  }
  throw new EngineError('engine_failed', 'the URL of the image redirects too often')
}

function parseUrl(address: string, base: string): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new EngineError('engine_failed', 'the URL of the image is not valid')
}

async function openUrl(
  url: URL,
  { ownOrigin, signal, rules = publicAddresses }: FetchOptions,
): Promise<IncomingMessage> {
  const request = { url, method: 'GET', headers, signal } as const
  if (url.origin === ownOrigin) return openRequest(request)
  return openRequest({ ...request, lookup: await pinAddress(url, rules) })
}

/**
 * Resolves a host once and checks every address. The connection uses this result, because a second lookup could return
 * another address (DNS rebinding).
 *
 * @throws EngineError if the host is unknown or one of its addresses is not allowed
 */
async function pinAddress(url: URL, rules: AddressRules): Promise<LookupFunction> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(hostname)
  // node:http does not call `lookup` for an IP address, so this is the only check of one.
  const addresses = family === 0 ? await resolveName(hostname, rules) : [{ address: hostname, family }]
  const [first] = addresses
  if (!first || !addresses.every(({ address }) => rules.isAllowed(address))) {
    throw new EngineError('engine_failed', 'the address of the image is not public')
  }
  return (_hostname, options, callback) =>
    options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family)
}

async function resolveName(hostname: string, rules: AddressRules): Promise<readonly LookupAddress[]> {
  try {
    return await rules.resolve(hostname)
  } catch {
    throw new EngineError('engine_failed', 'the host of the image is unknown')
  }
}

/** IPv6 addresses that are allocated to hosts. @see https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** Returns true for public addresses, false for all special ones, including IPv4 addresses mapped to IPv6. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}
