import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Who owns nothing; root itself may write whatever is read-only. */
const nobody = 65_534

const isRoot = process.getuid?.() === 0

/** Takes away everybody's right to write below a folder; others may read it. */
export function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w,a+rX', folder])
}

/** Gives the rights back, so that the folder can be removed. */
export function makeWritable(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder])
}

/** Lets whom `spawnUnprivileged` runs as write into a folder, and reach it. */
export function giveTo(folder: string): void {
  if (isRoot) chownSync(folder, nobody, nobody)
}

/** Lets everybody pass through a folder. */
export function openFolder(folder: string): void {
  chmodSync(folder, 0o755)
}

/** Runs a command as somebody who can't overrule what is read-only: nobody, where we are root. */
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

/** Every file below a folder, with its size and time: what would differ had anything been written. */
export function inventory(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(folder, name))
      return `${name} ${size} ${mtimeMs}`
    })
    .toSorted()
}
