import type { ImageEngine } from './image-engine.ts'

interface Provider extends Omit<ImageEngine, 'isDeterministic'> {
  /** Converts an error of `check` or `generate` to the one that the engine throws. */
  readonly toError: (thrown: unknown, source: 'check' | 'generate') => unknown
}

/** Creates the engine of a provider. Its errors are converted, unless the signal is aborted: then its reason is thrown. */
export function createProviderEngine({ toError, check, generate, ...facts }: Provider): ImageEngine {
  return {
    ...facts,
    isDeterministic: false,
    async check(signal) {
      signal.throwIfAborted()
      try {
        return await check(signal)
      } catch (thrown) {
        signal.throwIfAborted()
        throw toError(thrown, 'check')
      }
    },
    async *generate(request, signal) {
      signal.throwIfAborted()
      try {
        yield* generate(request, signal)
      } catch (thrown) {
        signal.throwIfAborted()
        throw toError(thrown, 'generate')
      }
    },
  }
}
