import { defaultRequest } from '../image-engine.ts'
import type { EngineError } from '../engine-error.ts'
import { toEngineError } from './engine-errors.ts'
import { createOpenAiClient, parseEndpoint } from './openai-client.ts'
import { generateImage, type OpenAiEngineOptions } from './openai-engine.ts'
import { RejectedParameters } from './send-request.ts'

/** Result of `tryEndpoint`. */
export interface Trial {
  readonly image: Uint8Array | null
  /** Form of the image in the response. */
  readonly form: 'base64' | 'url' | null
  /** Number of previews. */
  readonly previews: number
  /** Parameters that were left out because the endpoint rejected them. */
  readonly rejected: readonly string[]
  /** Error of the generation; null if it succeeded. */
  readonly error: EngineError | null
}

/** Generates an image exactly as the engine does and reports details. The provider may charge for it, and for a second one. */
export async function tryEndpoint(
  { apiKey, baseUrl, model, log }: Omit<OpenAiEngineOptions, 'id' | 'label' | 'settings'>,
  prompt: string,
  signal: AbortSignal,
): Promise<Trial> {
  const endpoint = parseEndpoint(baseUrl)
  const names: string[] = []
  let form: Trial['form'] = null
  let previews = 0
  let image: Uint8Array | null = null
  const rejected = new RejectedParameters((name) => void names.push(name))
  const generator = {
    client: createOpenAiClient(endpoint, apiKey),
    endpoint,
    model,
    log,
    rejected: { generations: rejected, edits: rejected },
    onImage: (arrivedAs: 'base64' | 'url') => void (form = arrivedAs),
  }
  try {
    for await (const event of generateImage(generator, defaultRequest('', prompt), signal)) {
      if (event.type === 'partial') previews += 1
      if (event.type === 'complete') image = event.bytes
    }
    return { image, form, previews, rejected: names, error: null }
  } catch (thrown) {
    return { image, form, previews, rejected: names, error: toEngineError(thrown) }
  }
}
