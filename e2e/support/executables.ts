import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

/** Folders of server programs, which the PATH of a user without privileges may lack. */
const systemFolders = ['/usr/sbin', '/sbin']

/** Path of the first of these commands that is installed, or null. */
export function findExecutable(commands: readonly string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...systemFolders]
  const candidates = folders.flatMap((folder) => commands.map((command) => path.join(folder, command)))
  return candidates.find(isExecutable) ?? null
}

/**
 * Installs Debian packages.
 *
 * @param say receives a line before the download
 * @returns false unless this process is root on Debian
 */
export function installPackages(packages: readonly string[], say: (line: string) => void): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  say(`Installing ${packages.join(' and ')} with apt-get …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options)
  return true
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
