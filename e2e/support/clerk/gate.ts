/** Treatment of requests: answered, refused connection, error, or no response. */
export type Manner = 'answers' | 'refuses' | 'fails' | 'throws' | 'is silent'

/** Lets requests pass, fail or wait. */
export interface Gate {
  /** Changes the treatment of requests, including waiting ones. */
  become(manner: Manner): void
  /** Resolves to the treatment once it is not silence. */
  pass(): Promise<Exclude<Manner, 'is silent'>>
  /** Number of waiting requests. */
  readonly waiting: number
}

export function makeGate(): Gate {
  let manner: Manner = 'answers'
  const waiting: (() => void)[] = []
  return {
    become(next) {
      manner = next
      for (const go of waiting.splice(0)) go()
    },
    async pass() {
      for (;;) {
        if (manner !== 'is silent') return manner
        await new Promise<void>((go) => waiting.push(go))
      }
    },
    get waiting() {
      return waiting.length
    },
  }
}
