import type { OpenAI } from 'openai'
import type { EngineError } from '../engine-error.ts'
import { isRecord, parseJson, readBytes } from '../engine-http.ts'
import { toEngineError } from './engine-errors.ts'
import { createOpenAiClient, parseEndpoint, type Endpoint } from './openai-client.ts'

/** Maximum size of a list of models, in bytes. */
const listMaxBytes = 5_000_000

/** Models of an endpoint, null if the response is not a list of models; or the error of the request. */
export type ModelList = { readonly models: readonly string[] | null } | { readonly error: EngineError }

/** Lists the models of an endpoint, free of charge. */
export async function listModels(
  { baseUrl, apiKey }: { readonly baseUrl: string | null; readonly apiKey: string | null },
  signal: AbortSignal,
): Promise<ModelList> {
  const client = createOpenAiClient(parseEndpoint(baseUrl), apiKey)
  try {
    const { body } = await client.models.list({ signal }).asResponse()
    const text = await readBytes(body ?? ReadableStream.from<Uint8Array>([]), listMaxBytes)
    return { models: parseModels(text.toString()) }
  } catch (thrown) {
    return { error: toEngineError(thrown) }
  }
}

function parseModels(text: string): string[] | null {
  const body = parseJson(text)
  if (!isRecord(body) || !Array.isArray(body['data'])) return null
  return body['data'].flatMap((model: unknown) =>
    isRecord(model) && typeof model['id'] === 'string' ? [model['id']] : [],
  )
}

/** @see https://openrouter.ai/docs/api-reference/limits */
const openRouterOrigin = 'https://openrouter.ai'

/**
 * Checks that an endpoint answers and accepts the key, free of charge. Not every server lists its models, and not every key
 * may list them. OpenRouter lists them without a key, and describes the key instead.
 *
 * @throws EngineError
 */
export async function requireAnswer(client: OpenAI, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
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
