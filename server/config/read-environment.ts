import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { parseConfig, type Config } from './config.ts'

/**
 * The configuration of a process: its environment over the `.env` of its working directory.
 *
 * @throws ConfigError
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): Config {
  const file = path.join(workingDirectory, '.env')
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return parseConfig({ ...kept, ...env }, workingDirectory)
}
