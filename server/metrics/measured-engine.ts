import type { ImageEngine } from '../engines/image-engine.ts'

/** How asking an engine for a picture ended; `stopped`: by us, because it took too long or its owner gave it up. */
export type EngineOutcome = 'ready' | 'failed' | 'stopped'

/** The same engine, of which is told how long each picture took, in seconds. */
export function measuredEngine(
  engine: ImageEngine,
  ended: (outcome: EngineOutcome, seconds: number) => void,
): ImageEngine {
  return {
    name: engine.name,
    model: engine.model,
    async *generate(prompt, signal) {
      const began = performance.now()
      const seconds = () => (performance.now() - began) / 1_000
      let isReady = false
      try {
        for await (const event of engine.generate(prompt, signal)) {
          if (event.type === 'complete') {
            isReady = true
            ended('ready', seconds())
          }
          yield event
        }
      } finally {
        if (!isReady) ended(signal.aborted ? 'stopped' : 'failed', seconds())
      }
    },
  }
}
