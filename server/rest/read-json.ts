import { AppError } from '../errors/app-error.ts'

/**
 * Parses a body without validation, which is left to the procedure.
 *
 * @param unreadable message for a body that is not JSON
 * @throws AppError `bad_input`
 */
export async function readJson<Value>(request: Request, unreadable: string): Promise<Value> {
  try {
    return (await request.json()) as Value
  } catch (cause) {
    throw new AppError('bad_input', unreadable, { cause })
  }
}
