import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { connect } from 'node:net'
import { isUnfinished, type Delivery, type FuzzRequest } from './fuzz-request.ts'

/** An answer as it stood on the wire. */
export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Whether all of it arrived that its head announced. */
  readonly isWhole: boolean
}

export interface Exchange {
  /** All that came back over the connection; none where it was closed without a word, or left. */
  readonly answers: readonly RawResponse[]
  /** From the last byte sent to the end of the connection, in milliseconds. */
  readonly duration: number
  /** Whether the server was given up on, which had neither answered nor closed. */
  readonly hangs: boolean
}

const leaves = (delivery: Delivery) => delivery.startsWith('left')
/** Sends bytes over a connection of their own and collects what comes back until it is closed. */
export function sendRequest(
  port: number,
  parts: readonly Buffer[],
  request: FuzzRequest,
  patience: number,
): Promise<Exchange> {
  const { delivery, method } = request
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let sent = performance.now()
    let hangs = false
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const giveUp = setTimeout(() => {
      hangs = true
      socket.destroy()
    }, patience)
    socket.on('data', (data) => {
      received.push(data)
      if (delivery === 'left in the answer') socket.destroy()
    })
    // A server may close while it is still being sent to; what it answered before is what counts.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(giveUp)
      resolve({
        answers: leaves(delivery) ? [] : parseResponses(Buffer.concat(received), method),
        duration: performance.now() - sent,
        hangs,
      })
    })
    const write = (index: number): void => {
      const part = parts[index]
      if (part) socket.write(part, () => setImmediate(write, index + 1))
      else {
        sent = performance.now()
        if (isUnfinished(request)) socket.end()
        if (leaves(delivery) && delivery !== 'left in the answer') socket.destroy()
      }
    }
    socket.once('connect', () => write(0))
  })
}

function parseResponses(bytes: Buffer, method: string): RawResponse[] {
  const answers: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const { answer, size } = parseResponse(rest, method)
    // What goes before an answer is none.
    if (answer.status >= 200) answers.push(answer)
    rest = rest.subarray(size)
  }
  return answers
}

function parseResponse(bytes: Buffer, method: string): { answer: RawResponse; size: number } {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1])
  if (end < 0 || !status) throw new Error(`This is no answer: ${bytes.subarray(0, 200).toString('latin1')}`)
  const headers = new Map(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = end + 4
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return { answer: { status, headers, body: Buffer.alloc(0), isWhole: true }, size: start }
  }
  const { body, size, isWhole } = readBody(bytes.subarray(start), headers)
  const plain = isWhole ? decoded(body, headers.get('content-encoding')) : body
  return { answer: { status, headers, body: plain, isWhole }, size: start + size }
}

function readBody(
  bytes: Buffer,
  headers: ReadonlyMap<string, string>,
): { body: Buffer; size: number; isWhole: boolean } {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes)
  const length = headers.get('content-length')
  if (length === undefined) return { body: bytes, size: bytes.length, isWhole: true }
  const body = bytes.subarray(0, Number(length))
  return { body, size: body.length, isWhole: body.length === Number(length) }
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body)
    case 'br':
      return brotliDecompressSync(body)
    default:
      return body
  }
}

function readChunks(bytes: Buffer): { body: Buffer; size: number; isWhole: boolean } {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size =
      lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (Number.isNaN(size)) return { body: Buffer.concat(parts), size: bytes.length, isWhole: false }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
    if (size === 0) return { body: Buffer.concat(parts), size: at, isWhole: true }
  }
}
