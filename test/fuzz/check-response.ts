import { isUnfinished, type FuzzRequest } from './fuzz-request.ts'
import type { RawResponse } from './send-request.ts'

/** Statuses of 500 and above that the server sends by design, with a message. */
const statusesByDesign = new Set([502, 503, 504, 507])

/** Internal details, which belong in the log. Requests never contain them, so that an echo is not reported as a leak. */
const internals =
  /\n\s+at |node_modules|node:internal|SQLITE_|SqliteError|Kysely|ZodError|\b(?:Type|Range|Syntax|Reference|URI)Error\b|ENOENT|EACCES|ENOSPC|EISDIR|JSON at position|not valid JSON|end of JSON|Unexpected token|Cannot read|is not a function|is not iterable|undici|Body is unusable|\[object /

/** Returns the issue of a response, or null. @param secrets must not be in any response */
export function checkResponse(
  request: FuzzRequest,
  response: RawResponse,
  secrets: readonly string[],
): string | null {
  const { status, headers, body, isWhole } = response
  // Node treats a half-closed connection as disconnected, and stops within the response.
  if (!isWhole) return isUnfinished(request) ? null : 'The response is incomplete.'
  const text = body.toString('utf8')
  if (status >= 500 && !(statusesByDesign.has(status) && text !== '')) return `The status is ${status}.`
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('image/') || type.startsWith('font/')) return null
  const internal = internals.exec(text)?.[0]
  if (internal !== undefined) return `The response contains ${JSON.stringify(internal)}.`
  const secret = secrets.findIndex((value) => text.includes(value))
  if (secret >= 0) return `The response contains the secret number ${secret + 1}.`
  if (text === '')
    return isBareStatus(status) || request.method === 'HEAD' || hasNoBody(request)
      ? null
      : 'The response is empty.'
  if (status < 400 && /^text\/(?:javascript|plain|css)/.test(type)) return null
  if (type.startsWith('text/html')) return /^<!doctype html>/i.test(text) ? null : 'The page is not HTML.'
  if (status < 400 && /^application\/(?:atom\+)?xml/.test(type)) {
    return text.startsWith('<?xml ') ? null : 'The document is not XML.'
  }
  if (type.startsWith('text/event-stream')) return checkEvents(text)
  if (!/^application\/(?:manifest\+)?json/.test(type)) return `The response has the type ${type}.`
  return checkJson(transportOf(request), status, text)
}

/** Statuses that Node sends itself for invalid HTTP, and those without a body, such as redirects. */
function isBareStatus(status: number): boolean {
  return [204, 303, 304, 400, 408, 413, 414, 417, 431].includes(status)
}

function hasNoBody(request: FuzzRequest): boolean {
  return request.target.startsWith('/api/auth/') || request.method === 'OPTIONS'
}

type Transport = 'rest' | 'description' | 'trpc' | 'accounts' | 'any'

/** The transport of a request; `any` for unusual URLs. */
function transportOf({ target }: FuzzRequest): Transport {
  if (!/^\/[a-z0-9/._,?-]+(?:\?|$)/i.test(target) || /\.\.|\/\//.test(target)) return 'any'
  if (/^\/trpc\/[^?]/.test(target)) return 'trpc'
  if (target.startsWith('/api/auth/')) return 'accounts'
  if (/^\/api\/v1\/openapi\.json(?:\?|$)/.test(target)) return 'description'
  return /^\/(?:api|uploads)\//.test(target) ? 'rest' : 'any'
}

function checkJson(transport: Transport, status: number, text: string): string | null {
  let values: unknown[]
  try {
    values = parse(text)
  } catch {
    return 'The JSON is invalid.'
  }
  const failed = findFailedCall(values)
  if (failed !== null) return failed
  const [value] = values
  if (transport === 'any') {
    return (['rest', 'description', 'trpc', 'accounts'] as const).some((one) => hasShape(one, status, value))
      ? null
      : 'The JSON has no known shape.'
  }
  return hasShape(transport, status, value) ? null : `The JSON does not have the shape of ${transport}.`
}

/** Checks the data of server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
function checkEvents(text: string): string | null {
  const data = [...text.matchAll(/^data: ?(.*)$/gm)].flatMap(([, json]) => json || [])
  try {
    return findFailedCall(data.map((json): unknown => JSON.parse(json)))
  } catch {
    return 'The JSON is invalid.'
  }
}

/** Parses one value, or the lines of a stream. */
function parse(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/** Reports a call that failed with an unexpected error. */
function findFailedCall(values: readonly unknown[]): string | null {
  const failures = values.flatMap(failuresWithin)
  const broken = failures.find(
    ({ data }) =>
      data.reason === 'internal' || (data.httpStatus >= 500 && !statusesByDesign.has(data.httpStatus)),
  )
  return broken ? `A call failed with ${broken.data.httpStatus}.` : null
}

interface Failure {
  readonly message: string
  readonly data: { readonly httpStatus: number; readonly reason: string }
}

/** Finds errors of tRPC's shape anywhere in a value. */
function failuresWithin(value: unknown): Failure[] {
  if (typeof value !== 'object' || value === null) return []
  if (isFailure(value)) return [value]
  return Object.values(value).flatMap(failuresWithin)
}

function isFailure(value: object): value is Failure {
  return (
    'message' in value &&
    'code' in value &&
    'data' in value &&
    typeof value.data === 'object' &&
    value.data !== null &&
    'httpStatus' in value.data
  )
}

function hasShape(transport: Exclude<Transport, 'any'>, status: number, value: unknown): boolean {
  const failed = status >= 400
  switch (transport) {
    case 'rest':
      return isRecord(value) && value['success'] === !failed && (!failed || isSentence(value['error']))
    case 'description':
      return failed ? hasShape('rest', status, value) : isRecord(value) && 'openapi' in value
    case 'trpc':
      // The status of a batch may be that of all its calls.
      return [value].flat().every((one) => isRecord(one) && ('result' in one || 'error' in one || '0' in one))
    case 'accounts':
      return failed ? isRecord(value) && isSentence(value['message']) : value === null || isRecord(value)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSentence(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
