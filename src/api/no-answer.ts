/** No answer came: the server could not be reached, or the connection broke before it replied. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}
