import type { LocalAccountServices, PasswordHashing } from './auth/call-context.ts'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { keepAuthSecret } from './auth/auth-secret.ts'
import type { DeleteAccountData } from './access/authenticator.ts'
import { Setup } from './admin/setup.ts'
import { createSiteAuthenticator } from './auth/site-authenticator.ts'
import { createLocalAccounts } from './auth/local-accounts.ts'
import { OAuthClients } from './programs/oauth-clients.ts'
import type { PasswordLimits } from './auth/password-attempts.ts'
import type { Config } from './config/config.ts'
import type { EngineConfig } from './config/engine-section.ts'
import { isOwnOrigin } from './config/site-origin.ts'
import { createGalleryVersion, PlannedChanges, withTime } from './db/content-version.ts'
import * as postgres from './db/postgres/maintenance.ts'
import * as sqlite from './db/sqlite/maintenance.ts'
import { databaseName } from './db/database-config.ts'
import { openDatabase, type Database } from './db/open-database.ts'
import { findBindingIssue } from './launch/check-installation.mjs'
import { StartError } from './errors/app-error.ts'
import { createSigner, findSigningIssue, type SignImage } from './formats/signing.ts'
import { Engines } from './engines/engines.ts'
import type { ImageEngine } from './engines/image-engine.ts'
import { createAutomatic1111Engine } from './engines/automatic1111/automatic1111-engine.ts'
import { createRangoliEngine } from './engines/rangoli/rangoli-engine.ts'
import { Generations } from './images/generation/generations.ts'
import { countWaiting } from './images/generation/states.ts'
import { ImageLinks } from './images/image-links.ts'
import { countMails } from './mail/mail-queue.ts'
import type { MailOutcome } from './mail/mail-sender.ts'
import { mailLanguage } from './mail/compose-mail.ts'
import { notificationTitle } from './mail/notification-texts.ts'
import { UnsubscribeLinks } from './mail/unsubscribe-links.ts'
import { createPushSender } from './notifications/push-sender.ts'
import { derivePushKeys } from './notifications/push-keys.ts'
import { Readiness } from './observability/health.ts'
import { Metrics } from './observability/metrics.ts'
import { createThemeClock } from './collections/theme.ts'
import { readEngineSpending } from './images/read-quota.ts'
import { readGalleryState } from './db/gallery.ts'
import { MatchingImages } from './images/list-images.ts'
import { MatchCounts } from './posts/search/post-index.ts'
import { createPostgresPostIndex } from './posts/search/postgres-post-index.ts'
import { createSqlitePostIndex } from './posts/search/sqlite-post-index.ts'
import { createWordCounter } from './posts/words/count-words.ts'
import { readAppearance } from './site/appearance.ts'
import { AddedEngines, EngineSecrets } from './site/added-engines.ts'
import { createReadSiteOptions } from './site/site-options.ts'
import { deleteAccountData } from './users/delete-account.ts'
import { createSearchQueue, createUploadQueue, type KeyedQueue } from './rate-limits/keyed-queue.ts'
import { BodyBudget } from './rate-limits/body-budget.ts'
import { WorkInProgress } from './rate-limits/work-in-progress.ts'
import {
  createWriteLimits,
  type WriteLimits,
  countInDatabase,
  countInMemory,
} from './rate-limits/rate-limiter.ts'
import { openSiteStorage, requireOwn, tie, type StorageServices } from './ops/site-storage.ts'
import type { ResolveHost } from './network/addresses.ts'
import { countDeliveries } from './webhooks/delivery-queue.ts'
import { createPinUrl } from './network/pin-url.ts'
import { createWebhookSender } from './webhooks/webhook-sender.ts'
import { systemClock, type Clock } from './time/clock.ts'
import type { Services } from './trpc/context.ts'

/** Implementations that tests replace. */
export interface ServiceOverrides {
  readonly sign?: SignImage
  /** The only engine. */
  readonly engine?: ImageEngine
  readonly engines?: readonly ImageEngine[]
  readonly now?: Clock
  readonly writeLimits?: WriteLimits
  readonly workInProgress?: WorkInProgress
  readonly searches?: KeyedQueue
  readonly passwordLimits?: PasswordLimits
  readonly passwordHashing?: PasswordHashing
  readonly concealedMs?: number
  readonly resolveHost?: ResolveHost
}

/**
 * The composition root: the only place that chooses implementations.
 *
 * @param lock called before a SQLite file is opened or created, once a new one is known to belong to the storage of images
 * @throws StartError if the database or the uploads folder cannot be used
 */
export async function createServices(
  config: Config,
  log: Logger,
  overrides: ServiceOverrides = {},
  lock?: (databaseFile: string) => Promise<void>,
): Promise<Services> {
  const now = overrides.now ?? systemClock
  const { dailyUploadLimit, dailyPostLimit } = config
  const plannedChanges = new PlannedChanges()
  const { imageConcurrency, imageTimeoutSeconds: imageTimeout, imageLeaseSeconds } = config
  const metrics = config.metricsToken === null ? null : new Metrics()
  const { db, blobs, sweepOrphans, closeStorage } = await openData(
    config,
    { log, now, countsBytes: metrics !== null },
    lock,
  )
  const bindingIssue = findBindingIssue(process.version)
  if (bindingIssue) log.warn(`${bindingIssue.text} ${bindingIssue.fix}`)
  const file = config.database.kind === 'sqlite' ? config.database.file : null
  const dataFolder = file && path.dirname(file)
  const create = async (engine: EngineConfig) => {
    const created = { ...(await createEngine(engine, log, dataFolder)), prices: engine.price }
    return metrics?.measure(created) ?? created
  }
  const replaced = overrides.engines ?? (overrides.engine && [overrides.engine])
  const engines = new Engines(
    replaced?.map((engine) => metrics?.measure(engine) ?? engine) ??
      (await Promise.all(config.engines.map(create))),
    log,
  )
  const secret = siteSecret(config)
  const secrets = new EngineSecrets(secret)
  const addedEngines = new AddedEngines({ engines, secrets, log, create })
  const readOptions = createReadSiteOptions(config.fixedOptions, log, (stored) => addedEngines.use(stored))
  // Generations of added engines would count as those of engines that are gone.
  await readOptions(db)
  const notifications = await openNotifications(config, db, log)
  const base = { db, log, now }
  const generations = new Generations({
    ...base,
    blobs,
    engines,
    readOptions,
    imageConcurrency,
    imageTimeout,
    imageLeaseSeconds,
    runsGenerations: config.role !== 'web',
    notifications,
    sign: overrides.sign ?? openSigner(config, base),
    ...(metrics && { onFinished: (outcome: string) => metrics.count('generations', outcome) }),
  })
  const sendsMail = config.mail !== null && config.auth.kind === 'local'
  const unsubscribeLinks = new UnsubscribeLinks(secret)
  const { publicOrigin, webhookAllowedAddresses: allowed } = config
  const pinUrl = createPinUrl({ allowed, publicOrigin, resolve: overrides.resolveHost })
  const imageLinks = new ImageLinks(secret, now)
  const pushKeys = derivePushKeys(secret)
  const sending = { ...base, pinUrl, publicOrigin }
  const mails = await openMailSender(config, { ...base, unsubscribeLinks }, metrics)
  const workers: Services['workers'] =
    config.role === 'web'
      ? {}
      : {
          ...(mails && { mails }),
          webhooks: createWebhookSender({
            ...sending,
            imageLinks,
            sendsMail,
            onAttempt: metrics ? (outcome) => metrics.count('webhookAttempts', outcome) : undefined,
          }),
          pushes: createPushSender({
            ...sending,
            pushKeys,
            titleOf: (language, about) => notificationTitle(mailLanguage(language), about),
          }),
          words: createWordCounter(db, log),
          themes: createThemeClock({ ...base, readOptions }),
        }
  const searches = overrides.searches ?? createSearchQueue()
  metrics?.addSite(
    [
      ['rangoli_posts', 'Posts in the gallery.', async () => (await readGalleryState(db)).posts],
      [
        'rangoli_database_bytes',
        'Size of the database with its write-ahead log.',
        () => (file === null ? postgres.databaseBytes(db) : sqlite.databaseBytes(file)),
      ],
      ['rangoli_uploads_bytes', 'Size of the images; missing while it is measured.', () => blobs.bytes()],
      ['rangoli_mails_waiting', 'Queued mails.', () => countMails(db)],
      ['rangoli_webhook_deliveries_waiting', 'Queued deliveries of webhooks.', () => countDeliveries(db)],
      [
        'rangoli_spending_usd',
        'What images of the current UTC month have cost, by engine.',
        () => readEngineSpending(db, now()),
      ],
      ['rangoli_generations_running', 'Running generations.', () => generations.running],
      ['rangoli_generations_waiting', 'Queued generations.', () => countWaiting(db)],
      ['rangoli_searches_running', 'Running searches.', () => searches.load.running],
      ['rangoli_searches_waiting', 'Queued searches.', () => searches.load.waiting],
    ],
    log,
  )
  const deleteData: DeleteAccountData = (userId, options) =>
    deleteAccountData({ ...base, blobs, generations }, userId, options)
  const counters = file === null ? countInDatabase(db) : countInMemory
  const { passwordLimits, passwordHashing, concealedMs } = overrides
  const writeLimits = overrides.writeLimits ?? createWriteLimits(counters)
  const oauthClients = new OAuthClients({
    ...sending,
    secret,
    fetches: writeLimits.programs,
    isRegistrationOpen: config.oauthRegistration,
  })
  const authenticator = await createAuthenticator(config, {
    ...base,
    counters,
    readOptions,
    forget: deleteData,
    passwordLimits,
    passwordHashing,
    concealedMs,
  })
  const postIndex = file === null ? createPostgresPostIndex(db) : createSqlitePostIndex(db)
  return {
    ...base,
    config,
    readContentVersion: withTime(createGalleryVersion(db), now, plannedChanges),
    plannedChanges,
    postIndex,
    matchCounts: new MatchCounts(postIndex),
    matchingImages: new MatchingImages(),
    blobs,
    imageLinks,
    sweepOrphans,
    engines,
    addedEngines,
    setup: await Setup.open({ config, db, counters, siteSecret: secret }),
    authenticator,
    generations,
    readOptions,
    sendsMail,
    unsubscribeLinks,
    pushKeys,
    pinUrl,
    workers,
    dailyUploadLimit,
    dailyPostLimit,
    uploadQueue: createUploadQueue(),
    bodyBudget: new BodyBudget(),
    writeLimits,
    oauthClients,
    workInProgress: overrides.workInProgress ?? new WorkInProgress(),
    searches,
    readiness: new Readiness(log, {
      database: () => (file === null ? postgres.requireWritable(db) : sqlite.requireWritable(db, file)),
      uploads: () => blobs.check(),
    }),
    metrics,
    async [Symbol.asyncDispose]() {
      for (const worker of Object.values(workers)) await worker.stop(0)
      await generations.stop(0)
      await notifications?.close()
      await db.destroy()
      closeStorage()
    },
  }
}

/** Creates the sender of mails. Accounts of a hosted sign-in service have no addresses here. */
async function openMailSender(
  config: Config,
  services: Pick<Services, 'db' | 'log' | 'now' | 'unsubscribeLinks'>,
  metrics: Metrics | null,
) {
  const { mail, auth, role, publicOrigin } = config
  if (mail === null || auth.kind !== 'local' || role === 'web') return null
  const { createMailSender } = await import('./mail/mail-sender.ts')
  const onFinished = metrics ? (outcome: MailOutcome) => metrics.count('mails', outcome) : undefined
  const readSiteName = async (language: string) =>
    (await readAppearance({ ...services, config }, language)).name
  return createMailSender({ ...services, config: mail, readSiteName, publicOrigin, onFinished })
}

/** Opens what signs generated images. Without it they are stored as they are. */
function openSigner(config: Config, { log, now }: Pick<Services, 'log' | 'now'>) {
  const { signing, role } = config
  if (!signing || role === 'web') return null
  const issue = findSigningIssue(signing, process.version, now())
  const onTimestampError = (err: unknown) =>
    log.warn({ err }, 'C2PA_TIMESTAMP_URL failed; images are signed without a timestamp for a minute')
  if (!issue) return createSigner(signing, config, onTimestampError)
  log.warn(`${issue.text} ${issue.fix}`)
  return null
}

/** Connects the processes of a site on PostgreSQL. With SQLite there is one. */
async function openNotifications({ database }: Config, db: Database, log: Logger) {
  if (database.kind === 'sqlite') return null
  const { PostgresNotifications } = await import('./images/generation/postgres-notifications.ts')
  return new PostgresNotifications(db, database, log)
}

/** Opens the database and the storage of images. Creates neither if they do not belong together. */
async function openData(
  config: Config,
  services: Omit<StorageServices, 'db'> & { readonly log: Logger },
  lock: Parameters<typeof createServices>[3],
) {
  const { database } = config
  const storage = await openSiteStorage(config)
  const requireOwnImages = (db: Database | null) => requireOwn(storage.place, databaseName(database), db)
  try {
    if (database.kind === 'sqlite') {
      if (!existsSync(database.file)) await requireOwnImages(null)
      await lock?.(database.file)
    }
    const db = await openDatabase(database, services.log, () => requireOwnImages(null))
    try {
      await requireOwnImages(db)
      await tie(storage.place, db)
      return { db, ...(await storage.open({ ...services, db })), closeStorage: () => storage.close() }
    } catch (error) {
      await db.destroy()
      throw error
    }
  } catch (error) {
    storage.close()
    throw error
  }
}

/** Creates the accounts of the site, and what identifies their users. */
async function createAuthenticator(config: Config, users: Omit<LocalAccountServices, 'config' | 'secret'>) {
  const { serviceToken, auth } = config
  const accounts =
    auth.kind === 'local'
      ? createLocalAccounts({ ...users, config: { ...config, auth }, secret: siteSecret(config) })
      : (await import('./auth/clerk/clerk-accounts.ts')).createClerkAccounts({
          ...auth,
          ...users,
          trusts: (headers, origin) => isOwnOrigin(config, headers, origin),
        })
  return createSiteAuthenticator(accounts, { ...users, serviceToken, keepsNames: auth.kind === 'clerk' })
}

/**
 * Returns the secret of the site: that of local accounts, which is kept next to the database file unless it is configured, or
 * that of the site at Clerk.
 */
export function siteSecret({ auth, database }: Config): string {
  if (auth.kind === 'clerk') return auth.secretKey
  if (auth.secret !== null) return auth.secret
  if (database.kind === 'postgres') throw new StartError('AUTH_SECRET: is missing.')
  return keepAuthSecret(path.dirname(database.file))
}

export async function createEngine(
  engine: EngineConfig,
  log: Logger,
  dataFolder: string | null = null,
): Promise<ImageEngine> {
  switch (engine.kind) {
    case 'rangoli':
      return createRangoliEngine(engine)
    case 'openai':
      return (await import('./engines/openai/openai-engine.ts')).createOpenAiEngine({ ...engine, log })
    case 'openrouter': {
      const { createOpenRouterEngine } = await import('./engines/openrouter/openrouter-engine.ts')
      const listFile = dataFolder && path.join(dataFolder, `models-${engine.id}.json`)
      return createOpenRouterEngine({ ...engine, log, listFile })
    }
    case 'chat':
      return (await import('./engines/chat/chat-engine.ts')).createChatEngine({ ...engine, log })
    case 'automatic1111':
      return createAutomatic1111Engine({ ...engine, log })
    case 'comfyui':
      return (await import('./engines/comfyui/comfyui-engine.ts')).createComfyUiEngine({ ...engine, log })
    case 'sdcpp':
      return (await import('./engines/sdcpp/sdcpp-engine.ts')).createSdCppEngine({ ...engine, log })
  }
}
