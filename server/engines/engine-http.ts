import { EngineError } from './engine-error.ts'

/**
 * Reads a body to its end.
 *
 * @throws EngineError if it is longer than `maxBytes`
 */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw new EngineError('engine_failed', 'the response is too large')
    read.push(chunk)
  }
  return Buffer.concat(read, length)
}

/** Parses JSON; returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
