import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../errors/start-error.ts'
import type { BlobStore, PictureFiles } from './blob-store.ts'

const folderPattern = /^[A-Za-z0-9_-]{22}$/
const unfinishedPattern = /^\.unfinished-[A-Za-z0-9_-]{22}$/
const filePattern = /^[a-z0-9]+\.(?:jpg|webp)$/

/**
 * Keeps each picture as a folder below `directory`, which is made where missing.
 *
 * @throws StartError where the directory can't be written
 */
export async function openDiskBlobStore(directory: string): Promise<BlobStore> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK)
  } catch (cause) {
    throw new StartError(`UPLOADS_DIR: the folder ${directory} can't be written.`, { cause })
  }

  async function put(files: PictureFiles): Promise<string> {
    const folder = randomBytes(16).toString('base64url')
    const unfinished = path.join(directory, `.unfinished-${folder}`)
    try {
      await mkdir(unfinished)
      for (const [file, bytes] of Object.entries(files))
        await writeDurably(path.join(unfinished, file), bytes)
      await syncFolder(unfinished)
      await rename(unfinished, path.join(directory, folder))
      await syncFolder(directory)
      return folder
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  }

  function pathOf(folder: string, file: string): string | null {
    return folderPattern.test(folder) && filePattern.test(file) ? path.join(directory, folder, file) : null
  }

  return {
    put,

    async open(folder, file) {
      const filePath = pathOf(folder, file)
      const found = filePath ? await nullIfMissing(stat(filePath)) : null
      return filePath && found ? { size: found.size, stream: () => createReadStream(filePath) } : null
    },

    async read(folder, file) {
      const filePath = pathOf(folder, file)
      return filePath ? nullIfMissing(readFile(filePath)) : null
    },

    async remove(folder) {
      if (folderPattern.test(folder) || unfinishedPattern.test(folder)) {
        await rm(path.join(directory, folder), { recursive: true, force: true })
      }
    },

    async *olderThan(age) {
      const newest = Date.now() - age
      for await (const { name } of await opendir(directory)) {
        if (!folderPattern.test(name) && !unfinishedPattern.test(name)) continue
        const found = await nullIfMissing(stat(path.join(directory, name)))
        if (found?.isDirectory() && found.mtimeMs < newest) yield name
      }
    },
  }
}

async function writeDurably(filePath: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(filePath, 'wx')
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder's entries durable: without it, a renamed file's name may be lost though its bytes are not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null
    throw error
  }
}
