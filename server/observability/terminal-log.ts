import type { DestinationStream } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { requestCompleted } from './log.ts'

interface Line {
  readonly msg?: string
  readonly requestId?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly ms?: number
}

/** Fields that the message contains; the others follow it as JSON. */
const fieldsInMessage = 'pid,hostname,requestId,method,path,status,ms'

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
