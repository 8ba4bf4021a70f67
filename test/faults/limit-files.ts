import { execFileSync } from 'node:child_process'

/**
 * Lets no file of this process grow, or all again: what a test does to its own disk where it may not mount one. Every
 * write to a file then fails with EFBIG, as it does with ENOSPC on a full disk.
 */
export function limitFiles(isLimited: boolean): void {
  const limit = isLimited ? '0:unlimited' : 'unlimited'
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}`])
}
