import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/**
 * A request as plain data, so that a failing one can be printed and repeated. Strings may contain placeholders like
 * «postId» for values that only a running server knows, or that are too long to print.
 */
export interface FuzzRequest {
  readonly who: 'anonymous' | 'Asha' | 'Ravi' | 'the token'
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** With `latin1` it may be invalid UTF-8. */
  readonly body: { readonly text: string; readonly encoding: 'utf8' | 'latin1' } | null
  readonly delivery: Delivery
}

/** Replaces placeholders by their current values. */
export type Fill = (text: string) => string

interface Way {
  /** Headers about the length of the body, which is the header of that length by default. */
  readonly lengths?: (length: number) => [string, string][]
  /** The body as it is written. */
  readonly parts?: (body: Buffer) => Buffer[]
  /** True if the server can respond only after the client has closed its side. */
  readonly isUnfinished?: true
}

const lengthOf = (value: number): [string, string] => ['Content-Length', String(Math.max(0, value))]
const chunked: [string, string] = ['Transfer-Encoding', 'chunked']

function halves(bytes: Buffer): Buffer[] {
  const middle = Math.floor(bytes.length / 2)
  return [bytes.subarray(0, middle), bytes.subarray(middle)]
}

function inChunks(body: Buffer): Buffer[] {
  const parts = halves(body).filter((part) => part.length > 0)
  return [
    ...parts.map((part) =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    ),
    Buffer.from('0\r\n\r\n'),
  ]
}

/** How a request is transmitted: correctly, or in one of the ways in which clients and attackers fail. */
const ways = {
  whole: {},
  pieces: {},
  chunks: { lengths: () => [chunked], parts: inChunks },
  'too short': { lengths: (length) => [lengthOf(length + 50)], isUnfinished: true },
  'too long': { lengths: (length) => [lengthOf(length - 5)] },
  'two lengths': { lengths: (length) => [lengthOf(length), lengthOf(length + 1)] },
  endless: { lengths: () => [lengthOf(10_000_000_000)], isUnfinished: true },
  'length and chunks': { lengths: (length) => [lengthOf(length), chunked], parts: inChunks },
  'broken chunks': {
    lengths: () => [chunked],
    parts: (body) => [Buffer.from('zz\r\n'), body, Buffer.from('\r\n-1\r\n\r\n')],
    isUnfinished: true,
  },
  'no length': { lengths: () => [] },
  /** Pipelined on one connection. */
  twice: {},
  'aborted in the body': { parts: (body) => halves(body).slice(0, 1) },
  'aborted before the response': {},
  'aborted in the response': {},
} satisfies Record<string, Way>

export type Delivery = keyof typeof ways
export const deliveries: Readonly<Record<Delivery, Way>> = ways

/** Reports whether the server may not respond, because it waits for more of the body. */
export function isUnfinished({ delivery, body }: FuzzRequest): boolean {
  return deliveries[delivery].isUnfinished === true || (delivery === 'no length' && body !== null)
}

/** Encodes a request, in the parts in which it is written to the socket. */
function toBytes(request: FuzzRequest, fill: Fill, own: FuzzRequest['headers']): Buffer[] {
  const { method, target, version, delivery } = request
  const { lengths, parts = (bytes) => [bytes] } = deliveries[delivery]
  const body = request.body ? Buffer.from(fill(request.body.text), request.body.encoding) : Buffer.alloc(0)
  const usual = request.body ? [lengthOf(body.length)] : []
  const fields = [...own, ...request.headers, ...(lengths?.(body.length) ?? usual)]
  const lines = fields.map(([name, value]) => `${name}: ${fill(value)}\r\n`)
  const head = Buffer.from(`${method} ${fill(target)} ${version}\r\n${lines.join('')}\r\n`, 'latin1')
  const written = [head, ...parts(body)]
  if (delivery === 'twice') return [Buffer.concat([...written, ...written])]
  return delivery === 'pieces' ? written.flatMap(halves) : written
}

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

/** Far more than a batch of a hundred calls takes on a machine that is overloaded. */
const timeoutMs = 60_000

/**
 * Sends a request on a new connection and collects responses until it is closed.
 *
 * @param own headers before its own ones
 */
export function sendRequest(
  port: number,
  request: FuzzRequest,
  fill: Fill,
  own: FuzzRequest['headers'],
): Promise<Exchange> {
  const { delivery, method } = request
  const parts = toBytes(request, fill, own)
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
