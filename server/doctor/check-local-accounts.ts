import { stat, readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import path from 'node:path'
import type { LocalAuthConfig } from '../config/auth-section.ts'
import type { Config } from '../config/config.ts'
import { systemCode } from '../storage/disk-fault.ts'
import { nullIfMissing } from '../storage/null-if-missing.ts'
import { note, ok, problem, type Finding } from './finding.ts'
import type { DatabaseState } from './read-database.ts'

/** Sign-in with accounts of our own. */
export async function checkLocalAccounts(
  config: Config,
  auth: LocalAuthConfig,
  state: DatabaseState,
): Promise<Finding[]> {
  const accounts = state.kind === 'ours' ? state.content.accounts : 0
  const findings = [ok(`Accounts are kept here, in the database; sign-up is ${auth.signUp}.`)]
  if (auth.signUp === 'closed' && accounts === 0) {
    findings.push(note('Nobody has an account yet.', 'Make one: npm run account -- add EMAIL.'))
  }
  findings.push(
    auth.secret === null
      ? await checkSecretFile(path.join(path.dirname(config.databaseFile), 'auth-secret'))
      : ok('AUTH_SECRET is set.'),
  )
  return findings
}

async function checkSecretFile(file: string): Promise<Finding> {
  try {
    const found = await nullIfMissing(stat(file))
    if (!found) return ok(`AUTH_SECRET is not set; the first start makes one and keeps it in ${file}.`)
    if ((await readFile(file, 'utf8')).trim().length < 32) {
      return problem(`The secret in ${file} is cut short.`, 'Remove the file, and a new one is made.')
    }
    // Windows has no modes.
    if (platform() !== 'win32' && found.mode & 0o077) {
      return problem(`Others may read the secret in ${file}.`, `Run: chmod 600 ${file}`)
    }
    return ok(`AUTH_SECRET is not set; the one in ${file} is used, which only its owner may read.`)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return problem(
      `The secret in ${file} can't be read (${code}).`,
      'Let the user that the server runs as read it, or set AUTH_SECRET.',
    )
  }
}
