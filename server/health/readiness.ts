import type { Logger } from 'pino'

/** What a server must have, or be, to be given requests. */
export type Want = 'database' | 'uploads' | 'stopping'

/** Whether requests may be sent here. */
export interface Readiness {
  /** What is wrong; empty where the server is ready. Cheap, however often it is asked. */
  check(): Promise<readonly Want[]>
  /** From now on the server is not ready, so that whoever spreads requests sends them elsewhere. */
  stop(): void
}

/** How long an answer is good for the next who ask, in milliseconds. */
const memory = 1_000

/** A part that has not shown within this time that it works does not, in milliseconds; probes wait no longer. */
const patience = 2_000

/**
 * Asks each part whether it works, at most once at a time and once a second: an attempt that hangs is waited for and
 * not repeated. What changes is logged, with the cause that callers are not told.
 */
export function createReadiness(
  log: Logger,
  parts: Readonly<Record<Exclude<Want, 'stopping'>, () => Promise<void>>>,
): Readiness {
  const attempts = Object.entries(parts).map(([name, attempt]) => oneAtATime(name as Want, attempt))
  let known: { readonly faults: Promise<readonly Fault[]>; readonly until: number } | null = null
  let lastTold = ''
  let isStopping = false

  async function look(): Promise<readonly Fault[]> {
    const faults = (await Promise.all(attempts.map((attempt) => attempt()))).filter((fault) => fault !== null)
    const told = faults.map(({ want }) => want).join()
    if (told !== lastTold) {
      if (faults.length === 0) log.info('the server can write again')
      for (const { want, cause } of faults) log.error({ err: cause, want }, 'the server is not ready')
    }
    lastTold = told
    // From when it is known, so that nobody asks on while it takes long.
    known = known && { ...known, until: performance.now() + memory }
    return faults
  }

  return {
    async check() {
      if (isStopping) return ['stopping']
      if (!known || performance.now() > known.until) known = { faults: look(), until: Infinity }
      return (await known.faults).map(({ want }) => want)
    },
    stop() {
      isStopping = true
    },
  }
}

interface Fault {
  readonly want: Want
  readonly cause: unknown
}

/** Makes one attempt for all who ask while it lasts; null where it succeeds. */
function oneAtATime(want: Want, attempt: () => Promise<void>): () => Promise<Fault | null> {
  let running: Promise<Fault | null> | null = null
  return () => {
    running ??= attempt().then(
      () => null,
      (cause: unknown) => ({ want, cause }),
    )
    const ours = running
    void ours.then(() => (running = null))
    return withinPatience(ours, want)
  }
}

async function withinPatience(attempt: Promise<Fault | null>, want: Want): Promise<Fault | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Fault>((resolve) => {
    const cause = new Error(`No answer within ${patience} ms.`)
    timer = setTimeout(() => resolve({ want, cause }), patience)
  })
  try {
    return await Promise.race([attempt, late])
  } finally {
    clearTimeout(timer)
  }
}
