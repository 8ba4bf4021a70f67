import { parseForm } from '../../formats/form.ts'
import { AppError } from '../../errors/app-error.ts'
import { uploadExpected } from '../../procedures/inputs.ts'

interface ReceivedOptions {
  /** The body, if it was parsed already. */
  readonly json?: unknown
  /** Content type of a form whose file becomes the body; null to keep the body as it is. */
  readonly formType?: string | null
}

/** A request whose body was received. Its memory is neither copied nor kept once the body was read. */
export class ReceivedRequest extends Request {
  readonly #json: unknown

  /** @param bytes null for a body that was parsed */
  constructor(request: Request, bytes: Buffer | null, { json, formType = null }: ReceivedOptions = {}) {
    const { url, method, signal } = request
    const headers = new Headers(request.headers)
    if (formType !== null) headers.set('content-type', 'application/octet-stream')
    let unread = bytes
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = unread && formType !== null ? fileOf(unread, formType) : unread
          unread = null
          if (chunk && chunk.length > 0) controller.enqueue(chunk)
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    super(url, { method, headers, signal, body, duplex: 'half' } as RequestInit)
    this.#json = json
  }

  override json(): Promise<unknown> {
    return this.#json === undefined ? super.json() : Promise.resolve(this.#json)
  }
}

/** @throws AppError `bad_input` for what is not a form with a file */
function fileOf(form: Buffer, type: string): Buffer {
  const parts = parseForm(form, type)
  if (parts === null) throw new AppError('bad_input', 'The request is not a readable form.')
  const file = parts.find(({ name }) => name === 'file')
  if (!file?.isFile) throw new AppError('bad_input', uploadExpected)
  return file.bytes
}
