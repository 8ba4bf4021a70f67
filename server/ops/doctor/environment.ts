import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import { findBindingIssue } from '../../db/sqlite/binding.ts'
import { count, note, ok, problem, type Line } from './report.ts'

/** Reports the settings that have no section of their own. */
export function checkEnvironment(config: Config, directory: string, nodeVersion: string): Line[] {
  const { host, port, siteName, publicOrigin } = config
  const { dailyUploadLimit, dailyPostLimit } = config
  const { dailyImageLimit, dailyImageTotal } = config.fixedOptions
  const { imageConcurrency, imageTimeoutSeconds } = config
  return [
    checkNode(nodeVersion),
    environmentFile(directory),
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
  if (!issue) return ok(`Node ${nodeVersion} runs this.`)
  return issue.aborts ? problem(issue.text, issue.fix) : note(issue.text, issue.fix)
}

/** Reports an invalid environment. */
export function environmentProblems(issues: readonly string[], directory: string): Line[] {
  return [
    environmentFile(directory),
    ...issues.map((issue) =>
      problem(
        issue,
        fileVariable(issue) === null
          ? 'Change it in the environment or in .env.'
          : `Change the file, or ${fileVariable(issue)} in the environment or in .env.`,
      ),
    ),
    note('Nothing else was checked: all of it depends on the environment.'),
  ]
}

/** The variable of an issue if it names a file. */
function fileVariable(issue: string): string | null {
  return /^(?:ENGINES|RULES)_FILE(?=: )/.exec(issue)?.[0] ?? null
}

function environmentFile(directory: string): Line {
  const file = path.join(directory, '.env')
  return ok(existsSync(file) ? `There is ${file}; the environment overrides it.` : `There is no ${file}.`)
}

function isSet(secret: string | null): string {
  return secret === null ? 'is not set' : 'is set'
}
