import path from 'node:path'

/**
 * What lies where in a folder of backups: the pictures of all of them once, as they never change, and for each backup a
 * folder named after its moment with everything else. One that is not finished has another name.
 */
export const pool = 'pictures'
export const databaseName = 'rangoli.db'
export const secretName = 'auth-secret'
export const manifestName = 'manifest.json'
/** In the format of `sha256sum --check`, to be run in the folder of backups. */
export const sumsName = 'SHA256SUMS'

/** Says that the folder is one of ours, and is held while somebody writes to it. */
export const markerName = 'rangoli-backups'

const backupPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const unfinishedPattern = /^\.unfinished-\d{4}-\d\d-\d\dT/

/** The name of a backup, or of what is set aside, by the moment in milliseconds since 1970; sorts by time. */
export function nameOf(moment: number): string {
  return new Date(moment).toISOString().replaceAll(/[:.]/g, '-')
}

export function unfinishedName(backup: string): string {
  return `.unfinished-${backup}`
}

export function isBackup(name: string): boolean {
  return backupPattern.test(name)
}

export function isUnfinished(name: string): boolean {
  return unfinishedPattern.test(name)
}

/** The path of a picture's original, relative to the folder of backups. */
export function originalInPool(folder: string, original: string): string {
  return path.posix.join(pool, folder, original)
}
