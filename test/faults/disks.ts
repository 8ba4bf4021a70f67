import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../support/folder.ts'
import { limitFiles } from './limit-files.ts'

/** A disk that a test fills up and empties. */
export interface SmallDisk {
  readonly folder: string
  /** What a call that has to write to a database there may answer while it is full. */
  readonly databaseStatuses: readonly number[]
  fill(): void
  reserveSpace(): void
}

/** 64 MB of memory mounted as a disk; where tests may not mount one, a folder whose files can be kept from growing. */
export async function smallDisk(): Promise<SmallDisk> {
  const folder = await tempFolder()
  return mounts(folder) ? mountedDisk(folder) : limitedFolder(folder)
}

function mounts(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64M', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return true
}

function mountedDisk(folder: string): SmallDisk {
  const filler = path.join(folder, 'filler')
  return {
    folder,
    databaseStatuses: [507],
    fill() {
      const file = openSync(filler, 'a')
      for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size))
      closeSync(file)
    },
    reserveSpace: () => rmSync(filler),
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** SQLite takes the limit for a failing disk, not for a full one; and it holds for every folder of this process. */
function limitedFolder(folder: string): SmallDisk {
  onTestFinished(() => limitFiles(false))
  return {
    folder,
    databaseStatuses: [503, 507],
    fill: () => limitFiles(true),
    reserveSpace: () => limitFiles(false),
  }
}
