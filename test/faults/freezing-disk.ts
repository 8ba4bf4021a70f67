import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../support/folder.ts'
import { limitFiles } from './limit-files.ts'

/** A disk whose files a test makes unchangeable, and changeable again, while they are open. */
export interface FreezingDisk {
  readonly folder: string
  freeze(files: readonly string[]): void
  thaw(files: readonly string[]): void
}

/**
 * An ext4 disk in a file, on which even files that are open already can be made immutable. No mount can be made
 * read-only while a server writes to it. Where tests may not mount a disk, files are kept from growing instead.
 */
export async function freezingDisk(): Promise<FreezingDisk> {
  const folder = await tempFolder()
  return (await mounts(folder)) ? immutableFiles(folder) : limitedFiles(folder)
}

async function mounts(folder: string): Promise<boolean> {
  const image = path.join(await tempFolder(), 'disk.img')
  writeFileSync(image, '')
  truncateSync(image, 128 * 1024 * 1024)
  try {
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'pipe' })
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return true
}

function immutableFiles(folder: string): FreezingDisk {
  const change = (flag: string) => (files: readonly string[]) =>
    void execFileSync('chattr', [flag, ...files.map((file) => path.join(folder, file))])
  return { folder, freeze: change('+i'), thaw: change('-i') }
}

function limitedFiles(folder: string): FreezingDisk {
  onTestFinished(() => limitFiles(false))
  return { folder, freeze: () => limitFiles(true), thaw: () => limitFiles(false) }
}
