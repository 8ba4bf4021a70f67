import { randomBytes } from 'node:crypto'
import { access, constants, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import { systemCode, folderSize, nullIfMissing } from '../../files/disk-files.ts'
import { Bucket } from '../../storage/bucket.ts'
import { formatBytes, note, ok, problem, type Line, type Lines } from './report.ts'

/** Free space below which a note warns: a few dozen images of a provider. */
const lowSpaceBytes = 1024 ** 3

/** Free space that a generation requires. */
const requiredSpaceBytes = 34 * 1024 ** 2

/** Share of UPLOADS_MAX_BYTES above which a note warns. */
const nearlyFull = 0.9

/** Checks that the configured folders are writable and have space. Creates none of them. */
export async function* checkFolders({ database, storage }: Config): Lines {
  if (database.kind === 'sqlite') {
    yield* checkFolder('DATABASE_URL', 'The data folder', path.dirname(database.file))
    for (const suffix of ['', '-wal', '-shm']) yield* checkPermissions(database.file + suffix)
  }
  if (storage.kind === 's3') {
    const bucket = await Bucket.open(storage)
    const issue = await bucket.findIssue().finally(() => bucket.close())
    yield issue
      ? problem(`${issue.variable}: ${issue.what}.`, issue.fix)
      : ok(`The bucket ${bucket.name} can be read and written.`)
    return
  }
  const { directory, maxBytes } = storage
  yield* checkFolder('UPLOADS_DIR', 'The uploads folder', directory)
  yield* checkPermissions(directory)
  if (maxBytes === null) yield ok('UPLOADS_MAX_BYTES is off: images may take as much as the disk has.')
  else if ((await statOf(directory))?.isDirectory()) yield checkQuota(await folderSize(directory), maxBytes)
}

/** Notes files and folders to which other users of the machine have access, as earlier versions created them. */
async function* checkPermissions(place: string): Lines {
  const found = await statOf(place)
  if (platform() === 'win32' || !found || (found.mode & 0o077) === 0) return
  const quoted = `'${place.replaceAll("'", String.raw`'\''`)}'`
  yield note(`Other users of this machine can read ${place}.`, `Run: chmod go-rwx ${quoted}`)
}

async function* checkFolder(variable: string, name: string, folder: string): Lines {
  let place = folder
  let found = await statOf(place)
  while (!found) {
    place = path.dirname(place)
    found = await statOf(place)
  }
  if (!found.isDirectory()) {
    const text = `${name} cannot be at ${folder}: ${place} is a file.`
    yield problem(text, `Move it away or set ${variable}.`)
    return
  }
  const exists = place === folder
  const code = await codeOf(exists ? writeAndRemove(folder) : access(place, constants.W_OK | constants.X_OK))
  if (code === null) {
    const state = exists ? 'can be written' : 'does not exist yet; the first start creates it'
    yield ok(`${name} ${folder} ${state}.`)
    yield* freeSpace(name, place)
    return
  }
  const state = exists ? 'cannot be written' : `does not exist, and cannot be created in ${place}`
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const fix = `Give the user that runs the server write access to ${place}, or set ${variable}.`
  yield problem(`${name} ${folder} ${state} (${code}).`, isFull ? 'Free space on its disk.' : fix)
}

async function statOf(place: string) {
  try {
    return await nullIfMissing(stat(place))
  } catch (error) {
    // A folder that denies access is reported through its parent.
    if (systemCode(error) === 'EACCES') return null
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

async function* freeSpace(name: string, folder: string): Lines {
  const { blocks, bavail, bsize } = await statfs(folder)
  // Some network file systems report no size.
  if (blocks === 0) return
  const free = bavail * bsize
  const text = `${name} has ${formatBytes(free)} of free space.`
  if (free < requiredSpaceBytes) yield problem(text, 'Free space: no image is generated without it.')
  else yield free < lowSpaceBytes ? note(text, 'Free space soon.') : ok(text)
}

/** Compares the bytes of all images with their limit. */
export function checkQuota(taken: number, maxBytes: number): Line {
  const text = `Images take ${formatBytes(taken)} of the ${formatBytes(maxBytes)} that UPLOADS_MAX_BYTES allows.`
  if (taken >= maxBytes) return problem(text, 'Raise it: new images are rejected.')
  return taken > nearlyFull * maxBytes ? note(text, 'Raise it soon.') : ok(text)
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
