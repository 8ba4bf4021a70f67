import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Download } from 'playwright-core'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50

/**
 * Reads a ZIP archive whose files are stored as they are: names and contents, in the order of its directory.
 *
 * @throws where it is none, or where a file is not what its checksum says
 */
export async function readArchive(download: Download): Promise<Map<string, Buffer>> {
  const bytes = await readFile(await download.path())
  const end = bytes.lastIndexOf(uint32(endOfDirectory))
  if (end < 0) throw new Error('The archive has no end.')
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== directoryEntry) throw new Error('The archive’s directory is broken.')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const content = contentAt(bytes, bytes.readUInt32LE(at + 42), bytes.readUInt32LE(at + 20))
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} is not what was packed.`)
    files.set(name, content)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
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
