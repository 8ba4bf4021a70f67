/** What becomes of requests: they are answered, get no connection, get an error, or are kept waiting. */
export type Manner = 'answers' | 'refuses' | 'fails' | 'throws' | 'is silent'

/** Lets requests through, or holds them until it is told otherwise. */
export interface Gate {
  /** Changes how requests are treated, those too that wait. */
  become(manner: Manner): void
  /** How requests are to be treated, once that is anything but silence. */
  pass(): Promise<Exclude<Manner, 'is silent'>>
  /** How many requests wait. */
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
