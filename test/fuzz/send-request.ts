import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { connect } from 'node:net'
import { isUnfinished, type Delivery, type FuzzRequest } from './fuzz-request.ts'

/** A parsed response. */
export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** False if the response ended early. */
  readonly isWhole: boolean
}

export interface Exchange {
  /** All responses on the connection; none if it was closed without one. */
  readonly responses: readonly RawResponse[]
  /** Milliseconds from the last byte sent to the end of the connection. */
  readonly duration: number
  /** True if the server neither responded nor closed before the timeout. */
  readonly hangs: boolean
}

const isAborted = (delivery: Delivery) => delivery.startsWith('aborted')

/** Sends bytes on a new connection and collects responses until it is closed. */
export function sendRequest(
  port: number,
  parts: readonly Buffer[],
  request: FuzzRequest,
  timeoutMs: number,
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
    }, timeoutMs)
    socket.on('data', (data) => {
      received.push(data)
      if (delivery === 'aborted in the response') socket.destroy()
    })
    // The server may close during a write; only its responses matter.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(giveUp)
      resolve({
        responses: isAborted(delivery) ? [] : parseResponses(Buffer.concat(received), method),
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
        if (isAborted(delivery) && delivery !== 'aborted in the response') socket.destroy()
      }
    }
    socket.once('connect', () => write(0))
  })
}

function parseResponses(bytes: Buffer, method: string): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const { response, size } = parseResponse(rest, method)
    // Informational responses precede the final one.
    if (response.status >= 200) responses.push(response)
    rest = rest.subarray(size)
  }
  return responses
}

function parseResponse(bytes: Buffer, method: string): { response: RawResponse; size: number } {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1])
  if (end < 0 || !status) throw new Error(`This is no response: ${bytes.subarray(0, 200).toString('latin1')}`)
  const headers = new Map(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = end + 4
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return { response: { status, headers, body: Buffer.alloc(0), isWhole: true }, size: start }
  }
  const { body, size, isWhole } = readBody(bytes.subarray(start), headers)
  const plain = isWhole ? decoded(body, headers.get('content-encoding')) : body
  return { response: { status, headers, body: plain, isWhole }, size: start + size }
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
