import { opendir, stat } from 'node:fs/promises'
import { nullIfMissing } from '../../storage/null-if-missing.ts'
import { isPictureFolder } from '../../storage/image-names.ts'
import type { SiteFiles } from './site-files.ts'

/** What of a site is there already. */
export interface Presence {
  readonly database: boolean
  readonly pictures: number
}

/** Looks whether a site is there, its database or any picture. */
export async function whatIsThere({ databaseFile, uploadsDirectory }: SiteFiles): Promise<Presence> {
  let pictures = 0
  for await (const { name } of await opendir(uploadsDirectory)) if (isPictureFolder(name)) pictures += 1
  const found = await Promise.all(
    ['', '-wal', '-journal'].map((suffix) => nullIfMissing(stat(databaseFile + suffix))),
  )
  return { database: found.some((one) => one !== null), pictures }
}
