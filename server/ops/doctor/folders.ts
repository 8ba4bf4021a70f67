import { randomBytes } from 'node:crypto'
import { access, constants, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import type { DiskStorageConfig, S3StorageConfig } from '../../config/storage-section.ts'
import { Bucket } from '../../storage/bucket.ts'
import { systemCode, folderSize, nullIfMissing } from '../../files/disk-files.ts'
import { formatBytes, note, ok, problem, type Line } from './report.ts'

/** Free space below which a note warns: a few dozen images of a provider. */
const lowSpaceBytes = 1024 ** 3

/** Free space that a generation requires. */
const requiredSpaceBytes = 34 * 1024 ** 2

/** Share of UPLOADS_MAX_BYTES above which a note warns. */
const nearlyFull = 0.9

/** Checks that the configured folders are writable and have space. Creates none of them. */
export async function checkFolders(config: Config): Promise<Line[]> {
  const { database, storage } = config
  const lines =
    database.kind === 'sqlite'
      ? await checkFolder('DATABASE_URL', 'The data folder', path.dirname(database.file))
      : []
  if (database.kind === 'sqlite') {
    const files = ['', '-wal', '-shm'].map((suffix) => database.file + suffix)
    lines.push(...(await checkPermissions(files)))
  }
  if (storage.kind === 's3') return [...lines, await checkBucket(storage)]
  lines.push(...(await checkFolder('UPLOADS_DIR', 'The uploads folder', storage.directory)))
  lines.push(...(await checkPermissions([storage.directory])))
  lines.push(...(await checkFolderQuota(storage)))
  return lines
}

/** Notes files and folders to which other users of the machine have access, as earlier versions created them. */
async function checkPermissions(places: readonly string[]): Promise<Line[]> {
  const lines: Line[] = []
  if (platform() === 'win32') return lines
  for (const place of places) {
    const found = await statOf(place)
    if (found && (found.mode & 0o077) !== 0) {
      const quoted = `'${place.replaceAll("'", String.raw`'\''`)}'`
      lines.push(note(`Other users of this machine can read ${place}.`, `Run: chmod go-rwx ${quoted}`))
    }
  }
  return lines
}

async function checkFolder(variable: string, name: string, folder: string): Promise<Line[]> {
  const found = await nearestExisting(folder)
  const who = 'the user that runs the server'
  if (!found.isDirectory) {
    return [
      problem(
        `${name} cannot be at ${folder}: ${found.place} is a file.`,
        `Move it away or set ${variable}.`,
      ),
    ]
  }
  if (found.place !== folder) {
    const code = await codeOf(access(found.place, constants.W_OK | constants.X_OK))
    return code === null
      ? [
          ok(`${name} ${folder} does not exist yet; the first start creates it.`),
          ...(await freeSpace(name, found.place)),
        ]
      : [
          problem(
            `${name} ${folder} does not exist, and cannot be created in ${found.place} (${code}).`,
            `Create it for ${who}, or set ${variable}.`,
          ),
        ]
  }
  const code = await codeOf(writeAndRemove(folder))
  if (code === null) return [ok(`${name} ${folder} can be written.`), ...(await freeSpace(name, folder))]
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return [
    problem(
      `${name} ${folder} cannot be written (${code}).`,
      isFull ? 'Free space on its disk.' : `Give ${who} write access, or set ${variable}.`,
    ),
  ]
}

/** Finds the folder, or its nearest parent that exists. */
async function nearestExisting(folder: string): Promise<{ place: string; isDirectory: boolean }> {
  const found = await statOf(folder)
  if (found) return { place: folder, isDirectory: found.isDirectory() }
  return nearestExisting(path.dirname(folder))
}

async function statOf(place: string) {
  try {
    return await nullIfMissing(stat(place))
  } catch (error) {
    // Nothing is below a file; a folder that denies access is reported through its parent.
    if (['ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

async function writeAndRemove(folder: string): Promise<void> {
  const file = path.join(folder, `.doctor-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(file, 'This file may be removed.\n', { flag: 'wx' })
  } finally {
    await nullIfMissing(unlink(file))
  }
}

async function freeSpace(name: string, folder: string): Promise<Line[]> {
  const { blocks, bavail, bsize } = await statfs(folder)
  // Some network file systems report no size.
  if (blocks === 0) return []
  const free = bavail * bsize
  const text = `${name} has ${formatBytes(free)} of free space.`
  if (free < requiredSpaceBytes) return [problem(text, 'Free space: no image is generated without it.')]
  return [free < lowSpaceBytes ? note(text, 'Free space soon.') : ok(text)]
}

async function checkFolderQuota({ maxBytes, directory }: DiskStorageConfig): Promise<Line[]> {
  if (maxBytes === null) return [ok('UPLOADS_MAX_BYTES is off: images may take as much as the disk has.')]
  if (!(await statOf(directory))?.isDirectory()) return []
  return [checkQuota(await folderSize(directory), maxBytes)]
}

/** Compares the bytes of all images with their limit. */
export function checkQuota(taken: number, maxBytes: number): Line {
  const text = `Images take ${formatBytes(taken)} of the ${formatBytes(maxBytes)} that UPLOADS_MAX_BYTES allows.`
  if (taken >= maxBytes) return problem(text, 'Raise it: new images are rejected.')
  return taken > nearlyFull * maxBytes ? note(text, 'Raise it soon.') : ok(text)
}

/** Checks that objects in a bucket can be listed, read, written and deleted. */
async function checkBucket(config: S3StorageConfig): Promise<Line> {
  const bucket = await Bucket.open(config)
  try {
    const issue = await bucket.findIssue()
    if (issue) return problem(`${issue.variable}: ${issue.what}.`, issue.fix)
    return ok(`The bucket ${bucket.name} can be read and written.`)
  } finally {
    bucket.close()
  }
}

/** @returns the system's error code, or null for success */
export async function codeOf(work: Promise<void>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code
  }
}
