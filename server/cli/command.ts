import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'

/** Where a command speaks. */
export interface Terminal {
  readonly print: (line: string) => void
  /** Asks a question that is answered by yes or no; null where nobody is there to answer. */
  readonly ask: ((question: string) => Promise<boolean>) | null
}

/**
 * What `npm run NAME -- …` does beside the server.
 *
 * @throws StartError for arguments that make no sense, and for what can't be done
 */
export type Command = (config: Config, log: Logger, terminal: Terminal, args: string[]) => Promise<void>
