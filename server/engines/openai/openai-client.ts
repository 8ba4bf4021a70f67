import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import OpenAI from 'openai'
import { readErrorBody } from './engine-errors.ts'
import { readBytes } from './image-response.ts'

/** The server that generates the images: OpenAI's own, or one that implements its Images API. */
export interface Endpoint {
  /** URL to which the SDK appends '/images/generations'. */
  readonly baseUrl: string
  /** Query parameters of the URL, such as Azure's api-version; sent with every request. */
  readonly query: Readonly<Record<string, string>>
  readonly origin: string
  /** Host and port, for the log. */
  readonly host: string
  readonly isOpenAi: boolean
}

const openAiBaseUrl = 'https://api.openai.com/v1'

/** Parses OPENAI_BASE_URL; null is OpenAI's own endpoint. */
export function parseEndpoint(baseUrl: string | null): Endpoint {
  const url = new URL(baseUrl ?? openAiBaseUrl)
  return {
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ''),
    query: Object.fromEntries(url.searchParams),
    origin: url.origin,
    host: url.host,
    isOpenAi: url.origin === new URL(openAiBaseUrl).origin,
  }
}

/** Maximum delay of a timer; the SDK's default would end a request after ten minutes. */
const noTimeoutMs = 2 ** 31 - 1

/** Required by the SDK's constructor; never sent. */
const noKey = 'none'

/**
 * Creates the SDK's client without retries, timeout and log, which contains prompts.
 *
 * Everything that the SDK would read from the environment is set, so that only our configuration decides. The exception
 * is OPENAI_CUSTOM_HEADERS, which gateways may need.
 */
export function createOpenAiClient(endpoint: Endpoint, apiKey: string | null): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? noKey,
    ...(apiKey === null && { defaultHeaders: { authorization: null } }),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    defaultQuery: endpoint.query,
    fetch: fetchFromEndpoint,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
  })
}

/** Maximum size of an error response that is read. */
const errorMaxBytes = 1_000_000

/** Statuses whose responses have no body. */
const statusesWithoutBody = new Set([204, 205, 304])

/**
 * Implements `fetch` for the SDK: limited only by the signal of the request, and with error responses converted to
 * OpenAI's form, because the SDK drops everything that is not under `error`.
 */
async function fetchFromEndpoint(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body, method } = init
  const isRead = method === 'GET' && !body
  if (input instanceof Request || !(isRead || typeof body === 'string')) {
    throw new TypeError('only JSON can be sent')
  }
  const incoming = await openRequest({
    url: new URL(input),
    method: isRead ? 'GET' : 'POST',
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof body === 'string' && { body }),
    signal: init.signal ?? new AbortController().signal,
  })
  const status = incoming.statusCode ?? 0
  const headers = copyHeaders(incoming)
  if (statusesWithoutBody.has(status)) {
    incoming.destroy()
    return new Response(null, { status, headers })
  }
  if (status >= 200 && status < 300) return new Response(ReadableStream.from(incoming), { status, headers })
  // An error that is too long or cut off still has its status.
  const text = await readBytes(incoming, errorMaxBytes).catch(() => '')
  return Response.json({ error: readErrorBody(text.toString()) }, { status, headers })
}

function copyHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}

interface RequestOptions {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
  /** Replaces the name lookup of the connection. */
  readonly lookup?: LookupFunction
}

/** Delay between probes of an idle connection: routers drop silent ones, and an image may take minutes. */
const keepAliveProbeMs = 30_000

/**
 * Sends a request and returns its response with the body unread; redirects are not followed.
 *
 * Uses node:http because Node's fetch gives up after 300 seconds without headers or between two chunks, and cannot pin an
 * address. Every request has a connection of its own: on a reused one a reset cannot be told from a lost image.
 */
export async function openRequest(request: RequestOptions): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, lookup } = request
  signal.throwIfAborted()
  const send = url.protocol === 'https:' ? https.request : http.request
  const options = {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    agent: false as const,
    signal,
  }
  // A copy without user and password, which node:http would send.
  const target = new URL(url)
  target.username = target.password = ''
  const outgoing = send(target, { ...options, ...(lookup && { lookup }) })
  return new Promise((resolve, reject) => {
    // `on`, not `once`: an error after the response also reaches the reader of its body, and must not be unhandled here.
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    outgoing.on('socket', (socket) => socket.setKeepAlive(true, keepAliveProbeMs))
    outgoing.end(body)
  })
}
