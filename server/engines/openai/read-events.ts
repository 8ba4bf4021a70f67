import { EngineFault } from './engine-fault.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Reads a stream of server-sent events and yields the data of each, up to `[DONE]`.
 *
 * Not the SDK's own reader: with each chunk it copies and searches all that it has of an event so far, which for one
 * picture of 8 MB keeps the event loop busy for seconds.
 *
 * @throws EngineFault where one line is longer than `maxBytes`
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(chunks, maxBytes)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    const event = data.join('\n')
    if (event.startsWith('[DONE]')) return
    yield event
    data = []
  }
  // A last event without its blank line was cut off, or comes from a server that forgets it: whoever parses it sees.
  if (data.length > 0 && data[0] !== '[DONE]') yield data.join('\n')
}

/** Lines that end in LF or CRLF. */
async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string> {
  let begun: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield toLine([...begun, chunk.subarray(start, end)])
      begun = []
      length = 0
      start = end + 1
    }
    length += chunk.length - start
    if (length > maxBytes) throw new EngineFault('engine_failed', 'an event of the answer is too large')
    begun.push(chunk.subarray(start))
  }
  if (length > 0) yield toLine(begun)
}

function toLine(parts: Uint8Array[]): string {
  const line = Buffer.concat(parts)
  return line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length)
}
