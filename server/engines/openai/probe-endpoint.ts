import type { EngineError } from '../engine-error.ts'
import { isRecord, parseJson, readBytes } from '../engine-http.ts'
import { toEngineError } from './engine-errors.ts'
import { createRequestParameters, type OptionalParameter } from './image-request.ts'
import { createOpenAiClient, parseEndpoint } from './openai-client.ts'
import { generateImage, type OpenAiEngineOptions } from './openai-engine.ts'

/** Maximum size of a list of models, in bytes. */
const listMaxBytes = 5_000_000

/** Models of an endpoint, null if the response is not a list of models; or the error of the request. */
export type ModelList = { readonly models: readonly string[] | null } | { readonly error: EngineError }

/** Lists the models of an endpoint, free of charge. */
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

/** Result of `tryEndpoint`. */
export interface Trial {
  readonly image: Uint8Array | null
  /** Form of the image in the response. */
  readonly form: 'base64' | 'url' | null
  /** Number of previews. */
  readonly previews: number
  /** Parameters that were left out because the endpoint rejected them. */
  readonly rejected: readonly OptionalParameter[]
  /** Error of the generation; null if it succeeded. */
  readonly error: EngineError | null
}

/** Generates an image exactly as the engine does and reports details. The provider may charge for it, and for a second one. */
export async function tryEndpoint(
  { apiKey, baseUrl, model, log }: Omit<OpenAiEngineOptions, 'id' | 'label'>,
  prompt: string,
  signal: AbortSignal,
): Promise<Trial> {
  const endpoint = parseEndpoint(baseUrl)
  const parameters = createRequestParameters(endpoint, model)
  const rejected: OptionalParameter[] = []
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
        rejected.push(name)
        parameters.drop(name)
      },
    },
    onImage: (arrivedAs: 'base64' | 'url') => void (form = arrivedAs),
  }
  try {
    for await (const event of generateImage(generator, prompt, signal)) {
      if (event.type === 'partial') previews += 1
      if (event.type === 'complete') image = event.bytes
    }
    return { image, form, previews, rejected, error: null }
  } catch (thrown) {
    return { image, form, previews, rejected, error: toEngineError(thrown) }
  }
}
