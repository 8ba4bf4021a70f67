import type { IncomingMessage } from 'node:http'
import OpenAI from 'openai'
import { openRequest } from '../../network/open-request.ts'
import { encodeForm, isRecord, parseJson, readBytes, readErrorText } from '../engine-http.ts'
import { fixFor, readErrorBody, toEngineError } from './provider-errors.ts'
import { type EngineError, loggableFacts, toAppError } from '../engine-error.ts'
import type { Logger } from 'pino'
import type { OpenAiSettings } from './setting-names.ts'
import type { ImageEngine } from '../image-engine.ts'
import { createProviderEngine } from '../provider-engine.ts'

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

/** An endpoint, and the SDK's client for it. */
export interface Connection {
  readonly endpoint: Endpoint
  readonly client: OpenAI
  /** Strings that errors must not contain. */
  readonly secrets: readonly string[]
}

/**
 * Creates the SDK's client without retries, a timeout or its log, which contains prompts.
 *
 * Sets every option that the SDK would read from the environment except OPENAI_CUSTOM_HEADERS, which gateways may need.
 *
 * @param baseUrl null for OpenAI's endpoint
 * @param apiKey null for servers without authentication
 */
export function connect(baseUrl: string | null, apiKey: string | null): Connection {
  const endpoint = parseEndpoint(baseUrl)
  const client = new OpenAI({
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
  return { endpoint, client, secrets: apiKey === null ? [] : [apiKey] }
}

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
  return Response.json({ error: readErrorBody(await readErrorText(incoming)) }, { status, headers })
}

function copyHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}

/** Returns the chunks of a response, none if it has no body. */
export function chunksOf({ body }: Response): AsyncIterable<Uint8Array> {
  return body ?? ReadableStream.from<Uint8Array>([])
}

/** Maximum size of a list of models, in bytes. */
const listMaxBytes = 5_000_000

/**
 * Lists the models of an endpoint that can be used, free of charge; null if it does not say, as not every server or key may.
 */
export async function listModels(
  { client }: Connection,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  try {
    const response = await client.models.list({ signal }).asResponse()
    const body = parseJson((await readBytes(chunksOf(response), listMaxBytes)).toString())
    if (!isRecord(body) || !Array.isArray(body['data'])) return null
    const ids = body['data'].map((model: unknown) => (isRecord(model) ? model['id'] : null))
    return ids.filter((id) => typeof id === 'string')
  } catch {
    // That it can be used has been checked: only its list is missing.
    return null
  }
}

/** @see https://openrouter.ai/docs/api-reference/limits */
const openRouterOrigin = 'https://openrouter.ai'

/**
 * Checks that an endpoint answers and accepts the key, free of charge. Not every server lists its models, and not every key
 * may list them. OpenRouter lists them without a key, and describes the key instead.
 *
 * @throws EngineError
 */
async function requireAnswer({ client, endpoint }: Connection, signal: AbortSignal): Promise<void> {
  const path = endpoint.origin === openRouterOrigin ? '/key' : '/models'
  try {
    const response = await client.get<Response>(path, { signal }).asResponse()
    await response.body?.cancel()
  } catch (thrown) {
    signal.throwIfAborted()
    const error = toEngineError(thrown)
    if (isDown(error)) throw error
  }
}

function isDown({ code, facts: { status, networkError } }: EngineError): boolean {
  if (status === undefined) return networkError !== undefined
  const isRedirect = status >= 300 && status < 400
  const isFailure = status >= 500 && status !== 501
  return code === 'engine_out_of_credit' || status === 401 || isRedirect || isFailure
}

interface SdkEngine extends Pick<
  ImageEngine,
  'id' | 'kind' | 'label' | 'model' | 'capabilities' | 'generate'
> {
  readonly connection: Connection
  /** Names of the settings in the log. */
  readonly settings: OpenAiSettings
  readonly log: Logger
}

/** Creates an engine that calls an endpoint through the SDK, for one configured model. */
export function createSdkEngine({ connection, settings, log, ...engine }: SdkEngine): ImageEngine {
  const { endpoint, secrets } = connection
  return createProviderEngine({
    ...engine,
    serialKey: null,
    canResume: false,
    async check(signal) {
      await requireAnswer(connection, signal)
      return { models: [engine.model] }
    },
    toError(thrown, source) {
      const error = toEngineError(thrown)
      const fix = source === 'generate' ? fixFor(error, settings) : null
      if (fix !== null) log.error({ engine: engine.id, ...loggableFacts(error, endpoint, secrets) }, fix)
      return toAppError(error, endpoint, secrets)
    },
  })
}
