import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { pino, type DestinationStream, type Logger } from 'pino'
import type { LogLevel } from '../config/config.ts'

/** Message of the log line of a completed request. */
export const requestCompleted = 'request completed'

/** Opens the log: lines of JSON without invisible characters, each with the id of the request that it belongs to. */
export function openLog(level: LogLevel, to: DestinationStream): Logger {
  const mixin = () => {
    const request = currentRequest.getStore()
    return request ? { requestId: request.id } : {}
  }
  return pino({ level, mixin }, { write: (line) => to.write(escapeInvisible(line)) })
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
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
