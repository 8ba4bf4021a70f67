import { toEngineError, type EngineError } from './engine-errors.ts'
import { createRequestParameters, type OptionalParameter } from './image-request.ts'
import { readBytes } from './image-response.ts'
import { createOpenAiClient, parseEndpoint } from './openai-client.ts'
import { generateImage, type OpenAiEngineOptions } from './openai-engine.ts'
import { isRecord, parseJson } from './untrusted-json.ts'

/** Maximum size of a list of models; OpenAI's own has a few hundred kilobytes less. */
const listMaxBytes = 5_000_000

/** The models of an endpoint, or why they are unknown. */
export type ModelList =
  /** Null where the endpoint answers with something else. */
  { readonly models: readonly string[] | null } | { readonly error: EngineError }

/** Lists the models of an endpoint, which costs nothing. */
export async function listModels(
  { baseUrl, apiKey }: Pick<OpenAiEngineOptions, 'baseUrl' | 'apiKey'>,
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

/** The behaviour of an endpoint when it generates an image. */
export interface Trial {
  readonly image: Uint8Array | null
  /** The form in which the response contained the image. */
  readonly form: 'base64' | 'url' | null
  readonly previews: number
  /** Parameters that had to be left out. */
  readonly refused: readonly OptionalParameter[]
  /** Why there is no image. */
  readonly error: EngineError | null
}

/** Generates one image exactly as the engine does and observes how. It may be paid for, as may a second one. */
export async function tryEndpoint(
  { apiKey, baseUrl, model, log }: OpenAiEngineOptions,
  prompt: string,
  signal: AbortSignal,
): Promise<Trial> {
  const endpoint = parseEndpoint(baseUrl)
  const parameters = createRequestParameters(endpoint, model)
  const refused: OptionalParameter[] = []
  let form: Trial['form'] = null
  let previews = 0
  let image: Uint8Array | null = null
  const generator = {
    client: createOpenAiClient(endpoint, apiKey),
    endpoint,
    model,
    log,
    parameters: {
      ...parameters,
      drop(name: OptionalParameter) {
        refused.push(name)
        parameters.drop(name)
      },
    },
    onImage: (arrived: 'base64' | 'url') => void (form = arrived),
  }
  try {
    for await (const event of generateImage(generator, prompt, signal)) {
      if (event.type === 'partial') previews += 1
      else image = event.bytes
    }
    return { image, form, previews, refused, error: null }
  } catch (thrown) {
    return { image, form, previews, refused, error: toEngineError(thrown) }
  }
}
