import type { Readable, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'

/** Asks a question on a terminal; anything but y or yes is a no, as is the end of the input. */
export async function ask(question: string, input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output })
  // A terminal that is closed never answers.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(question), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
