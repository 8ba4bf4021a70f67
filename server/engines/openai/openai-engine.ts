import type { Logger } from 'pino'
import type { ImageEngine } from '../image-engine.ts'
import { cleanPrompt } from './clean-prompt.ts'
import { faultOf } from './describe-fault.ts'
import { endpointAt } from './endpoint.ts'
import { EngineFault } from './engine-fault.ts'
import { pickFacts, toAppError } from './failure.ts'
import { makePicture } from './make-picture.ts'
import { mendOf } from './mend.ts'
import { createOpenAiClient } from './openai-client.ts'
import { createRequestParameters } from './request-parameters.ts'

/** What the openai engine is made from. */
export interface OpenAiEngineOptions {
  /** Sent as the bearer token; some servers need none. */
  readonly apiKey: string | null
  /** OpenAI's own where it is null. */
  readonly baseUrl: string | null
  /** Sent as it is: the provider knows its models better than any list. */
  readonly model: string
  readonly log: Logger
}

/** An engine that asks OpenAI, or any server that speaks its Images API, for pictures. */
export function createOpenAiEngine({ apiKey, baseUrl, model, log }: OpenAiEngineOptions): ImageEngine {
  const endpoint = endpointAt(baseUrl)
  const client = createOpenAiClient(endpoint, apiKey)
  const maker = { client, endpoint, model, log, parameters: createRequestParameters(endpoint, model) }
  const secrets = apiKey === null ? [] : [apiKey]

  return {
    name: 'openai',
    model,
    async *generate(prompt, signal) {
      signal.throwIfAborted()
      try {
        const words = cleanPrompt(prompt)
        if (words === '') throw new EngineFault('prompt_blocked', 'the prompt had nothing but parameters')
        yield* makePicture(maker, words, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        const fault = faultOf(thrown)
        const mend = mendOf(fault)
        if (mend !== null) log.error(pickFacts(fault, endpoint, secrets), mend)
        throw toAppError(fault, endpoint, secrets)
      }
    },
  }
}
