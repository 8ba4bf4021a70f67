import { account } from './account.ts'
import type { Command } from './command.ts'
import { seed } from './seed.ts'

/** Every command beside `serve`, by its name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['seed', seed],
  ['account', account],
])
