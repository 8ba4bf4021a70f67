import { open } from 'node:fs/promises'
import path from 'node:path'
import { pool } from './layout.ts'

/** A list of files and their SHA-256, as `sha256sum --check` reads it. */
export interface Sums {
  add(sha256: string, file: string): Promise<void>
  /** Makes it durable. */
  close(): Promise<void>
}

/** Lines that are written at a time. */
const linesMax = 1_000

/** Begins such a list. */
export async function openSums(file: string): Promise<Sums> {
  const handle = await open(file, 'wx', 0o600)
  let lines: string[] = []
  const write = async () => {
    await handle.appendFile(lines.join(''))
    lines = []
  }
  return {
    async add(sha256, name) {
      lines.push(`${sha256}  ${name}\n`)
      if (lines.length >= linesMax) await write()
    },
    async close() {
      try {
        await write()
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

/** The folders of the images that a list names. */
export async function* imageFoldersIn(file: string): AsyncGenerator<string> {
  const handle = await open(file, 'r')
  try {
    for await (const line of handle.readLines()) {
      const [, name = ''] = line.split('  ')
      const [first, folder] = name.split(path.posix.sep)
      if (first === pool && folder !== undefined) yield folder
    }
  } finally {
    await handle.close()
  }
}
