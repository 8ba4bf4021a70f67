import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** As much as a disk gives out at a time. */
const bytes = Buffer.alloc(4_096)

/** Makes a folder with a file in it and removes them, as rights, read-only disks and full ones show only in writing. */
export async function tryWriting(folder: string): Promise<void> {
  await mkdir(folder)
  try {
    await writeFile(path.join(folder, 'check'), bytes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
