import { existsSync } from 'node:fs'
import path from 'node:path'
import { version } from '../../../shared/version.ts'
import { ConfigError, type Config } from '../../config/config.ts'
import { misspelledVariables } from '../../config/misspelled.ts'
import { findBindingIssue } from '../../launch/check-installation.mjs'
import { systemCode } from '../../files/disk-files.ts'
import { checkDatabase } from './database.ts'
import { checkEngine, type EngineCheckOptions } from './engine.ts'
import { checkFolders } from './folders.ts'
import { checkMail } from './mail.ts'
import { checkProxy } from './proxy.ts'
import { count, note, ok, orDenied, problem, type Line, type Section } from './report.ts'
import { checkSignIn } from './sign-in.ts'

interface DoctorOptions extends EngineCheckOptions {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  /** The working directory, where `.env` is read. */
  readonly directory: string
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string
}

/** Checks everything that the environment configures, section by section, and changes nothing. */
export async function* diagnose(options: DoctorOptions): AsyncGenerator<Section> {
  const { directory, nodeVersion, readConfig } = options
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    const lines = environmentProblems(issuesOf(error), directory)
    // Any other error is about reading the file.
    if (error instanceof ConfigError) lines.push(...misspelledNames(directory))
    yield { title: 'Environment', lines }
    return
  }
  yield { title: 'Environment', lines: checkEnvironment(config, directory, nodeVersion) }
  yield { title: 'Folders', lines: await orDenied(checkFolders(config)) }
  const { lines, accounts } = await checkDatabase(config)
  yield { title: 'Database', lines }
  yield { title: 'Sign-in', lines: await checkSignIn(config, accounts) }
  yield { title: 'Mail', lines: await checkMail(config) }
  for (const engine of config.engines) {
    const isOnly = config.engines.length === 1
    yield {
      title: isOnly ? 'Image engine' : `Image engine ${engine.label} (${engine.id})`,
      lines: await checkEngine(config, engine, options),
    }
  }
  yield { title: 'Proxy', lines: await checkProxy(config) }
}

/** @throws whatever is neither an invalid environment nor an unreadable `.env` */
function issuesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.issues
  if (error instanceof Error && systemCode(error) !== undefined) {
    return [`.env cannot be read (${error.message}); give the user that runs the server read access.`]
  }
  throw error
}

/** Reports the settings that have no section of their own. */
function checkEnvironment(config: Config, directory: string, nodeVersion: string): Line[] {
  const { host, port, siteName, publicOrigin, dailyUploadLimit, dailyPostLimit } = config
  const { imageConcurrency, imageTimeoutSeconds } = config
  const { dailyImageLimit, dailyImageTotal } = config.fixedOptions
  return [
    checkNode(nodeVersion),
    environmentFile(directory),
    ...misspelledNames(directory),
    ok(`${siteName} listens on ${host}, port ${port === 0 ? '0, which is any free one' : port}.`),
    ok(
      publicOrigin === null
        ? 'PUBLIC_URL is not set: its address is taken from each request.'
        : `Its address is ${publicOrigin}.`,
    ),
    ok(
      `Each user has ${dailyImageLimit === undefined ? 'the images that administrators allow' : count(dailyImageLimit, 'image')}, ${count(dailyUploadLimit, 'upload')} and ${count(dailyPostLimit, 'post')} a day; ${count(imageConcurrency, 'image')} may be generated at a time, within ${count(imageTimeoutSeconds, 'second')} each.`,
    ),
    ok(
      typeof dailyImageTotal === 'number'
        ? `The whole site generates at most ${count(dailyImageTotal, 'image')} a day.`
        : 'DAILY_IMAGE_TOTAL is not set: administrators choose the images of the whole site per day.',
    ),
    ...(dailyImageTotal === 0 ? [note('DAILY_IMAGE_TOTAL is 0: no images can be generated.')] : []),
    ...(dailyImageLimit === 0 ? [note('DAILY_IMAGE_LIMIT is 0: no images can be generated.')] : []),
    ok(`API_TOKEN ${isSet(config.serviceToken)}.`),
    ok(`METRICS_TOKEN ${isSet(config.metricsToken)}.`),
  ]
}

function checkNode(nodeVersion: string): Line {
  const issue = findBindingIssue(nodeVersion)
  if (!issue) return ok(`Node ${nodeVersion} runs Rangoli ${version}.`)
  return note(issue.text, issue.fix)
}

/** Reports an invalid environment. */
function environmentProblems(issues: readonly string[], directory: string): Line[] {
  return [
    environmentFile(directory),
    ...issues.map((issue) => {
      const fileVariable = /^(?:ENGINES|RULES)_FILE(?=: )/.exec(issue)?.[0]
      const what = fileVariable === undefined ? 'it' : `the file, or ${fileVariable}`
      return problem(issue, `Change ${what} in the environment or in .env.`)
    }),
    note('Nothing else was checked: all of it depends on the environment.'),
  ]
}

function environmentFile(directory: string): Line {
  const file = path.join(directory, '.env')
  return ok(existsSync(file) ? `There is ${file}; the environment overrides it.` : `There is no ${file}.`)
}

function misspelledNames(directory: string): Line[] {
  return misspelledVariables(directory).map(({ name, meant }) =>
    note(`${name} in .env is unknown and has no effect.`, `Rename it to ${meant} if you meant that.`),
  )
}

function isSet(secret: string | null): string {
  return secret === null ? 'is not set' : 'is set'
}
