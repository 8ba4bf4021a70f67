import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { storageLimitMegabytesMax, unsharedImageDaysMax } from '../../shared/limits.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import type { DatabaseConfig } from '../db/database-config.ts'
import type { AddressRange } from '../network/addresses.ts'
import { authSection, type AuthConfig } from './auth-section.ts'
import { engineSection, type EngineConfigs } from './engine-section.ts'
import { storageSection, type StorageConfig } from './storage-section.ts'
import {
  addressRanges,
  contact,
  host,
  port,
  proxyHops,
  publicUrl,
  rulesFile,
  siteName,
  token,
  wholeNumber,
} from './variables.ts'

/** The configuration, parsed once at startup. Paths are absolute. */
export interface Config {
  readonly role: Role
  readonly host: string
  readonly port: number
  readonly siteName: string
  /** URL to reach the operator, `mailto:` or web; null: none. */
  readonly contact: string | null
  /** Rules of the site in Markdown; null: none. */
  readonly rules: string | null
  /** Origin of the site in browsers; null: derived from each request. */
  readonly publicOrigin: string | null
  /** Number of trusted proxies that set `X-Forwarded-*`. */
  readonly proxyHops: number
  readonly database: DatabaseConfig
  readonly storage: StorageConfig
  readonly auth: AuthConfig
  readonly engines: EngineConfigs
  /** Options of the site that variables fix; the others are chosen on the site. */
  readonly fixedOptions: Partial<SiteOptions>
  /** Mail server; null: no mails are sent. */
  readonly mail: MailConfig | null
  readonly dailyUploadLimit: number
  /** Posts per user and UTC day. */
  readonly dailyPostLimit: number
  readonly imageConcurrency: number
  readonly imageTimeoutSeconds: number
  /** Time after which the generations of a process that has not reported count as lost. */
  readonly imageLeaseSeconds: number
  readonly shutdownSeconds: number
  readonly serviceToken: string | null
  readonly metricsToken: string | null
  /** Special addresses that webhooks may have. */
  readonly webhookAllowedAddresses: readonly AddressRange[]
  /** Whether browsers install the service worker. */
  readonly serviceWorker: boolean
  readonly logLevel: LogLevel
}

/** Mail server, and sender of the site's mails. */
export interface MailConfig {
  /** `smtp:` or `smtps:` URL, with user and password if the server requires them. */
  readonly url: string
  /** Sender: an address, or a name with an address in angle brackets. */
  readonly from: string
}

/** Invalid environment variables. `issues` has one line for each, naming the variable and the fix. */
export class ConfigError extends Error {
  readonly issues: readonly string[]

  constructor(issues: readonly string[]) {
    super(issues.join('\n'))
    this.name = 'ConfigError'
    this.issues = issues
  }
}

/** Task of a process: to serve the site, to run generations, or both. */
export type Role = 'all' | 'web' | 'worker'

const logLevels = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof logLevels)[number]

/** @param workingDirectory base of a relative `RULES_FILE` */
function generalSection(workingDirectory: string) {
  return z.object({
    ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker.').default('all'),
    HOST: host.default('localhost'),
    PORT: port.default(3000),
    SITE_NAME: siteName.default('Rangoli'),
    CONTACT: contact.optional(),
    RULES_FILE: rulesFile(workingDirectory).optional(),
    PUBLIC_URL: publicUrl.optional(),
    TRUST_PROXY: proxyHops.default(0),
    DAILY_IMAGE_LIMIT: wholeNumber(0, 1_000_000).optional(),
    DAILY_IMAGE_TOTAL: wholeNumber(0, 1_000_000).optional(),
    UNSHARED_IMAGE_DAYS: wholeNumber(1, unsharedImageDaysMax).optional(),
    USER_STORAGE_LIMIT_MB: wholeNumber(1, storageLimitMegabytesMax).optional(),
    DAILY_UPLOAD_LIMIT: wholeNumber(0, 1_000_000).default(50),
    DAILY_POST_LIMIT: wholeNumber(0, 1_000_000).default(50),
    IMAGE_CONCURRENCY: wholeNumber(1, 64).default(4),
    IMAGE_TIMEOUT_SECONDS: wholeNumber(1, 3_600).default(300),
    IMAGE_LEASE_SECONDS: wholeNumber(1, 3_600).default(30),
    SHUTDOWN_SECONDS: wholeNumber(0, 3_600).default(30),
    API_TOKEN: token.optional(),
    METRICS_TOKEN: token.optional(),
    WEBHOOK_ALLOWED_ADDRESSES: addressRanges.default([]),
    SERVICE_WORKER: z.enum(['on', 'off'], 'must be on or off.').default('on'),
    LOG_LEVEL: z.enum(logLevels, 'must be debug, info, warn or error.').default('info'),
  })
}

const postgresUrl = /^postgres(?:ql)?:\/\//

const isPostgresUrl = (value: string) =>
  postgresUrl.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1

/** Returns the path of a `file:` URL without a host; null for other values. */
export function sqliteFile(url: string): string | null {
  return /^file:(?:\/\/(?=\/)|(?!\/\/))([^?#]+)$/.exec(url)?.[1] ?? null
}

/** `file:PATH`, transformed to the path, or the URL of a PostgreSQL database. */
const databaseUrl = z
  .string()
  .trim()
  .refine((value) => isPostgresUrl(value) || sqliteFile(value) !== null, {
    error: ({ input }) =>
      typeof input === 'string' && postgresUrl.test(input.trim())
        ? 'must name a host and a database, such as postgres://user:password@localhost/rangoli, with special characters of the password percent-encoded.'
        : 'must be file: and a path, such as file:data/rangoli.db, or the URL of a PostgreSQL database.',
  })

/** @param workingDirectory base of a relative path */
function databaseSection(workingDirectory: string) {
  return z
    .object({
      DATABASE_URL: databaseUrl.default('file:data/rangoli.db'),
      DATABASE_LISTEN_URL: z
        .string()
        .trim()
        .refine(isPostgresUrl, 'must be the URL of a PostgreSQL database.')
        .optional(),
      DATABASE_CONNECTIONS: wholeNumber(2, 1_000).default(10),
    })
    .transform((values): DatabaseConfig => {
      const { DATABASE_URL: url } = values
      const file = sqliteFile(url)
      return file === null
        ? {
            kind: 'postgres',
            url,
            listenUrl: values.DATABASE_LISTEN_URL ?? url,
            maxConnections: values.DATABASE_CONNECTIONS,
          }
        : { kind: 'sqlite', file: path.resolve(workingDirectory, file) }
    })
}

const address = String.raw`[^\s@<>"]+@[^\s@<>"]+`

const mailSection = z
  .object({
    SMTP_URL: z
      .string()
      .trim()
      .refine(
        (value) =>
          URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '',
        'must be the URL of a mail server, such as smtps://user:password@mail.example.org.',
      )
      .optional(),
    MAIL_FROM: z
      .string()
      .trim()
      .regex(
        new RegExp(`^(?:${address}|[^<>\\r\\n]+<${address}>)$`),
        'must be an email address, alone or as Rangoli <gallery@example.org>.',
      )
      .optional(),
  })
  .transform(({ SMTP_URL: url, MAIL_FROM: from }, context): MailConfig | null => {
    if (url === undefined) return null
    if (from !== undefined) return { url, from }
    context.addIssue({
      code: 'custom',
      path: ['MAIL_FROM'],
      message: 'is missing; mails require a sender. Set it, or remove SMTP_URL.',
    })
    return z.NEVER
  })

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

/**
 * Parses environment variables, and the engines file that they may name.
 *
 * @param env an empty value counts as unset, as compose files set it
 * @param workingDirectory base of relative paths
 * @throws ConfigError
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const sections = sectionsOf(set, workingDirectory)
  const parsed = sections.safeParse(
    Object.fromEntries(Object.keys(sections.shape).map((section) => [section, set])),
  )
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path: [, ...names], message }) => `${names.join('.')}: ${message}`),
    )
  }
  const { general: values, database, storage, auth, engines, mail } = parsed.data
  // With SQLite, the secret is kept in the folder of the database file.
  if (database.kind === 'postgres' && auth.kind === 'local' && auth.secret === null) {
    throw new ConfigError([
      'AUTH_SECRET: is missing; local accounts require it with PostgreSQL. Set it to the output of: openssl rand -base64 32',
    ])
  }
  if (auth.kind === 'local' && auth.requireVerifiedEmail && mail === null) {
    throw new ConfigError([
      'REQUIRE_VERIFIED_EMAIL: is on, and no mails can be sent. Set SMTP_URL and MAIL_FROM, or remove REQUIRE_VERIFIED_EMAIL.',
    ])
  }
  if (auth.kind === 'local' && auth.provider && values.PUBLIC_URL === undefined) {
    throw new ConfigError([
      'PUBLIC_URL: is missing; OpenID Connect requires it. Set it to the URL of the site, such as https://gallery.example.org.',
    ])
  }
  if (database.kind === 'sqlite' && values.ROLE !== 'all') {
    throw new ConfigError([
      `ROLE: ${values.ROLE} requires PostgreSQL, as several processes share the site. Set DATABASE_URL, or remove ROLE.`,
    ])
  }
  return {
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    siteName: values.SITE_NAME,
    contact: values.CONTACT ?? null,
    rules: values.RULES_FILE ?? null,
    publicOrigin: values.PUBLIC_URL ?? null,
    proxyHops: values.TRUST_PROXY,
    database,
    storage,
    auth,
    engines,
    fixedOptions: fixedOptions(values, auth),
    mail,
    dailyUploadLimit: values.DAILY_UPLOAD_LIMIT,
    dailyPostLimit: values.DAILY_POST_LIMIT,
    imageConcurrency: values.IMAGE_CONCURRENCY,
    imageTimeoutSeconds: values.IMAGE_TIMEOUT_SECONDS,
    imageLeaseSeconds: values.IMAGE_LEASE_SECONDS,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    serviceToken: values.API_TOKEN ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    webhookAllowedAddresses: values.WEBHOOK_ALLOWED_ADDRESSES,
    serviceWorker: values.SERVICE_WORKER === 'on',
    logLevel: values.LOG_LEVEL,
  }
}

function sectionsOf(env: Readonly<Record<string, string | undefined>>, workingDirectory: string) {
  return z.object({
    general: generalSection(workingDirectory),
    database: databaseSection(workingDirectory),
    storage: storageSection(workingDirectory),
    auth: authSection,
    engines: engineSection(env, workingDirectory),
    mail: mailSection,
  })
}

/** Lists the names of all variables. */
export function knownVariables(workingDirectory: string): string[] {
  return Object.values(sectionsOf({}, workingDirectory).shape).flatMap(namesIn)
}

/** Lists the keys of an object schema, which transforms may follow. */
function namesIn(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodPipe) return namesIn(schema.in)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** Options of the site that are set by variables. */
function fixedOptions(
  {
    DAILY_IMAGE_LIMIT: limit,
    DAILY_IMAGE_TOTAL: total,
    UNSHARED_IMAGE_DAYS: unsharedImageDays,
    USER_STORAGE_LIMIT_MB: storageLimitMegabytes,
  }: z.output<ReturnType<typeof generalSection>>,
  auth: AuthConfig,
): Partial<SiteOptions> {
  return {
    ...(auth.kind === 'local' && auth.signUp !== null && { signUp: auth.signUp }),
    ...(limit !== undefined && { dailyImageLimit: limit }),
    ...(total !== undefined && { dailyImageTotal: total }),
    ...(unsharedImageDays !== undefined && { unsharedImageDays }),
    ...(storageLimitMegabytes !== undefined && { storageLimitMegabytes }),
  }
}
