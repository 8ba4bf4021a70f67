import { InvalidArgumentError } from 'commander'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { StartError } from '../errors/app-error.ts'
import type { Terminal } from './terminal.ts'

/** Process resources that commands use; tests replace them. */
export interface CommandContext {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  readonly openLog: (config: Config) => Logger
  readonly terminal: Terminal
  /** Working directory. */
  readonly directory: string
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string
  readonly setExitCode: (code: number) => void
  /** Runs the server until a signal stops it. */
  readonly serve: () => Promise<void>
}

/**
 * Asks a yes-or-no question unless `--yes` answered it.
 *
 * @throws StartError without a terminal
 */
export async function confirm({ ask }: Terminal, question: string, isConfirmed: boolean): Promise<boolean> {
  if (isConfirmed) return true
  if (!ask) throw new StartError(`${question} Not a terminal: pass --yes to confirm.`)
  return ask(`${question} [y/N] `)
}

/** Parser of an option whose value is a whole number. */
export function integerBetween(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return number
  }
}
