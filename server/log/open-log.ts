import { pino, type DestinationStream, type Logger } from 'pino'
import { requestFields } from './current-request.ts'
import type { LogLevel } from './log-level.ts'

/** Opens the log: lines of JSON, each with the id of the request that it belongs to. */
export function openLog(level: LogLevel, to: DestinationStream): Logger {
  return pino({ level, mixin: requestFields }, to)
}
