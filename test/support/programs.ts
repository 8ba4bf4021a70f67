import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { describe } from 'vitest'

/** Folders of server programs, which the PATH of a user without privileges may lack. */
const systemFolders = ['/usr/sbin', '/sbin']

/** Path of the first of these commands that is installed, or null. */
export function findExecutable(commands: readonly string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...systemFolders]
  const candidates = folders.flatMap((folder) => commands.map((command) => path.join(folder, command)))
  return candidates.find(isExecutable) ?? null
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The commands that are not installed. */
export function missingPrograms(commands: readonly string[]): string[] {
  return commands.filter((command) => findExecutable([command]) === null)
}

/**
 * Defines tests that need other programs. Where some are missing, the tests are skipped with a message, or fail with
 * RANGOLI_REQUIRE_SERVICES=1.
 */
export function describeUnlessMissing(name: string, missing: readonly string[], define: () => void): void {
  if (missing.length > 0) {
    const reason = `The tests "${name}" need ${missing.join(', ')}; .ci/run installs what they need.`
    if (process.env['RANGOLI_REQUIRE_SERVICES'] === '1') throw new Error(reason)
    console.warn(`${reason} They are skipped.`)
  }
  describe.skipIf(missing.length > 0)(name, define)
}
