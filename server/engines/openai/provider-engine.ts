import type { OpenAI } from 'openai'
import type { Logger } from 'pino'
import type { OpenAiSettings } from '../../config/engine-section.ts'
import { loggableFacts, toAppError } from '../engine-error.ts'
import type { EngineEvent, EngineRequest, ImageEngine } from '../image-engine.ts'
import { fixFor, toEngineError } from './engine-errors.ts'
import { requireAnswer } from './list-models.ts'
import type { Endpoint } from './openai-client.ts'

interface Provider extends Pick<ImageEngine, 'id' | 'kind' | 'label' | 'model' | 'capabilities'> {
  readonly client: OpenAI
  readonly endpoint: Endpoint
  /** Strings that errors must not contain. */
  readonly secrets: readonly string[]
  /** Names of the settings in the log. */
  readonly settings: OpenAiSettings
  readonly log: Logger
}

/**
 * Creates an engine that calls an endpoint through the SDK, for one configured model.
 *
 * @param generate generates one image; may throw errors of the SDK and of the connection
 */
export function createProviderEngine(
  { id, kind, label, model, capabilities, client, endpoint, secrets, settings, log }: Provider,
  generate: (request: EngineRequest, signal: AbortSignal) => AsyncIterable<EngineEvent>,
): ImageEngine {
  return {
    id,
    kind,
    label,
    model,
    capabilities,
    serialKey: null,
    isDeterministic: false,
    canResume: false,
    async check(signal) {
      try {
        await requireAnswer(client, endpoint, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        throw toAppError(toEngineError(thrown), endpoint, secrets)
      }
      return { models: [model] }
    },
    async *generate(request, signal) {
      signal.throwIfAborted()
      try {
        yield* generate(request, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        const error = toEngineError(thrown)
        const fix = fixFor(error, settings)
        if (fix !== null) log.error({ engine: id, ...loggableFacts(error, endpoint, secrets) }, fix)
        throw toAppError(error, endpoint, secrets)
      }
    },
  }
}
