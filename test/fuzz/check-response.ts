import { isUnfinished, type FuzzRequest, type RawResponse } from './exchange.ts'

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
  if (text === '') {
    const mayBeEmpty = ['HEAD', 'OPTIONS'].includes(request.method) || request.target.startsWith('/api/auth/')
    return mayBeEmpty || bareStatuses.has(status) ? null : 'The response is empty.'
  }
  if (status < 400 && /^text\/(?:javascript|plain|css)/.test(type)) return null
  if (type.startsWith('text/html')) return /^<!doctype html>/i.test(text) ? null : 'The page is not HTML.'
  if (status < 400 && /^application\/(?:atom\+)?xml/.test(type)) {
    return text.startsWith('<?xml ') ? null : 'The document is not XML.'
  }
  if (type.startsWith('text/event-stream')) return checkEvents(text)
  if (!/^application\/(?:manifest\+)?json/.test(type)) return `The response has the type ${type}.`
  return checkJson(request, status, text)
}

/** Statuses that Node sends itself for invalid HTTP, and those without a body, such as redirects. */
const bareStatuses = new Set([204, 303, 304, 400, 408, 413, 414, 417, 431])

type IsShape = (value: unknown, hasFailed: boolean) => boolean

const isRest: IsShape = (value, hasFailed) =>
  isRecord(value) && value['success'] === !hasFailed && (!hasFailed || isSentence(value['error']))

/** Shapes of JSON by the beginning of the path. */
const shapes: readonly (readonly [path: string, isShape: IsShape])[] = [
  // The status of a batch may be that of all its calls.
  [
    '/trpc/',
    (value) =>
      [value].flat().every((one) => isRecord(one) && ['result', 'error', '0'].some((key) => key in one)),
  ],
  [
    '/api/auth/',
    (value, hasFailed) =>
      hasFailed ? isRecord(value) && isSentence(value['message']) : value === null || isRecord(value),
  ],
  [
    '/api/v1/openapi.json',
    (value, hasFailed) => (hasFailed ? isRest(value, true) : isRecord(value) && 'openapi' in value),
  ],
  ['/api/', isRest],
  ['/uploads/', isRest],
]

function checkJson({ target }: FuzzRequest, status: number, text: string): string | null {
  let values: unknown[]
  try {
    // One value, or the lines of a stream.
    values = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line))
  } catch {
    return 'The JSON is invalid.'
  }
  const failed = findFailedCall(values)
  if (failed !== null) return failed
  const isUsual = /^\/[a-z0-9/._,?-]+(?:\?|$)/i.test(target) && !/\.\.|\/\//.test(target)
  const own = isUsual ? shapes.find(([path]) => target.startsWith(path)) : undefined
  const possible = own ? [own] : shapes
  return possible.some(([, isShape]) => isShape(values[0], status >= 400))
    ? null
    : 'The JSON has another shape.'
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

/** Reports a call that failed with an unexpected error: one of tRPC's shape, anywhere in a value. */
function findFailedCall(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const data = 'message' in value && 'code' in value && 'data' in value ? value.data : null
  if (isRecord(data) && 'httpStatus' in data) {
    const { httpStatus, reason } = data
    const isByDesign = Number(httpStatus) < 500 || statusesByDesign.has(Number(httpStatus))
    return reason !== 'internal' && isByDesign ? null : `A call failed with ${String(httpStatus)}.`
  }
  return (
    Object.values(value)
      .map(findFailedCall)
      .find((failure) => failure !== null) ?? null
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSentence(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
