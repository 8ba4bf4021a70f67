import type { Report } from '../ops/backup/site-files.ts'

/** Between two lines, in milliseconds. */
const interval = 2_000

/** Says how far long work is, now and then; nothing of what is done at once. */
export function progress(print: (line: string) => void, what: string): Report {
  let last = performance.now()
  return (done, total) => {
    if (performance.now() - last < interval) return
    last = performance.now()
    print(`${done} of ${total} ${what}`)
  }
}

/** Bytes from which a database takes seconds to read. */
const largeDatabase = 100_000_000

/** Says that a large database is about to be read, while nothing else can be said. */
export function announceDatabase(print: (line: string) => void, bytes: number): void {
  if (bytes >= largeDatabase) print(`Reading the database, ${Math.round(bytes / 1_000_000)} MB …`)
}
