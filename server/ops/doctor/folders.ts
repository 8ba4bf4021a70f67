import { randomBytes } from 'node:crypto'
import { access, constants, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import { freeBytesOf, systemCode, nullIfMissing } from '../../files/disk-files.ts'
import { Bucket } from '../../storage/bucket.ts'
import { formatBytes, note, ok, problem, type Lines } from './report.ts'

/** Free space below which a note warns: a few dozen images of a provider. */
const lowSpaceBytes = 1024 ** 3

/** Free space that a generation requires. */
const requiredSpaceBytes = 66 * 1024 ** 2

/** Checks that the configured folders are writable and have space. Creates none of them. */
export async function* checkFolders({ database, storage }: Config): Lines {
  if (database.kind === 'sqlite')
    yield* checkFolder('DATABASE_URL', 'The data folder', path.dirname(database.file))
  if (storage.kind === 's3') {
    const bucket = await Bucket.open(storage)
    const issue = await bucket.findIssue().finally(() => bucket.close())
    yield issue
      ? problem(`${issue.variable}: ${issue.what}.`, issue.fix)
      : ok(`The bucket ${bucket.name} can be read and written.`)
    return
  }
  yield* checkFolder('UPLOADS_DIR', 'The uploads folder', storage.directory)
  const { maxBytes } = storage
  yield ok(
    maxBytes === null
      ? 'UPLOADS_MAX_BYTES is off: images may take as much as the disk has.'
      : `Images may take ${formatBytes(maxBytes)}.`,
  )
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
  const free = await freeBytesOf(folder)
  if (free === null) return
  const text = `${name} has ${formatBytes(free)} of free space.`
  if (free < requiredSpaceBytes) yield problem(text, 'Free space: no image is generated without it.')
  else yield free < lowSpaceBytes ? note(text, 'Free space soon.') : ok(text)
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
