import { buffer } from 'node:stream/consumers'

export interface FormPart {
  readonly name: string
  readonly isFile: boolean
  /** Part of the memory of the form. */
  readonly bytes: Buffer
}

/** More than any program sends. */
const partsMax = 100
const headersMaxBytes = 4_096

const endOfHeaders = '\r\n\r\n'

/**
 * Parses a form without copying its content.
 *
 * @param type content type of the form, with its boundary
 * @returns null for what is not a form, or one with too many parts or headers
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export function parseForm(form: Buffer, type: string): FormPart[] | null {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? []
  const boundary = quoted ?? plain ?? ''
  // @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
  if (!/^[\w'()+,\-./:=? ]{1,70}$/.test(boundary)) return null
  const delimiter = `\r\n--${boundary}`
  const firstDelimiter = delimiter.slice(2)
  if (form.toString('latin1', 0, firstDelimiter.length) !== firstDelimiter) return null

  const parts: FormPart[] = []
  let position = firstDelimiter.length
  while (form.toString('latin1', position, position + 2) !== '--') {
    const head = form.subarray(position, position + headersMaxBytes)
    const headersEnd = head.indexOf(endOfHeaders)
    const start = position + headersEnd + endOfHeaders.length
    const end = headersEnd < 0 ? -1 : form.indexOf(delimiter, start)
    const name = nameOf(head.toString('utf8', 0, Math.max(headersEnd, 0)))
    if (end < 0 || name === null || parts.length === partsMax) return null
    parts.push({ ...name, bytes: form.subarray(start, end) })
    position = end + delimiter.length
  }
  return parts
}

function nameOf(headers: string): Pick<FormPart, 'name' | 'isFile'> | null {
  const [, disposition] = /^\r\n(?:.*\r\n)*?content-disposition: *form-data *;(.*)/i.exec(headers) ?? []
  if (disposition === undefined) return null
  const [, quoted, plain] = /(?:^|;) *name=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? []
  const name = quoted?.replaceAll(/\\(.)/g, '$1').replaceAll('%22', '"') ?? plain
  return name === undefined ? null : { name, isFile: /; *filename\*?=/i.test(disposition) }
}

/** Reads a stream. The bytes of a single chunk are not copied. */
export async function readStream(stream: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  if (!stream) return Buffer.of()
  const reader = stream.getReader()
  const first = await reader.read()
  if (first.done) return Buffer.of()
  const second = await reader.read()
  const { buffer: memory, byteOffset, byteLength } = first.value
  const start = Buffer.from(memory, byteOffset, byteLength)
  if (second.done) return start
  reader.releaseLock()
  return Buffer.concat([start, second.value, await buffer(stream)])
}
