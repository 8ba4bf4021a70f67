import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'

/** Output and input of a command. */
export interface Terminal {
  readonly print: (line: string) => void
  /** Asks a yes-or-no question; null if standard input is not a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null
}

/** Asks a question; anything but `y` or `yes` is a no, as is the end of the input. */
export async function ask(question: string, input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output })
  // A closed terminal never answers.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(question), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

const progressIntervalMs = 2_000

/** Progress reporter that prints at most one line per interval, and none for work that is done within one. */
export function printProgress(print: Terminal['print'], noun: string): (done: number, total: number) => void {
  let printedAt = performance.now()
  return (done, total) => {
    if (performance.now() - printedAt < progressIntervalMs) return
    printedAt = performance.now()
    print(`${done} of ${total} ${noun}`)
  }
}

/** Size from which reading a database takes seconds. */
const largeDatabaseBytes = 100_000_000

/** Announces that a large database is about to be read, which blocks further output. */
export function announceDatabase(print: Terminal['print'], bytes: number): void {
  if (bytes >= largeDatabaseBytes) print(`Reading the database, ${Math.round(bytes / 1_000_000)} MB …`)
}

/** `1 post`, `2 posts`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
