import { systemCode } from '../../files/disk-files.ts'

/** One line of the report. `text` and `fix` are whole sentences and hold no secrets. */
export interface Line {
  /** `problem`: something does not work; `note`: worth knowing; `ok`: as it should be. */
  readonly level: 'ok' | 'note' | 'problem'
  readonly text: string
  readonly fix?: string
}

/** A check, which yields each line once it is known. */
export type Lines = AsyncGenerator<Line, void, void>

export function ok(text: string): Line {
  return { level: 'ok', text }
}

export function note(text: string, fix?: string): Line {
  return fix === undefined ? { level: 'note', text } : { level: 'note', text, fix }
}

export function problem(text: string, fix: string): Line {
  return { level: 'problem', text, fix }
}

/** `1 post`, `2 posts`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Capitalizes the first letter, for a sentence that begins within another one. */
export function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const byteUnits = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** `1.5 MB`, in units of 1,024 as `UPLOADS_MAX_BYTES` counts them. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${byteUnits[power] ?? ''}`
}

/** Ends a check that the operating system denies with a problem. */
export async function* orDenied(lines: Lines): Lines {
  try {
    yield* lines
  } catch (error) {
    if (!(error instanceof Error) || systemCode(error) === undefined) throw error
    yield problem(`This cannot be checked (${error.message}).`, 'Run this as the user that runs the server.')
  }
}
