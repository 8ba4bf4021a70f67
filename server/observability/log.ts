import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pino, stdSerializers, type DestinationStream, type Level, type Logger } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { version } from '../../shared/version.ts'

export const requestCompleted = 'request completed'

/** Opens the log: lines of JSON without invisible characters, each with the version, and the id of the request that it belongs to. */
export function openLog(level: Level, to: DestinationStream): Logger {
  const mixin = () => {
    const request = currentRequest.getStore()
    return request ? { requestId: request.id } : {}
  }
  const formatters = { log: withErrors }
  const base = { pid: process.pid, hostname: hostname(), version }
  return pino({ level, base, mixin, formatters }, { write: (line) => to.write(escapeInvisible(line)) })
}

/** Serializes errors in any field. JSON alone drops their message and stack. pino serializes `err` itself. */
function withErrors({ err, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return { ...(err !== undefined && { err }), ...mapFields(fields, 3) }
}

/** @param depth levels of objects below the fields that are searched for errors */
function mapFields(fields: object, depth: number): Record<string, unknown> {
  const serializable = (value: unknown): unknown => {
    if (value instanceof Error) return stdSerializers.err(value)
    if (Array.isArray(value)) return value.map(serializable)
    return depth > 0 && isPlainObject(value) ? mapFields(value, depth - 1) : value
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, serializable(value)]))
}

/** Class instances are left to JSON. */
function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

const currentRequest = new AsyncLocalStorage<RequestId>()

/** Runs `work` so that every log line of it, and of what it starts, carries the request's id. */
export function withRequestId<Result>(id: RequestId, work: () => Result): Result {
  return currentRequest.run(id, work)
}

/** Id of a request, generated on first use: most requests need none. */
export class RequestId {
  #id: string | null

  /** @param given the id that a trusted proxy assigned, or null */
  constructor(given: string | null) {
    this.#id = given
  }

  get id(): string {
    return (this.#id ??= randomUUID().slice(-12))
  }
}

/**
 * Characters that change how a terminal or an editor shows a line instead of printing as themselves: C0 and C1
 * controls, DEL, line and paragraph separators, bidirectional controls and other format characters.
 */
export const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Escapes invisible characters in a line of JSON, which means the same afterwards. Leaves its final newline. */
function escapeInvisible(json: string): string {
  return json.replaceAll(invisibleCharacters, (character) =>
    character === '\n' ? character : jsonEscape(character),
  )
}

/** Escapes each UTF-16 code unit. */
function jsonEscape(character: string): string {
  return character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

interface Line {
  readonly msg?: string
  readonly requestId?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly ms?: number
}

/** Fields that the message contains; the others follow it as JSON. */
const fieldsInMessage = 'pid,hostname,version,requestId,method,path,status,ms'

/** Opens the log of this process on its standard error, with lines for reading if that is a terminal. */
export function openProcessLog(level: Level): Logger {
  return openLog(level, process.stderr.isTTY ? terminalLog(process.stderr) : pino.destination(2))
}

/** Formats lines of the log for reading in a terminal, each with the time of day. */
export function terminalLog(terminal: { write(text: string): unknown }): DestinationStream {
  const format = prettyFactory({
    ignore: fieldsInMessage,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: (line) => messageOf(line),
  })
  return { write: (line) => void terminal.write(format(keepEscapes(line))) }
}

function messageOf({ msg = '', requestId, method, path, status, ms }: Line): string {
  const id = requestId === undefined ? '' : ` [${requestId}]`
  if (method === undefined) return `${msg}${path === undefined ? '' : ` (${path})`}${id}`
  return `${method} ${path} ${status ?? '–'} in ${ms} ms${msg === requestCompleted ? '' : `, ${msg}`}${id}`
}

/**
 * Keeps the escapes of invisible characters in a line of JSON as visible text when it is parsed. Newlines and tabs stay:
 * stack traces consist of them.
 */
function keepEscapes(json: string): string {
  return json.replaceAll(/\\(?:u[\da-f]{4}|[^])/g, (escape) =>
    /^\\[ubfr]/.test(escape) ? `\\${escape}` : escape,
  )
}
