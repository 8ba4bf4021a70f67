import type { IncomingMessage } from 'node:http'
import OpenAI from 'openai'
import { type EngineCall, type EngineServer, openCall, parseJson, readErrorText } from '../engine-http.ts'
import type { EngineStatus } from '../image-engine.ts'
import { ProviderError, readError } from './provider-errors.ts'

const openAiBaseUrl = 'https://api.openai.com/v1'

/** Server that implements OpenAI's APIs. The query of its address, such as Azure's api-version, is sent with every request. */
export interface Connection extends EngineServer {
  readonly isOpenAi: boolean
}

/**
 * @param baseUrl null for OpenAI's server
 * @param apiKey null for servers without authentication
 */
export function connect(baseUrl: string | null, apiKey: string | null): Connection {
  const base = new URL(baseUrl ?? openAiBaseUrl)
  return {
    base,
    isOpenAi: base.origin === new URL(openAiBaseUrl).origin,
    headers: {
      accept: 'application/json',
      'user-agent': 'Rangoli',
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    secrets: apiKey === null ? [] : [apiKey],
  }
}

/** Reads `Name: value` lines from OPENAI_CUSTOM_HEADERS, as OpenAI's own clients do, for gateways. */
export function customHeaders(): Record<string, string> {
  const lines = process.env['OPENAI_CUSTOM_HEADERS'] ?? ''
  const headers = lines.matchAll(/^[ \t]*([^:\s]+)[ \t]*:(.*)$/gm)
  return Object.fromEntries(
    Array.from(headers, ([, name = '', value = '']) => [name.toLowerCase(), value.trim()]),
  )
}

/**
 * Sends a request without a timeout.
 *
 * @returns the response with its body unread
 * @throws ProviderError for an error response, a system error of the connection
 */
export async function send(connection: Connection, call: EngineCall): Promise<IncomingMessage> {
  const response = await openCall(connection, call)
  const { statusCode: status = 0, headers } = response
  if (status >= 200 && status < 300) return response
  const text = await readErrorText(response)
  throw new ProviderError(status, readError(parseJson(text) ?? text), headers)
}

/**
 * Sends a request that the SDK builds. Its own transport limits the time to headers, and drops what an error has outside of
 * `error`.
 *
 * @param build calls the SDK
 * @throws as `send`
 */
export async function sendBuilt(
  connection: Connection,
  path: string,
  build: (client: OpenAI) => { asResponse(): Promise<unknown> },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let sent: Promise<IncomingMessage> | undefined
  const client = new OpenAI({
    ...sdkOptions,
    fetch: async (_, { body } = {}) => {
      // By `data:,` it tests the support of forms.
      if (body === undefined) return new Response()
      const form = body instanceof FormData ? body : undefined
      const json: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
      sent = send(connection, { path, json, form, signal })
      await sent.catch(() => {})
      return new Response()
    },
  })
  await build(client).asResponse()
  if (sent === undefined) throw new TypeError('The SDK sent no request.')
  return sent
}

/** Every option that the SDK would read from the environment. The connection has the address and the headers. */
const sdkOptions = {
  apiKey: 'none',
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  baseURL: openAiBaseUrl,
  maxRetries: 0,
  logLevel: 'off',
} as const

/** @see https://openrouter.ai/docs/api-reference/limits */
const openRouterOrigin = 'https://openrouter.ai'

/**
 * Checks that a server with one configured model answers and accepts the key, free of charge. Not every server lists its models,
 * and not every key may list them. OpenRouter lists them without a key, and describes the key instead.
 *
 * @throws ProviderError, or a system error of the connection
 */
export async function checkConnection(
  connection: Connection,
  model: string,
  signal: AbortSignal,
): Promise<EngineStatus> {
  const path = connection.base.origin === openRouterOrigin ? '/key' : '/models'
  try {
    const response = await send(connection, { path, signal })
    response.destroy()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { status = 0 } = error.facts
    const isDown = /^(3..|401|5(?!01)..)$/.test(String(status))
    if (isDown || error.code === 'engine_out_of_credit') throw error
  }
  return { models: [model] }
}
