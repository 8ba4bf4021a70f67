import { StartError } from '../errors/app-error.ts'
import type { Report } from './copy-images.ts'

export interface Terminal {
  readonly print: (line: string) => void
  /** Asks a yes-or-no question; null if standard input is not a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null
}

/** Asks a yes-or-no question unless `--yes` answered it. @throws StartError without a terminal */
export async function confirm(terminal: Terminal, question: string, isConfirmed: boolean): Promise<boolean> {
  if (isConfirmed) return true
  if (!terminal.ask) throw new StartError(`${question} Not a terminal: pass --yes to confirm.`)
  return terminal.ask(`${question} [y/N] `)
}

/** Progress reporter that prints at most one line every two seconds, and none for work that is done before. */
export function printProgress(print: Terminal['print'], noun: string): Report {
  let printedAt = performance.now()
  return (done, total) => {
    if (performance.now() - printedAt < 2_000) return
    printedAt = performance.now()
    print(`${done} of ${total} ${noun}`)
  }
}

/** Announces that a database is about to be read, which blocks further output: for seconds if it is large. */
export function announceDatabase(print: Terminal['print'], bytes: number): void {
  if (bytes >= 100_000_000) print(`Reading the database, ${Math.round(bytes / 1_000_000)} MB …`)
}
