import { opendir, stat } from 'node:fs/promises'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { isImageFolder } from '../../storage/image-names.ts'
import type { SiteFiles } from './site-files.ts'

/** What of a site is there already. */
export interface Presence {
  readonly database: boolean
  readonly images: number
}

/** Looks whether a site is there, its database or any image. */
export async function whatIsThere({ databaseFile, uploadsDirectory }: SiteFiles): Promise<Presence> {
  let images = 0
  for await (const { name } of await opendir(uploadsDirectory)) if (isImageFolder(name)) images += 1
  const found = await Promise.all(
    ['', '-wal', '-journal'].map((suffix) => nullIfMissing(stat(databaseFile + suffix))),
  )
  return { database: found.some((one) => one !== null), images }
}
