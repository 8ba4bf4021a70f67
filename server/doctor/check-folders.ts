import { randomBytes } from 'node:crypto'
import { access, constants, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import { systemCode } from '../storage/disk-fault.ts'
import { folderSize } from '../storage/folder-size.ts'
import { nullIfMissing } from '../storage/null-if-missing.ts'
import { bytesInWords } from './amounts.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** Less free space than this is worth a word: a few dozen of a provider's pictures while they are made. */
const littleSpace = 1024 ** 3

/** What an engine must find free before it is asked for a picture. */
const leastSpace = 34 * 1024 ** 2

/** The share of UPLOADS_MAX_BYTES beyond which it is soon reached. */
const nearlyFull = 0.9

/** Whether the folders of the configuration can be written, and have room. It makes none of them. */
export async function checkFolders(config: Config): Promise<Finding[]> {
  return [
    ...(await checkFolder('DATABASE_URL', 'The data folder', path.dirname(config.databaseFile))),
    ...(await checkFolder('UPLOADS_DIR', 'The uploads folder', config.uploadsDirectory)),
    ...(await checkQuota(config)),
  ]
}

async function checkFolder(variable: string, name: string, folder: string): Promise<Finding[]> {
  const found = await nearestThere(folder)
  const who = 'the user that the server runs as'
  if (!found.isDirectory) {
    return [
      problem(`${name} can't be at ${folder}: ${found.place} is a file.`, `Move it away or set ${variable}.`),
    ]
  }
  if (found.place !== folder) {
    const fault = await codeOf(access(found.place, constants.W_OK | constants.X_OK))
    return fault === null
      ? [
          ok(`${name} ${folder} is not there yet; the first start makes it.`),
          ...(await freeSpace(name, found.place)),
        ]
      : [
          problem(
            `${name} ${folder} is not there, and can't be made in ${found.place} (${fault}).`,
            `Make it, give it to ${who}, or set ${variable}.`,
          ),
        ]
  }
  const fault = await codeOf(writeAndRemove(folder))
  if (fault === null) return [ok(`${name} ${folder} can be written.`), ...(await freeSpace(name, folder))]
  const isFull = fault === 'ENOSPC' || fault === 'EDQUOT'
  return [
    problem(
      `${name} ${folder} can't be written (${fault}).`,
      isFull ? 'Make room on its disk.' : `Let ${who} write there, or set ${variable}.`,
    ),
  ]
}

/** The folder, or what of the way to it is there. */
async function nearestThere(folder: string): Promise<{ place: string; isDirectory: boolean }> {
  const found = await statOf(folder)
  if (found) return { place: folder, isDirectory: found.isDirectory() }
  return nearestThere(path.dirname(folder))
}

async function statOf(place: string) {
  try {
    return await nullIfMissing(stat(place))
  } catch (error) {
    // Below a file there is nothing; what may not be looked into is told of by the one above.
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

async function freeSpace(name: string, folder: string): Promise<Finding[]> {
  const { blocks, bavail, bsize } = await statfs(folder)
  // Some network file systems do not say how large they are.
  if (blocks === 0) return []
  const free = bavail * bsize
  const text = `${name} has ${bytesInWords(free)} of free space.`
  if (free < leastSpace) return [problem(text, 'Make room: no picture is made without it.')]
  return [free < littleSpace ? note(text, 'Make room soon.') : ok(text)]
}

async function checkQuota({ uploadsMaxBytes, uploadsDirectory }: Config): Promise<Finding[]> {
  if (uploadsMaxBytes === null) {
    return [ok('UPLOADS_MAX_BYTES is off: pictures may take as much as the disk has.')]
  }
  if (!(await statOf(uploadsDirectory))?.isDirectory()) return []
  const taken = await folderSize(uploadsDirectory)
  const text = `Pictures take ${bytesInWords(taken)} of the ${bytesInWords(uploadsMaxBytes)} that UPLOADS_MAX_BYTES allows.`
  if (taken >= uploadsMaxBytes) return [problem(text, 'Raise it: new pictures are refused.')]
  return [taken > nearlyFull * uploadsMaxBytes ? note(text, 'Raise it soon.') : ok(text)]
}

/** The system's code of a failure, null for none. */
async function codeOf(work: Promise<void>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code
  }
}
