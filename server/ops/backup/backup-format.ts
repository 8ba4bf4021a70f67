import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { StartError } from '../../errors/app-error.ts'
import { nullIfMissing, syncFile } from '../../files/disk-files.ts'

/** Files of a site that a backup contains; absolute paths. */
export interface SiteFiles {
  readonly databaseFile: string
  /** Null for images in a bucket, which are neither backed up nor restored. */
  readonly uploadsDirectory: string | null
  /** Signs sessions; missing if the environment sets `AUTH_SECRET`. */
  readonly secretFile: string
}

/**
 * Folder with the images of all backups: they never change, so that each is stored once. Everything else of a backup is in
 * a folder that is named after its time.
 */
export const pool = 'pictures'
export const databaseName = 'rangoli.db'
export const secretName = 'auth-secret'
const manifestName = 'manifest.json'
/** Checksums in the format of `sha256sum --check`, relative to the folder of backups. */
export const checksumsName = 'SHA256SUMS'

/** Marks a folder of backups, and is locked while a process writes to it. */
export const markerName = 'rangoli-backups'

const backupPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const unfinishedPattern = /^\.unfinished-\d{4}-\d\d-\d\dT/

/** Name of a backup taken at a time in milliseconds since 1970; names sort by time. */
export function timestampName(timeMs: number): string {
  return new Date(timeMs).toISOString().replaceAll(/[:.]/g, '-')
}

/** Name of a backup that is being written or removed. */
export function unfinishedName(backup: string): string {
  return `.unfinished-${backup}`
}

export function isUnfinished(name: string): boolean {
  return unfinishedPattern.test(name)
}

/** Names of the finished backups in a folder, oldest first. */
export async function listBackups(directory: string): Promise<string[]> {
  const names = (await nullIfMissing(readdir(directory))) ?? []
  return names.filter((name) => backupPattern.test(name)).sort()
}

const manifestSchema = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** Last migration of the database. */
  version: z.string(),
  posts: z.int(),
  /** Number of images. */
  pictures: z.int(),
  /** Number of images that were missing or damaged when the backup was taken. */
  lost: z.int(),
  database: z.object({ bytes: z.int(), sha256: z.string() }),
})

/** Content of `manifest.json`. */
export type Manifest = z.infer<typeof manifestSchema>

/** Path of a backup's `manifest.json`. */
export function manifestFile(backup: string): string {
  return path.join(backup, manifestName)
}

/** @throws StartError for a missing or invalid manifest */
export async function readManifest(backup: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(manifestFile(backup), 'utf8')))
  } catch (cause) {
    throw new StartError(`The backup ${backup} has no ${manifestName} that this version can read.`, { cause })
  }
}

/** Copies the secret durably, readable by its owner only. @returns false if there is none */
export async function copySecret(from: string, to: string): Promise<boolean> {
  const isCopied = await nullIfMissing(copyFile(from, to).then(() => true))
  if (!isCopied) return false
  await chmod(to, 0o600)
  await syncFile(to)
  return true
}

/** Size in bytes and hexadecimal SHA-256 of a file. */
export async function fileChecksum(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export function checksumLine(sha256: string, file: string): string {
  return `${sha256}  ${file}\n`
}

/** Folders of the images that a file of checksums lists. */
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
