import { connectionError, EngineError, toAppError } from './engine-error.ts'
import type { ImageEngine } from './image-engine.ts'

interface Provider extends Omit<ImageEngine, 'isDeterministic'> {
  /** Host and port, for the log. */
  readonly host: string
  /** Strings that errors must not contain. */
  readonly secrets: readonly string[]
  /** Called before `check` fails. */
  readonly onFailedCheck?: () => void
}

/**
 * Creates the engine of a provider, whose `check` and `generate` throw EngineErrors or system errors of the connection. They
 * become AppErrors, unless the signal is aborted: then its reason is thrown.
 */
export function createProviderEngine({
  host,
  secrets,
  onFailedCheck,
  check,
  generate,
  ...facts
}: Provider): ImageEngine {
  const convert = (thrown: unknown) => {
    const error = thrown instanceof EngineError ? thrown : connectionError(thrown)
    return toAppError(error, host, secrets)
  }
  return {
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
