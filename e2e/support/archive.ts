import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Download } from 'playwright-core'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50

/**
 * Reads a ZIP archive of uncompressed files.
 *
 * @returns contents by name, in the order of the central directory
 * @throws if the archive is invalid or a checksum does not match
 */
export async function readArchive(download: Download): Promise<Map<string, Buffer>> {
  const bytes = await readFile(await download.path())
  const end = bytes.lastIndexOf(uint32(endOfDirectory))
  if (end < 0) throw new Error('The archive has no end of central directory.')
  const files = new Map<string, Buffer>()
  let offset = bytes.readUInt32LE(end + 16)
  for (let remaining = bytes.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    if (bytes.readUInt32LE(offset) !== directoryEntry)
      throw new Error('The central directory of the archive is invalid.')
    const nameLength = bytes.readUInt16LE(offset + 28)
    const name = bytes.toString('utf8', offset + 46, offset + 46 + nameLength)
    const content = contentAt(bytes, bytes.readUInt32LE(offset + 42), bytes.readUInt32LE(offset + 20))
    if (crc32(content) !== bytes.readUInt32LE(offset + 16))
      throw new Error(`The checksum of ${name} does not match.`)
    files.set(name, content)
    offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32)
  }
  return files
}

function contentAt(bytes: Buffer, header: number, size: number): Buffer {
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
  return bytes.subarray(start, start + size)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
