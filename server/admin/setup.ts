import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { passwordMaxLength, passwordMinLength } from '../../shared/limits.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Authenticator } from '../access/authenticator.ts'
import { setRole } from '../access/user-access.ts'
import { recordAdminAction } from '../audit/admin-log.ts'
import { isWeakPassword } from '../auth/passwords.ts'
import { createSecretCheck } from '../auth/site-authenticator.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open-database.ts'
import { hasRows } from '../db/rows.ts'
import { lockAdministration, inTransaction } from '../db/transaction.ts'
import { issueOf } from '../engines/engines.ts'
import { defaultRequest } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'
import { runEngine } from '../images/generation/worker.ts'
import { smallPngUrl } from '../images/processing.ts'
import type { CallContext } from '../procedures/procedures.ts'
import { AttemptLimiter, type Counters } from '../rate-limits/rate-limiter.ts'
import { appearanceInput, updateAppearance } from '../site/appearance.ts'
import { deriveKey } from '../text/signer.ts'
import { readSiteRows, siteOptionsInput, storeSiteOption, updateSiteOptions } from '../site/site-options.ts'
import { addEngine, type ChangeEngineServices } from './change-engines.ts'

/** Wrong codes of a network: the first are free. */
const attemptLimits = { freeAttempts: 10, minWaitSeconds: 5, maxWaitSeconds: 5 * 60 }

/** Longest side of the image with which an engine is tried, in pixels. */
const trialSize = 256

/** Random bytes of a code, and its characters. */
const [codeBytes, codeLength] = [24, 32]

interface SetupOptions {
  readonly config: Pick<Config, 'setup' | 'database' | 'auth'>
  readonly db: Database
  readonly counters: Counters
  readonly siteSecret: string
}

/** The setup of a site in the browser, for those who know the code in the server's log, while there is no administrator. */
export class Setup {
  readonly #options: SetupOptions
  readonly #attempts: AttemptLimiter
  readonly #file: string | null
  /** Makes the code on PostgreSQL another one once there was an administrator, with whom it ends, see `setRole`. */
  readonly #nonce: string | null
  #isOver: boolean

  private constructor(options: SetupOptions, nonce: string | null) {
    const { config, counters } = options
    const { auth, database } = config
    this.#options = options
    this.#attempts = new AttemptLimiter(attemptLimits, 'setup-codes', counters)
    this.#file = database.kind === 'sqlite' ? path.join(path.dirname(database.file), 'setup-code') : null
    this.#nonce = nonce
    this.#isOver = !config.setup || (auth.kind === 'clerk' && auth.administrators.length > 0)
  }

  static async open(options: SetupOptions): Promise<Setup> {
    const { config, db } = options
    if (config.database.kind === 'postgres' && !(await hasAdministrator(db))) {
      const value = JSON.stringify(randomBytes(codeBytes).toString('base64url'))
      const row = db.insertInto('site_options').values({ name: 'setupNonce', value })
      await row.onConflict((conflict) => conflict.doNothing()).execute()
    }
    return new Setup(options, await readNonce(db))
  }

  /** Checks whether the site can be set up. Not any more, once there was an administrator. */
  async isOpen(): Promise<boolean> {
    const { db } = this.#options
    if (!this.#isOver && ((await hasAdministrator(db)) || (await readNonce(db)) !== this.#nonce)) this.end()
    return !this.#isOver
  }

  /** Makes the code void. */
  end(): void {
    this.#isOver = true
    if (this.#file !== null) rmSync(this.#file, { force: true })
  }

  /**
   * Returns the code: kept in the folder of the database file, or, as processes on PostgreSQL share no folder, derived from the
   * secret of the site.
   */
  code(): string {
    if (this.#file === null) {
      const purpose = `setup ${this.#nonce}`
      return deriveKey(this.#options.siteSecret, purpose, codeBytes).toString('base64url')
    }
    const known = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').trim() : ''
    // Another one if a crash or a full disk has cut it off.
    if (known.length === codeLength) return known
    const code = randomBytes(codeBytes).toString('base64url')
    writeFileSync(`${this.#file}.new`, code, { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
    return code
  }

  /** @throws AppError `forbidden` for a wrong code, or once there is an administrator; `rate_limited` after wrong ones */
  async requireCode(network: string, code: string): Promise<void> {
    if (!this.#options.config.setup) throw new AppError('forbidden', 'The setup is turned off on this site.')
    if (!(await this.isOpen())) throw setupOver()
    await this.#attempts.consume(network)
    if (!createSecretCheck(this.code())(code))
      throw new AppError('forbidden', 'This is not the code in the log of the server.')
    await this.#attempts.reset(network)
  }
}

function setupOver(): AppError {
  return new AppError('forbidden', 'This site has an administrator already.')
}

function hasAdministrator(db: Database): Promise<boolean> {
  const administrators = db.selectFrom('user_access').select('user_id').where('role', '=', 'administrator')
  // The condition of the index.
  return hasRows(administrators.where('role', '<>', 'member'))
}

const readNonce = async (db: Database) => (await readSiteRows(db, 'setupNonce')).get('setupNonce') ?? null

export interface SetupServices extends ChangeEngineServices {
  readonly config: Pick<
    Config,
    'siteName' | 'fixedAppearance' | 'fixedOptions' | 'auth' | 'imageTimeoutSeconds'
  >
  readonly authenticator: Pick<Authenticator, 'administration' | 'directory'>
  readonly setup: Setup
}

const code = z.string().max(200)
const engine = z.looseObject({})

export const tryInput = z.object({ code, engine })

export const completeInput = z.object({
  code,
  name: appearanceInput.shape.name,
  signUp: siteOptionsInput.shape.signUp,
  engine: engine.optional(),
  account: z
    .object({
      name: z.string().trim().min(1, 'Please enter your name.').max(80),
      email: z.string().max(254),
      password: z
        .string()
        .min(passwordMinLength, `The password must have at least ${passwordMinLength} characters.`)
        .max(passwordMaxLength, `The password must have at most ${passwordMaxLength} characters.`),
    })
    .optional(),
})

type SetupContext = Pick<CallContext<SetupServices>, 'services' | 'clientNetwork' | 'identity'>

/**
 * Generates an image with an engine that is not stored. Returns it as a data URL, or an error.
 *
 * @throws AppError `forbidden` see `requireCode`; `bad_input`
 */
export async function tryEngine(
  { services: { config, setup, addedEngines }, clientNetwork }: SetupContext,
  input: z.output<typeof tryInput>,
) {
  await setup.requireCode(clientNetwork(), input.code)
  const created = await addedEngines.create({ id: 'engine', ...input.engine })
  const request = defaultRequest(randomUUID(), 'A peacock in the rain')
  const signal = AbortSignal.timeout(config.imageTimeoutSeconds * 1_000)
  try {
    const { bytes } = await runEngine(created, request, signal)
    return { image: await smallPngUrl(bytes, trialSize), error: null }
  } catch (thrown) {
    const error = signal.aborted ? new AppError('engine_timeout') : thrown
    return { image: null, error: issueOf(error) }
  }
}

/**
 * Makes the signed-in user the first administrator, or a new user where there are local accounts, and sets up the site.
 *
 * @throws AppError `forbidden` see `requireCode`; `not_signed_in` if only a user who has signed in can do it; `bad_input`
 */
export async function completeSetup(
  { services, clientNetwork, identity }: SetupContext,
  input: z.output<typeof completeInput>,
): Promise<void> {
  const { config, db, setup, addedEngines } = services
  await setup.requireCode(clientNetwork(), input.code)
  // Before anything is stored.
  if (input.engine) await addedEngines.create({ id: 'engine', ...input.engine })
  const session = await identity()
  const signedIn = session?.by === 'session' ? session.viewer : null
  const user = signedIn ?? (await createAccount(services, input.account))
  try {
    await inTransaction(db, async (transaction) => {
      await lockAdministration(transaction)
      if (await hasAdministrator(transaction)) throw setupOver()
      await setRole(transaction, user.id, 'administrator')
      const details = { from: 'member', to: 'administrator' }
      const action = { action: 'change_role', userId: user.id, details, now: services.now() } as const
      await recordAdminAction(transaction, { id: null, firstName: 'Setup' }, action)
    })
  } catch (error) {
    // Another one was first.
    if (!signedIn && input.account)
      await services.authenticator.administration?.remove(input.account.email, { posts: 'remove' })
    throw error
  }
  setup.end()
  const administrator: Viewer = { ...user, role: 'administrator' }
  if (input.name !== undefined && !('name' in config.fixedAppearance))
    await updateAppearance(services, administrator, { name: input.name })
  if (input.signUp !== undefined && config.auth.kind === 'local' && !('signUp' in config.fixedOptions))
    await updateSiteOptions(services, administrator, { signUp: input.signUp })
  if (input.engine) {
    const id = await addEngine(services, administrator, input.engine)
    await storeSiteOption(db, 'defaultEngine', id)
  }
}

async function createAccount(
  { authenticator: { administration }, config: { auth } }: SetupServices,
  account: z.output<typeof completeInput>['account'],
): Promise<Omit<Viewer, 'role'>> {
  if (!administration || auth.kind !== 'local' || !auth.localSignIn || !account)
    throw new AppError('not_signed_in')
  const { name, email, password } = account
  if (isWeakPassword(password, account))
    throw new AppError('bad_input', 'This password is too easy to guess. Choose another one.')
  const known = await administration.findId(email).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (known !== null)
    throw new AppError(
      'bad_input',
      'There is already an account with this email. Sign in to it, then set up the site.',
    )
  await administration.add(email, name, password)
  return { id: await administration.findId(email), firstName: name.split(/\s+/)[0] ?? name, imageUrl: null }
}
