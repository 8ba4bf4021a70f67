/** How a request is transmitted: correctly, or in one of the ways in which clients and attackers fail. */
export type Delivery =
  /** With its length at once or in pieces, or chunked. */
  | 'whole'
  | 'pieces'
  | 'chunks'
  /** With a length that is too large, too small, contradictory or huge. */
  | 'too short'
  | 'too long'
  | 'two lengths'
  | 'endless'
  /** With both length and chunks, invalid chunks, or neither. */
  | 'length and chunks'
  | 'broken chunks'
  | 'no length'
  /** Pipelined twice on one connection. */
  | 'twice'
  /** Disconnected within the body, before the response, or within it. */
  | 'aborted in the body'
  | 'aborted before the response'
  | 'aborted in the response'

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

const unfinished: ReadonlySet<Delivery> = new Set(['too short', 'endless', 'broken chunks'])

/** Reports whether the server can respond only after the client has closed its side, and so may not respond at all. */
export function isUnfinished({ delivery, body }: FuzzRequest): boolean {
  return unfinished.has(delivery) || (delivery === 'no length' && body !== null)
}

/** Replaces placeholders by their current values. */
export type Fill = (text: string) => string

/** Encodes a request, in the parts in which it is written to the socket. */
export function toBytes(
  request: FuzzRequest,
  fill: Fill,
  own: readonly (readonly [string, string])[],
): Buffer[] {
  const { method, target, version, delivery } = request
  const body = request.body ? Buffer.from(fill(request.body.text), request.body.encoding) : Buffer.alloc(0)
  const fields = [...own, ...request.headers, ...lengthHeaders(delivery, request.body ? body.length : null)]
  const head = `${method} ${fill(target)} ${version}\r\n${fields.map(([name, value]) => `${name}: ${fill(value)}\r\n`).join('')}\r\n`
  const bytes = [Buffer.from(head, 'latin1'), ...bodyParts(delivery, body)]
  if (delivery === 'twice') return [Buffer.concat([...bytes, ...bytes])]
  return delivery === 'pieces' ? bytes.flatMap(halves) : bytes
}

function lengthHeaders(delivery: Delivery, length: number | null): [string, string][] {
  const chunked: [string, string] = ['Transfer-Encoding', 'chunked']
  const lengthOf = (value: number): [string, string] => ['Content-Length', String(Math.max(0, value))]
  switch (delivery) {
    case 'chunks':
    case 'broken chunks':
      return [chunked]
    case 'length and chunks':
      return [lengthOf(length ?? 0), chunked]
    case 'two lengths':
      return [lengthOf(length ?? 0), lengthOf((length ?? 0) + 1)]
    case 'too short':
      return [lengthOf((length ?? 0) + 50)]
    case 'too long':
      return [lengthOf((length ?? 0) - 5)]
    case 'endless':
      return [lengthOf(10_000_000_000)]
    case 'no length':
      return []
    default:
      return length === null ? [] : [lengthOf(length)]
  }
}

function bodyParts(delivery: Delivery, body: Buffer): Buffer[] {
  switch (delivery) {
    case 'chunks':
    case 'length and chunks':
      return [
        ...halves(body)
          .filter((part) => part.length > 0)
          .map(chunk),
        Buffer.from('0\r\n\r\n'),
      ]
    case 'broken chunks':
      return [Buffer.from('zz\r\n'), body, Buffer.from('\r\n-1\r\n\r\n')]
    case 'aborted in the body':
      return halves(body).slice(0, 1)
    default:
      return [body]
  }
}

function chunk(part: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
}

function halves(bytes: Buffer): Buffer[] {
  const middle = Math.floor(bytes.length / 2)
  return [bytes.subarray(0, middle), bytes.subarray(middle)]
}
