import { AppError } from '../errors/app-error.ts'

/** Which list a cursor belongs to; one of another list is refused. */
export type CursorKind = 'post' | 'image'

/** A place in a list, as the opaque string that callers pass back. It stays valid when its row is gone. */
export function encodeCursor(kind: CursorKind, seq: number): string {
  return Buffer.from(`${kind}:${seq}`).toString('base64url')
}

/** @throws AppError `bad_input` for anything that `encodeCursor` did not make */
export function decodeCursor(kind: CursorKind, cursor: string): number {
  const digits = new RegExp(`^${kind}:([1-9]\\d{0,15})$`).exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  )?.[1]
  const seq = Number(digits)
  if (!digits || encodeCursor(kind, seq) !== cursor) {
    throw new AppError('bad_input', 'The cursor is not one that this server gave out.')
  }
  return seq
}
