import { mkdirSync, statSync } from 'node:fs'
import { open, readdir, readlink, realpath, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { storageFull, storageUnavailable } from '../errors/app-error.ts'

/** System codes of a full disk, an exhausted disk quota, and a file size limit of the process. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** `Retry-After` of an error of the disk. */
export const diskRetrySeconds = 30

/** Waits for work on the disk. @throws AppError `storage_full`, `storage_unavailable` in place of errors of the system */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw fullCodes.has(code) ? storageFull(error) : storageUnavailable(error, diskRetrySeconds)
  }
}

/** Returns the system's code of an error, such as ENOENT; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error
  return isSystemError && typeof error.code === 'string' ? error.code : undefined
}

/** Returns the free bytes of the disk of a folder; null for a network file system that does not report its size. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return blocks > 0 ? bavail * bsize : null
}

/** Waits for an operation on a file; null if the file does not exist. */
export async function nullIfMissing<Result>(operation: Promise<Result>): Promise<Result | null> {
  try {
    return await operation
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

/** Returns the real path of a file, or of what a link leads to. Neither has to exist. */
export async function realFile(file: string): Promise<string> {
  const found = await nullIfMissing(realpath(file))
  if (found !== null) return found
  const folder = (await nullIfMissing(realpath(path.dirname(file)))) ?? path.dirname(file)
  // Rejected for a missing file, and for one that was created meanwhile.
  const target = await readlink(file).catch(() => null)
  return target === null ? path.join(folder, path.basename(file)) : realFile(path.resolve(folder, target))
}

/**
 * Creates a folder for its owner, with its parents, unless it exists. The recursion of Node never ends in /proc, where a folder that
 * cannot be created is reported as a missing parent.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Writes a new file and syncs its contents. Its name is durable after `syncFolder`. */
export async function writeDurably(
  filePath: string,
  bytes: Uint8Array | string,
  mode = 0o666,
): Promise<void> {
  const handle = await open(filePath, 'wx', mode)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function syncFile(filePath: string): Promise<void> {
  return sync(filePath, 'r+')
}

/** Syncs the entries of a folder: without it, a power cut may undo a rename. */
export function syncFolder(folder: string): Promise<void> {
  return sync(folder, 'r')
}

async function sync(name: string, flags: string): Promise<void> {
  const handle = await open(name, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Adds up the bytes of the files in a folder, without entries of the folder that are not counted; 0 for a missing folder. */
export async function folderSize(
  folder: string,
  isCounted: (name: string) => boolean = () => true,
): Promise<number> {
  let size = 0
  for (const entry of (await nullIfMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (!isCounted(entry.name)) continue
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) size += await folderSize(name)
    else if (entry.isFile()) size += (await nullIfMissing(stat(name)))?.size ?? 0
  }
  return size
}
