import { readFileSync } from 'node:fs'

/** Reads a text file that the configuration names, without its byte order mark. An issue completes a line that begins with the file. */
export function readTextFile(file: string): { readonly text: string } | { readonly issue: string } {
  try {
    return { text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return {
      issue:
        code === 'ENOENT'
          ? `does not exist: there is no ${file}. Create it, or correct the path.`
          : `cannot be read (${code}). Give the user that runs the server read access to ${file}.`,
    }
  }
}
