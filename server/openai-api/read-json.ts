import { AppError } from '../errors/app-error.ts'

/** Parses the body of a request, without validation. @throws AppError `bad_input` */
export async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch (cause) {
    throw new AppError('bad_input', 'We could not parse the JSON body of your request.', { cause })
  }
}
