const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** A number of bytes for people, in units of 1,024, as UPLOADS_MAX_BYTES counts them. */
export function bytesInWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power] ?? ''}`
}

/** A time for people. */
export function secondsInWords(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} seconds`
}

/** A number of things. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
