/** The server can't start as it is set up; the message is one line that names what to mend. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
