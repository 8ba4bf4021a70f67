import { account } from './account.ts'
import { backup } from './backup.ts'
import { checkDataCommand } from './verify.ts'
import type { Command } from './command.ts'
import { restore } from './restore.ts'
import { seed } from './seed.ts'

/** Every command beside `serve` and `doctor`, by its name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['seed', seed],
  ['account', account],
  ['backup', backup],
  ['restore', restore],
  ['check-data', checkDataCommand],
])
