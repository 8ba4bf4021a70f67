import { EngineFault } from './engine-fault.ts'

/**
 * Reads a body to its end.
 *
 * @throws EngineFault where it is longer than `maxBytes`
 */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw new EngineFault('engine_failed', 'the answer is too large')
    read.push(chunk)
  }
  return Buffer.concat(read, length)
}
