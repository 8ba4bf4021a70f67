import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** User id that owns no file. Root ignores file permissions. */
const nobody = 65_534

const isRoot = process.getuid?.() === 0

/** Makes everything below a folder read-only, for every user. */
export function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w,a+rX', folder])
}

/** Undoes `makeReadOnly`, so that the folder can be removed. */
export function makeWritable(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
}

/** Makes the user of `spawnUnprivileged` the owner of a folder. */
export function giveTo(folder: string): void {
  if (isRoot) chownSync(folder, nobody, nobody)
}

/** Lets every user enter a folder. */
export function openFolder(folder: string): void {
  chmodSync(folder, 0o755)
}

/** Runs a command as a user that is subject to file permissions: `nobody` if this process is root. */
export function spawnUnprivileged(
  [command = '', ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): ChildProcess {
  const identity = isRoot ? { uid: nobody, gid: nobody } : {}
  return spawn(command === 'node' ? process.execPath : command, args, {
    cwd,
    env,
    ...identity,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Every file below a folder with size and modification time, which differ after a write. */
export function inventory(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    })
    .toSorted()
}
