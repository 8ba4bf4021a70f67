import path from 'node:path'
import type { Logger } from 'pino'
import { withApiToken } from './auth/api-token.ts'
import { keepAuthSecret } from './auth/auth-secret.ts'
import type { Authenticator, ForgetPerson } from './auth/authenticator.ts'
import { createClerkAccounts } from './auth/clerk/clerk-accounts.ts'
import { createLocalAccounts } from './auth/local-accounts.ts'
import { withPersonalTokens } from './auth/personal-tokens.ts'
import type { Config } from './config/config.ts'
import { isOwnOrigin, siteOrigin } from './config/site-origin.ts'
import { databaseBytes } from './db/database-bytes.ts'
import { openDatabase, type Database } from './db/open-database.ts'
import { requireWritable } from './db/require-writable.ts'
import type { ImageEngine } from './engines/image-engine.ts'
import { createOpenAiEngine } from './engines/openai/openai-engine.ts'
import { createRangoliEngine } from './engines/rangoli/rangoli-engine.ts'
import { createReadiness, type Readiness } from './health/readiness.ts'
import { createGenerations, type Generations } from './images/generations.ts'
import { measuredEngine } from './metrics/measured-engine.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { watchSite, type SiteFigures } from './metrics/site-metrics.ts'
import { countPosts } from './posts/count-posts.ts'
import { MatchCounts } from './posts/match-counts.ts'
import { forgetPerson } from './people/forget-person.ts'
import { createWriteLimits, type WriteLimits } from './rate-limits/write-limits.ts'
import type { BlobStore } from './storage/blob-store.ts'
import { openDiskBlobStore } from './storage/disk-blob-store.ts'
import { barFromTokens } from './tokens/end-tokens.ts'
import { createFindTokenHolder } from './tokens/find-token-holder.ts'

/** What use cases are handed; each takes the few of them that it needs. */
export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly matchCounts: MatchCounts
  readonly blobs: BlobStore
  readonly engine: ImageEngine
  readonly authenticator: Authenticator
  readonly generations: Generations
  /** The present moment, in milliseconds since 1970. */
  readonly now: () => number
  readonly dailyImageLimit: number
  readonly dailyUploadLimit: number
  readonly writeLimits: WriteLimits
  readonly readiness: Readiness
  /** Null: nobody may ask for them. */
  readonly metrics: Metrics | null
}

/** Parts that a test replaces. */
export interface ServiceOverrides {
  readonly engine?: ImageEngine
  readonly now?: () => number
  readonly writeLimits?: WriteLimits
}

/**
 * The composition root: the only place that chooses implementations, once, from the configuration.
 *
 * @throws StartError where the database or the uploads folder can't be used
 */
export async function createServices(
  config: Config,
  log: Logger,
  overrides: ServiceOverrides = {},
): Promise<Services> {
  const now = overrides.now ?? Date.now
  const { dailyImageLimit, dailyUploadLimit, imageConcurrency, imageTimeout } = config
  const db = await openDatabase(config.databaseFile)
  const metrics = config.metricsToken === null ? null : createMetrics()
  const blobs = await openBlobs(config, metrics !== null)
  const bareEngine = overrides.engine ?? createEngine(config, log)
  const engine = metrics ? measuredEngine(bareEngine, metrics.engineEnded) : bareEngine
  const generations = createGenerations({
    db,
    blobs,
    engine,
    log,
    now,
    dailyImageLimit,
    imageConcurrency,
    imageTimeout,
    ...(metrics && { ended: metrics.generationEnded }),
  })
  if (metrics) watchSite(metrics.registry, siteFigures(config, { db, blobs, generations }), log)
  const forget: ForgetPerson = (personId, options) =>
    forgetPerson({ db, blobs, generations, now }, personId, options)
  const authenticator = createAuthenticator(config, log, { db, now, forget })
  return {
    config,
    log,
    db,
    matchCounts: new MatchCounts(db),
    blobs,
    engine,
    authenticator,
    generations,
    now,
    dailyImageLimit,
    dailyUploadLimit,
    writeLimits: overrides.writeLimits ?? createWriteLimits(),
    readiness: createReadiness(log, {
      database: () => requireWritable(db, config.databaseFile),
      uploads: () => blobs.check(),
    }),
    metrics,
  }
}

function siteFigures(
  { databaseFile }: Config,
  { db, blobs, generations }: Pick<Services, 'db' | 'blobs' | 'generations'>,
): SiteFigures {
  return {
    posts: () => countPosts(db),
    databaseBytes: () => databaseBytes(databaseFile),
    uploadsBytes: () => blobs.bytes,
    generations: () => generations.load,
  }
}

/**
 * Where the pictures lie, made where missing.
 *
 * @param isCounted whether somebody asks how many bytes they are
 * @throws StartError where that can't be written
 */
export function openBlobs(
  { uploadsDirectory, uploadsMaxBytes }: Config,
  isCounted = false,
): Promise<BlobStore> {
  return openDiskBlobStore(uploadsDirectory, uploadsMaxBytes, isCounted)
}

interface PeopleServices {
  readonly db: Database
  readonly now: () => number
  readonly forget: ForgetPerson
}

function createAuthenticator(config: Config, log: Logger, people: PeopleServices): Authenticator {
  const accounts = createAccounts(config, log, people)
  const holders = createFindTokenHolder({ ...people, log })
  const withTokens = withPersonalTokens(accounts, holders)
  return config.apiToken === null ? withTokens : withApiToken(withTokens, config.apiToken)
}

function createAccounts(config: Config, log: Logger, people: PeopleServices): Authenticator {
  const { db, now, forget } = people
  const { auth, publicOrigin } = config
  const trusts = (headers: Headers, origin: string) => isOwnOrigin(config, headers, origin)
  switch (auth.kind) {
    case 'clerk':
      return createClerkAccounts({
        ...auth,
        log,
        trusts,
        forget,
        barFromTokens: (personId) => barFromTokens({ db, now }, personId),
      })
    case 'local': {
      const secret = auth.secret ?? keepAuthSecret(path.dirname(config.databaseFile))
      const cameByHttps = (headers: Headers) => siteOrigin(config, headers)?.startsWith('https:') ?? false
      const { signUp } = auth
      return createLocalAccounts({ db, log, secret, signUp, publicOrigin, trusts, cameByHttps, forget })
    }
  }
}

function createEngine({ engine }: Config, log: Logger): ImageEngine {
  return engine.kind === 'rangoli' ? createRangoliEngine() : createOpenAiEngine({ ...engine, log })
}
