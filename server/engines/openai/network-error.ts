/** The system's name for what went wrong with a connection, which Node and the SDK wrap more than once. */
export function networkErrorOf(thrown: unknown): string {
  let error = thrown
  while (error instanceof Error) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error.cause === undefined) return error.constructor.name
    error = error.cause
  }
  return typeof error
}
