import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { embeddedEngine } from '../config/engine-section.ts'
import { AppError, StartError } from '../errors/app-error.ts'
import type { Terminal } from '../ops/terminal.ts'
import type { Services } from '../trpc/context.ts'
import { systemCode } from '../files/disk-files.ts'
import { readDecimalBetween } from '../text/read-decimal.ts'

/** Process resources that commands use; tests replace them. */
export interface CommandContext {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  readonly openLog: (config: Config) => Logger
  readonly terminal: Terminal
  readonly directory: string
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string
  readonly setExitCode: (code: number) => void
  /** Runs the server until a signal stops it. */
  readonly serve: () => Promise<void>
}

/** Asks a question; anything but `y` or `yes` is a no, as is the end of the input. */
export async function ask(question: string, input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output })
  // A closed terminal never answers.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(question), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

/** Runs work with the services of the site, which run no generations of users. */
export async function withServices(
  { openLog }: CommandContext,
  config: Config,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  // Not loaded by commands that need neither.
  const { createServices } = await import('../services.ts')
  const ofCommand = { ...config, role: 'web', engines: [embeddedEngine] } as const
  const services = await createServices(ofCommand, openLog(config))
  try {
    await work(services)
  } finally {
    await services[Symbol.asyncDispose]()
  }
}

/** Parser of an option whose value is a whole number. */
export function integerBetween(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = readDecimalBetween(value, min, max)
    if (number === null) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    }
    return number
  }
}

/**
 * Reports errors of the disk and the database in one line.
 *
 * @param failure beginning of the line: what was not done
 * @throws StartError
 */
export async function withSystemErrors(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    const code = systemCode(cause)
    if (!(cause instanceof Error) || (code === undefined && !(error instanceof AppError))) throw error
    const message = cause.message.replace(/\.$/, '')
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || message === 'database or disk is full'
    throw new StartError(`${failure}: ${isFull ? `the disk is full (${message})` : message}.`, {
      cause: error,
    })
  }
}
