import { faultOf } from './describe-fault.ts'
import { endpointAt } from './endpoint.ts'
import type { EngineFault } from './engine-fault.ts'
import { makePicture } from './make-picture.ts'
import { createOpenAiClient } from './openai-client.ts'
import type { OpenAiEngineOptions } from './openai-engine.ts'
import { createRequestParameters, type OptionalParameter } from './request-parameters.ts'

/** What an endpoint turned out to do when it was asked for a picture. */
export interface Trial {
  readonly picture: Uint8Array | null
  /** How the picture came. */
  readonly form: 'base64' | 'url' | null
  readonly previews: number
  /** Parameters that had to be left out. */
  readonly refused: readonly OptionalParameter[]
  /** Why there is no picture. */
  readonly fault: EngineFault | null
}

/** Has one picture made, exactly as the engine does, and watches how. It may be paid for, as may a second one. */
export async function tryEndpoint(
  { apiKey, baseUrl, model, log }: OpenAiEngineOptions,
  prompt: string,
  signal: AbortSignal,
): Promise<Trial> {
  const endpoint = endpointAt(baseUrl)
  const known = createRequestParameters(endpoint, model)
  const refused: OptionalParameter[] = []
  let form: Trial['form'] = null
  let previews = 0
  let picture: Uint8Array | null = null
  const maker = {
    client: createOpenAiClient(endpoint, apiKey),
    endpoint,
    model,
    log,
    parameters: {
      ...known,
      drop(name: OptionalParameter) {
        refused.push(name)
        known.drop(name)
      },
    },
    onPicture: (came: 'base64' | 'url') => void (form = came),
  }
  try {
    for await (const event of makePicture(maker, prompt, signal)) {
      if (event.type === 'partial') previews += 1
      else picture = event.bytes
    }
    return { picture, form, previews, refused, fault: null }
  } catch (thrown) {
    return { picture, form, previews, refused, fault: faultOf(thrown) }
  }
}
