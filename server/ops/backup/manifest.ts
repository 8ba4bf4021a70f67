import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { StartError } from '../../errors/start-error.ts'
import { manifestName } from './layout.ts'

const manifest = z.object({
  format: z.literal(1),
  /** ISO 8601. */
  takenAt: z.iso.datetime(),
  /** The last migration that the database has seen. */
  version: z.string(),
  posts: z.int(),
  pictures: z.int(),
  /** Pictures that rows name, and that were missing or damaged when the backup was taken. */
  lost: z.int(),
  database: z.object({ bytes: z.int(), sha256: z.string() }),
})

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifest>

/** @throws StartError for one that is missing or makes no sense */
export async function readManifest(backup: string): Promise<Manifest> {
  try {
    return manifest.parse(JSON.parse(await readFile(path.join(backup, manifestName), 'utf8')))
  } catch (cause) {
    throw new StartError(`The backup ${backup} has no ${manifestName} that this version can read.`, { cause })
  }
}
