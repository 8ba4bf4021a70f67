import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import type { QuarantinedImage } from './blob-store.ts'
import { folderSize, nullIfMissing, onDisk, systemCode } from './disk-files.ts'
import { isImageFolder, makeSiteFolder, siteFolder } from './uploads-folder.ts'

const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)

const dayMs = 24 * 60 * 60 * 1_000

/**
 * Quarantine of orphaned images in an uploads folder, with one folder per day. The day is in the path because moving a
 * folder keeps its times, and a server may not be allowed to change them.
 */
export class Quarantine {
  readonly #uploads: string
  readonly #folder: string

  constructor(uploadsDirectory: string) {
    this.#uploads = uploadsDirectory
    this.#folder = path.join(uploadsDirectory, siteFolder, 'quarantine')
  }

  /** Moves an image here. A missing image is not an error. */
  async add(name: string): Promise<void> {
    if (!isImageFolder(name)) return
    const day = path.join(this.#folder, new Date().toISOString().slice(0, 10))
    await makeSiteFolder(this.#uploads)
    await mkdir(day, { recursive: true })
    await nullIfMissing(rename(path.join(this.#uploads, name), path.join(day, name)))
  }

  async *list(): AsyncGenerator<QuarantinedImage> {
    for (const day of await namesIn(this.#folder, isDay)) {
      const since = Date.parse(day) + dayMs
      for (const name of await namesIn(path.join(this.#folder, day), isImageFolder))
        yield { name, day, since }
    }
  }

  /** Moves an image back. Returns false if the uploads folder has an image of that name. */
  async restore(image: QuarantinedImage): Promise<boolean> {
    try {
      await rename(this.#pathOf(image), path.join(this.#uploads, image.name))
    } catch (error) {
      if (isNotEmpty(error)) return false
      throw error
    }
    await this.#removeIfEmpty(image.day)
    return true
  }

  /** Deletes an image and returns its bytes. */
  async remove(image: QuarantinedImage): Promise<number> {
    const folder = this.#pathOf(image)
    const size = await folderSize(folder)
    await rm(folder, { recursive: true, force: true })
    await this.#removeIfEmpty(image.day)
    return size
  }

  #pathOf({ day, name }: QuarantinedImage): string {
    return path.join(this.#folder, day, name)
  }

  async #removeIfEmpty(day: string): Promise<void> {
    try {
      await nullIfMissing(rmdir(path.join(this.#folder, day)))
    } catch (error) {
      if (!isNotEmpty(error)) throw error
    }
  }
}

function isNotEmpty(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOTEMPTY' || code === 'EEXIST'
}

/** Lists the names in a folder, sorted; none for a missing folder. */
async function namesIn(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = (await onDisk(nullIfMissing(readdir(folder)))) ?? []
  return names.filter((name) => isWanted(name)).sort()
}
