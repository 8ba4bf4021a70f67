import type { IncomingMessage } from 'node:http'
import OpenAI from 'openai'
import { openRequest } from '../../network/open-request.ts'
import { readBytes } from '../engine-http.ts'
import { readErrorBody } from './engine-errors.ts'

/** Server that implements OpenAI's Images API. */
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

/** Parses OPENAI_BASE_URL; null means OpenAI's endpoint. */
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

/** Maximum delay of a timer. The SDK's default timeout is ten minutes. */
const noTimeoutMs = 2 ** 31 - 1

/** API key that the SDK's constructor requires; not sent. */
const noKey = 'none'

/**
 * Creates the SDK's client without retries, a timeout or its log, which contains prompts.
 *
 * Sets every option that the SDK would read from the environment except OPENAI_CUSTOM_HEADERS, which gateways may need.
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

/** Maximum size of an error response, in bytes. */
const errorMaxBytes = 1_000_000

/** Statuses whose responses have no body. */
const statusesWithoutBody = new Set([204, 205, 304])

/**
 * Implements `fetch` for the SDK, without a timeout, and with error responses converted to OpenAI's form, because the SDK
 * drops everything outside of `error`.
 */
async function fetchFromEndpoint(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { body, method } = init
  const isGet = method === 'GET' && !body
  if (input instanceof Request || !(isGet || body instanceof FormData || typeof body === 'string')) {
    throw new TypeError('Only GET requests, strings and forms are supported.')
  }
  const form = body instanceof FormData ? await encodeForm(body) : null
  const incoming = await openRequest({
    url: new URL(input),
    method: isGet ? 'GET' : 'POST',
    headers: { ...Object.fromEntries(new Headers(init.headers)), ...form?.headers },
    ...(typeof body === 'string' && { body }),
    ...(form && { body: form.body }),
    signal: init.signal ?? new AbortController().signal,
  })
  const status = incoming.statusCode ?? 0
  const headers = copyHeaders(incoming)
  if (statusesWithoutBody.has(status)) {
    incoming.destroy()
    return new Response(null, { status, headers })
  }
  if (status >= 200 && status < 300) return new Response(ReadableStream.from(incoming), { status, headers })
  // An error response that is too large or cut off still has a status.
  const text = await readBytes(incoming, errorMaxBytes).catch(() => '')
  return Response.json({ error: readErrorBody(text.toString()) }, { status, headers })
}

/** Encodes a form as multipart, with files. */
async function encodeForm(form: FormData) {
  const encoded = new Response(form)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

function copyHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}
