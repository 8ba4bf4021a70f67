import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/** Where servers lie that an ordinary user's PATH may not name. */
const ofTheSystem = ['/usr/sbin', '/sbin']

/** The first of these commands that is installed, or null. */
export function findExecutable(commands: readonly string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...ofTheSystem]
  const candidates = folders.flatMap((folder) => commands.map((command) => path.join(folder, command)))
  return candidates.find(isExecutable) ?? null
}

/**
 * Installs Debian's packages, as root on Debian.
 *
 * @param say told what is being fetched
 * @returns false where that can't be done
 */
export function installPackages(packages: readonly string[], say: (line: string) => void): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  say(`Installing ${packages.join(' and ')} with apt-get …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options)
  return true
}

/** Whether there is a program at a path. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
