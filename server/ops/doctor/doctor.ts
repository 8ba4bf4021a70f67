import { existsSync } from 'node:fs'
import path from 'node:path'
import { version } from '../../../shared/version.ts'
import { ConfigError, type Config } from '../../config/config.ts'
import { misspelledVariables } from '../../config/misspelled.ts'
import { findBindingIssue } from '../../launch/check-installation.mjs'
import type { StoredEngine } from '../../site/added-engines.ts'
import { checkDatabase } from './database.ts'
import { checkAddedEngine, checkEngine, type EngineCheckOptions } from './engine.ts'
import { checkFolders } from './folders.ts'
import { checkMail } from './mail.ts'
import { checkProxy } from './proxy.ts'
import { note, ok, orDenied, problem, type Lines } from './report.ts'
import { checkSignIn } from './sign-in.ts'
import { checkSigning } from './signing.ts'

interface DoctorOptions extends EngineCheckOptions {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  /** The working directory, where `.env` is read. */
  readonly directory: string
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string
}

/** Checks everything that the environment configures, section by section, and changes nothing. */
export async function* diagnose(
  options: DoctorOptions,
): AsyncGenerator<readonly [title: string, lines: Lines]> {
  const { directory, nodeVersion, readConfig } = options
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    return yield ['Environment', describeIssues(error, directory)]
  }
  yield ['Environment', checkEnvironment(config, directory, nodeVersion)]
  yield ['Folders', orDenied(checkFolders(config))]
  const added: StoredEngine[] = []
  yield ['Database', checkDatabase(config, added)]
  yield ['Sign-in', checkSignIn(config)]
  yield ['Mail', checkMail(config)]
  for (const engine of config.engines) {
    const name = config.engines.length === 1 ? '' : ` ${engine.label} (${engine.id})`
    yield [`Image engine${name}`, checkEngine(config, engine, options)]
  }
  for (const stored of added)
    yield [`Added image engine ${stored.settings.id}`, checkAddedEngine(config, stored, options)]
  yield ['Content Credentials', checkSigning(config, nodeVersion)]
  yield ['Proxy', checkProxy(config)]
}

/** Reports Node, and the settings that have no section of their own. */
async function* checkEnvironment(config: Config, directory: string, nodeVersion: string): Lines {
  const issue = findBindingIssue(nodeVersion)
  yield issue ? note(issue.text, issue.fix) : ok(`Node ${nodeVersion} runs Rangoli ${version}.`)
  yield* checkFile(directory)
  const { host, port, siteName, publicOrigin } = config
  yield ok(`${siteName} listens on ${host}, port ${port === 0 ? '0, which is any free one' : port}.`)
  yield ok(
    publicOrigin === null
      ? 'PUBLIC_URL is not set: its address is taken from each request.'
      : `Its address is ${publicOrigin}.`,
  )
}

/** @throws whatever is no invalid environment */
async function* describeIssues(error: unknown, directory: string): Lines {
  if (!(error instanceof ConfigError)) throw error
  if (error.cause === undefined) {
    yield* checkFile(directory)
    for (const issue of error.issues) {
      const fileVariable = /^(?:ENGINES|RULES)_FILE(?=: )/.exec(issue)?.[0]
      const what = fileVariable === undefined ? 'it' : `the file, or ${fileVariable}`
      yield problem(issue, `Change ${what} in the environment or in .env.`)
    }
  } else yield problem(error.message, 'Run this as that user.')
  yield note('Nothing else was checked: all of it depends on the environment.')
}

/** Reports `.env`, and its misspelled variables. */
async function* checkFile(directory: string): Lines {
  const file = path.join(directory, '.env')
  yield ok(existsSync(file) ? `There is ${file}; the environment overrides it.` : `There is no ${file}.`)
  for (const { name, meant } of misspelledVariables(directory)) {
    yield note(`${name} in .env is unknown and has no effect.`, `Rename it to ${meant} if you meant that.`)
  }
}
