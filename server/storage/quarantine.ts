import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import type { QuarantinedImage } from './blob-store.ts'
import { onDisk, systemCode } from './disk-error.ts'
import { folderSize } from './folder-size.ts'
import { nullIfMissing } from './null-if-missing.ts'
import { isImageFolder } from './image-names.ts'
import { makeSiteFolder, siteFolder } from './site-folder.ts'

const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)

const dayMs = 24 * 60 * 60 * 1_000

/**
 * Orphaned images of an uploads folder, in a folder for each day below the hidden one. Times of files would not tell the
 * day: a server may not be allowed to set them, and moving a folder leaves them as they are.
 */
export class Quarantine {
  readonly #uploads: string
  readonly #folder: string

  constructor(uploadsDirectory: string) {
    this.#uploads = uploadsDirectory
    this.#folder = path.join(uploadsDirectory, siteFolder, 'quarantine')
  }

  /** Moves an image here; one that is not there is no error. */
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

  /** Moves an image back; false where one of that name is there already. */
  async restore(image: QuarantinedImage): Promise<boolean> {
    try {
      await rename(this.#pathOf(image), path.join(this.#uploads, image.name))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
      throw error
    }
    await this.#removeIfEmpty(image.day)
    return true
  }

  /** Removes an image for good and returns how many bytes it took. */
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
      const code = systemCode(error)
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    }
  }
}

/** The names in a folder that may be missing, in their order. */
async function namesIn(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = (await onDisk(nullIfMissing(readdir(folder)))) ?? []
  return names.filter((name) => isWanted(name)).sort()
}
