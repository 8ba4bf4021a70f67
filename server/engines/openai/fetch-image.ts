import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import {
  AddressError,
  isPublicAddress,
  pinAddress,
  resolveHost,
  type AddressRules,
} from '../../network/addresses.ts'
import { openRequest } from '../../network/open-request.ts'
import { EngineError, networkErrorOf } from '../engine-error.ts'
import { readBytes } from '../engine-http.ts'
import { decodeImage, imageMaxBytes, requireImage } from '../engine-image.ts'
import type { ImageSource } from './image-response.ts'
import type { Endpoint } from './openai-client.ts'

const maxRedirects = 3
const timeoutMs = 60_000
const retryDelaysMs = [250, 1_000]
const headers = { accept: 'image/jpeg, image/png, image/webp', 'user-agent': 'Rangoli' }

interface FetchOptions {
  /** Origin of the configured endpoint, which may have any address. */
  readonly ownOrigin: string
  readonly signal: AbortSignal
  /** Defaults to the system's resolver and all public addresses. */
  readonly rules?: AddressRules
}

const publicAddresses: AddressRules = { resolve: resolveHost, isAllowed: isPublicAddress }

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
  return openRequest({ ...request, lookup: await pinHost(url, rules) })
}

/** @throws EngineError if the host is unknown or one of its addresses is not allowed */
async function pinHost(url: URL, rules: AddressRules): Promise<LookupFunction> {
  try {
    return await pinAddress(url, rules)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const isUnknown = error.reason === 'unknown'
    throw new EngineError(
      'engine_failed',
      isUnknown ? 'the host of the image is unknown' : 'the address of the image is not public',
    )
  }
}
