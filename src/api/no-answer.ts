/** No answer came: the server could not be reached, or the connection broke before it replied. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}
