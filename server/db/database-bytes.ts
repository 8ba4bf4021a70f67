import { stat } from 'node:fs/promises'

/** Bytes of a database's file and of the log that belongs to it. */
export async function databaseBytes(file: string): Promise<number> {
  const { size } = await stat(file)
  return size + (await logBytes(`${file}-wal`))
}

/** It is not there where nobody has the database open. */
async function logBytes(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
