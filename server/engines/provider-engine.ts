import { connectionError, EngineError, toAppError } from './engine-error.ts'
import type { EngineServer } from './engine-http.ts'
import type { ImageEngine } from './image-engine.ts'

interface Identity extends Pick<ImageEngine, 'id' | 'kind' | 'label'> {
  readonly model: string | null
}

interface Provider
  extends
    Pick<ImageEngine, 'capabilities' | 'check' | 'generate'>,
    Partial<Pick<ImageEngine, 'serialKey' | 'canResume' | 'hasModelDetails' | 'reportsCost'>> {
  /** Called before `check` fails. */
  readonly onFailedCheck?: () => void
}

/**
 * Creates the engine of a provider, whose `check` and `generate` throw EngineErrors or system errors of the connection. They
 * become AppErrors, unless the signal is aborted: then its reason is thrown.
 */
export function createProviderEngine(
  { id, kind, label, model }: Identity,
  { base, secrets }: EngineServer,
  { onFailedCheck, check, generate, ...facts }: Provider,
): ImageEngine {
  const convert = (thrown: unknown) => {
    const error = thrown instanceof EngineError ? thrown : connectionError(thrown)
    return toAppError(error, base.host, secrets)
  }
  return {
    id,
    kind,
    label,
    model: model ?? '',
    serialKey: null,
    canResume: false,
    ...facts,
    isDeterministic: false,
    async check(signal) {
      signal.throwIfAborted()
      try {
        return await check(signal)
      } catch (thrown) {
        signal.throwIfAborted()
        onFailedCheck?.()
        throw convert(thrown)
      }
    },
    async *generate(request, signal) {
      signal.throwIfAborted()
      try {
        yield* generate(request, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        throw convert(thrown)
      }
    },
  }
}
