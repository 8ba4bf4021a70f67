import type { Report } from '../backup/site-files.ts'

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
