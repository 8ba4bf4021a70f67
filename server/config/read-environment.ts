import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { parseConfig, type Config } from './config.ts'

/**
 * Parses the environment of a process; the `.env` file of its working directory provides defaults.
 *
 * @throws ConfigError
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): Config {
  const file = path.join(workingDirectory, '.env')
  const defaults = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return parseConfig({ ...defaults, ...env }, workingDirectory)
}
