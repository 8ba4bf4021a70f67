import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** A file's size in bytes, and the SHA-256 of what is in it, hexadecimal. */
export async function fileSum(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}
