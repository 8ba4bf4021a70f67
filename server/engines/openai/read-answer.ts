import { parseAnswer, type Message } from './parse-answer.ts'
import { pictureTextMaxBytes } from './picture-bytes.ts'
import { readBytes } from './read-bytes.ts'
import { readEvents } from './read-events.ts'

/**
 * Reads an answer, be it a stream of events or plain JSON. Its first character tells which, as the declared type does
 * not: servers send JSON to who asked for a stream, and streams as plain text.
 *
 * @throws EngineFault where it can't be read
 */
export async function* readAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    const begin = await skipBlank(chunks)
    const all = rejoin(begin, chunks)
    if (/^\s*[a-z:]/.test(begin.toString('latin1'))) {
      for await (const event of readEvents(all, pictureTextMaxBytes)) yield parseAnswer(event)
    } else {
      yield parseAnswer((await readBytes(all, pictureTextMaxBytes)).toString())
    }
  } finally {
    await chunks.return?.()
  }
}

/** The first chunk that has more than white space, which some servers send to keep a connection open. */
async function skipBlank(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  for (;;) {
    const next = await chunks.next()
    if (next.done) return Buffer.alloc(0)
    const chunk = Buffer.from(next.value)
    if (/\S/.test(chunk.toString('latin1'))) return chunk
  }
}

async function* rejoin(begin: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begin
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}
