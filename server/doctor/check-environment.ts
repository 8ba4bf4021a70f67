import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config/config.ts'
import { count } from './amounts.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** What the environment sets up, beside what has a section of its own. */
export function checkEnvironment(config: Config, directory: string, nodeVersion: string): Finding[] {
  const { host, port, siteName, publicOrigin, dailyImageLimit, dailyUploadLimit } = config
  const { imageConcurrency, imageTimeout } = config
  return [
    ok(`Node ${nodeVersion} runs this.`),
    environmentFile(directory),
    ok(`${siteName} listens on ${host}, port ${port === 0 ? '0, which is any free one' : port}.`),
    ok(
      publicOrigin === null
        ? 'PUBLIC_URL is not set: its address is taken from each request.'
        : `People reach it at ${publicOrigin}.`,
    ),
    ok(
      `Each person has ${count(dailyImageLimit, 'picture')} and ${count(dailyUploadLimit, 'upload')} a day; ${count(imageConcurrency, 'picture')} may be made at a time, in ${count(imageTimeout, 'second')} each.`,
    ),
    ...(dailyImageLimit === 0 ? [note('DAILY_IMAGE_LIMIT is 0: nobody can make a picture.')] : []),
    ok(`API_TOKEN ${isSet(config.apiToken)}.`),
    ok(`METRICS_TOKEN ${isSet(config.metricsToken)}.`),
  ]
}

/** What is wrong with an environment that makes no sense. */
export function environmentFaults(faults: readonly string[], directory: string): Finding[] {
  return [
    environmentFile(directory),
    ...faults.map((fault) => problem(fault, 'Change it in the environment or in .env.')),
    note('Nothing else was looked at, as all of it depends on the environment.'),
  ]
}

function environmentFile(directory: string): Finding {
  const file = path.join(directory, '.env')
  return ok(existsSync(file) ? `There is ${file}; the environment wins over it.` : `There is no ${file}.`)
}

function isSet(secret: string | null): string {
  return secret === null ? 'is not set' : 'is set'
}
