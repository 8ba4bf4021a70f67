import { faultOf } from './describe-fault.ts'
import { endpointAt } from './endpoint.ts'
import type { EngineFault } from './engine-fault.ts'
import { createOpenAiClient } from './openai-client.ts'
import { readBytes } from './read-bytes.ts'
import type { OpenAiEngineOptions } from './openai-engine.ts'
import { isRecord, parseJson } from './untrusted-json.ts'

/** The longest list that is read; OpenAI's own has a few hundred kilobytes less. */
const listMaxBytes = 5_000_000

/** What an endpoint says when it is asked for its models, which costs nothing. */
export type ModelsAnswer =
  /** Null: it answers, but not with a list. */
  { readonly models: readonly string[] | null } | { readonly fault: EngineFault }

/** Asks an endpoint which models it has. */
export async function listModels(
  { baseUrl, apiKey }: Pick<OpenAiEngineOptions, 'baseUrl' | 'apiKey'>,
  signal: AbortSignal,
): Promise<ModelsAnswer> {
  const client = createOpenAiClient(endpointAt(baseUrl), apiKey)
  try {
    const response = await client.models.list({ signal }).asResponse()
    return {
      models: modelsIn(
        (await readBytes(response.body ?? ReadableStream.from<Uint8Array>([]), listMaxBytes)).toString(),
      ),
    }
  } catch (thrown) {
    return { fault: faultOf(thrown) }
  }
}

function modelsIn(text: string): string[] | null {
  const body = parseJson(text)
  if (!isRecord(body) || !Array.isArray(body['data'])) return null
  return body['data'].flatMap((model: unknown) =>
    isRecord(model) && typeof model['id'] === 'string' ? [model['id']] : [],
  )
}
