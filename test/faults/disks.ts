import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../support/folder.ts'

/** A disk that a test fills and frees. */
export interface SmallDisk {
  readonly folder: string
  /** Possible statuses of a request that writes to a database on the full disk. */
  readonly databaseStatuses: readonly number[]
  fill(): void
  freeSpace(): void
}

/** Mounts 64 MB of memory as a disk; without the permission to mount, a folder in which files cannot grow while full. */
export async function smallDisk(): Promise<SmallDisk> {
  const folder = await tempFolder()
  return mountMemory(folder) ? mountedDisk(folder) : limitedFolder(folder)
}

function mountMemory(folder: string): boolean {
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
    freeSpace: () => rmSync(filler),
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** The limit applies to all folders of this process, and SQLite reports it as a failing disk instead of a full one. */
function limitedFolder(folder: string): SmallDisk {
  onTestFinished(() => limitFiles(false))
  return {
    folder,
    databaseStatuses: [503, 507],
    fill: () => limitFiles(true),
    freeSpace: () => limitFiles(false),
  }
}

/** Sets or lifts a limit by which no file of this process can grow: writes fail with EFBIG, as with ENOSPC on a full disk. */
function limitFiles(isLimited: boolean): void {
  const limit = isLimited ? '0:unlimited' : 'unlimited'
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}`])
}
