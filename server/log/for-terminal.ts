import type { DestinationStream } from 'pino'
import { prettyFactory } from 'pino-pretty'

/** What a line is put together of below; the rest of its fields follows as JSON. */
const ownPlaces = 'pid,hostname,requestId,method,path,status,ms'

interface Line {
  readonly msg?: string
  readonly requestId?: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly ms?: number
}

/** Turns the log's lines into ones that a person reads, each with the time of day, and writes them to a terminal. */
export function forTerminal(terminal: { write(text: string): unknown }): DestinationStream {
  const pretty = prettyFactory({
    ignore: ownPlaces,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: (line) => sentence(line),
  })
  return { write: (line) => void terminal.write(pretty(line)) }
}

function sentence({ msg = '', requestId, method, path, status, ms }: Line): string {
  const name = requestId === undefined ? '' : ` [${requestId}]`
  if (method === undefined) return `${msg}${path === undefined ? '' : ` (${path})`}${name}`
  return `${method} ${path} ${status ?? '–'} in ${ms} ms${msg === 'answered' ? '' : `, ${msg}`}${name}`
}
