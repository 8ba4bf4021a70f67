import type { Config } from '../config/config.ts'
import { endpointAt } from '../engines/openai/endpoint.ts'
import { systemCode } from '../storage/disk-fault.ts'
import { checkAddress } from './check-address.ts'
import { checkClerk, type ClerkOrigins } from './check-clerk.ts'
import { checkDatabase } from './check-database.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { checkEnvironment } from './check-environment.ts'
import { checkFolders } from './check-folders.ts'
import { checkLocalAccounts } from './check-local-accounts.ts'
import { checkProxy } from './check-proxy.ts'
import { checkRangoli } from './check-rangoli.ts'
import { note, problem, type Finding, type Section } from './finding.ts'
import { readDatabase, type DatabaseState } from './read-database.ts'
import { picturesMax, tryPicture } from './try-picture.ts'

/** What an examination needs beside the configuration. */
export interface Surgery {
  /** The working directory. */
  readonly directory: string
  /** As Node says it, such as v20.19.0. */
  readonly nodeVersion: string
  /** Whether something may be paid for, as it says; null: nobody is there to be asked. */
  readonly consent: ((question: string) => Promise<boolean>) | null
  readonly clerk: ClerkOrigins
}

/** Looks at everything that the configuration names, and changes nothing. */
export async function* examine(config: Config, surgery: Surgery): AsyncGenerator<Section> {
  const { directory, nodeVersion, clerk } = surgery
  yield { title: 'Environment', findings: checkEnvironment(config, directory, nodeVersion) }
  yield { title: 'Folders', findings: await asFarAsAllowed(checkFolders(config)) }
  const database = readDatabase(config.databaseFile)
  yield { title: 'Database', findings: await asFarAsAllowed(checkDatabase(config, database)) }
  yield { title: 'Sign-in', findings: await checkSignIn(config, database, clerk) }
  yield { title: 'Image engine', findings: await checkEngine(config, surgery) }
  yield { title: 'Proxy', findings: await checkProxy(config) }
}

/** Whoever may not look somewhere is told so, and of all the rest. */
async function asFarAsAllowed(findings: Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await findings
  } catch (error) {
    if (!(error instanceof Error) || systemCode(error) === undefined) throw error
    return [
      problem(
        `This could not be looked at (${error.message}).`,
        'Run this as the user that the server runs as.',
      ),
    ]
  }
}

async function checkSignIn(config: Config, database: DatabaseState, clerk: ClerkOrigins): Promise<Finding[]> {
  const { auth } = config
  const findings =
    auth.kind === 'local' ? await checkLocalAccounts(config, auth, database) : await checkClerk(auth, clerk)
  return [...findings, ...checkAddress(config)]
}

async function checkEngine({ engine, imageTimeout }: Config, { consent }: Surgery): Promise<Finding[]> {
  if (engine.kind === 'rangoli') return checkRangoli()
  const findings = await checkEndpoint(engine)
  if (findings.some(({ level }) => level === 'problem')) {
    return [...findings, note('No picture was asked for, because of that.')]
  }
  const mayPay = await consent?.(
    `This makes up to ${picturesMax} pictures at ${endpointAt(engine.baseUrl).host}, which may cost money. [y/N] `,
  )
  if (mayPay) return [...findings, ...(await tryPicture(engine, imageTimeout))]
  return [
    ...findings,
    note(
      'No picture was made, as that may cost money.',
      `npm run doctor -- --yes makes up to ${picturesMax} of them, and says how.`,
    ),
  ]
}
