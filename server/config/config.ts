import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { numberOptions, type SiteOptions } from '../../shared/site-options.ts'
import type { DatabaseConfig } from '../db/database-config.ts'
import { systemCode } from '../files/disk-files.ts'
import { parseAddressRange } from '../network/addresses.ts'
import { authSection } from './auth-section.ts'
import { engineSection, engineVariables } from './engine-section.ts'
import { signingSection } from './signing-section.ts'
import { storageSection } from './storage-section.ts'
import {
  contactUrl,
  dollars,
  keysOf,
  list,
  matching,
  nameUpTo,
  oneOf,
  onOrOff,
  orNull,
  parsed,
  reject,
  requireTogether,
  rulesFile,
  token,
  urlOf,
  webUrlOf,
  wholeNumber,
  type Environment,
} from './variables.ts'

/** The configuration, parsed once at startup. Paths are absolute. */
export type Config = ReturnType<typeof parseConfig>

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

  /** @param cause error of an unreadable `.env` */
  constructor(issues: readonly string[], cause?: unknown) {
    super(issues.join('\n'), { cause })
    this.name = 'ConfigError'
    this.issues = issues
  }
}

/** @param workingDirectory base of a relative `RULES_FILE` */
function generalSection(workingDirectory: string) {
  return z.object({
    ROLE: oneOf('all', 'web', 'worker').default('all'),
    HOST: matching(
      /^[A-Za-z0-9.:_-]+$/,
      'must be a host name or an IP address without port, such as localhost or 0.0.0.0.',
    ).default('localhost'),
    PORT: wholeNumber(
      0,
      65_535,
      'must be a port from 1 to 65535, such as 3000, or 0 for any free one.',
    ).default(3000),
    SITE_NAME: nameUpTo(80).optional(),
    CONTACT: parsed(contactUrl, 'must be an email address or a URL, such as hello@example.org.').optional(),
    RULES_FILE: rulesFile(workingDirectory).optional(),
    PUBLIC_URL: orNull(
      parsed((text) => {
        const url = webUrlOf(text)
        return url?.href === `${url?.origin}/` ? url.origin : null
      }, 'must be the URL of the site without a path, such as https://gallery.example.org.'),
    ),
    TRUST_PROXY: parsed(
      (text) => (/^off$/i.test(text) ? 0 : /^\d{1,2}$/.test(text) ? Number(text) : null),
      'must be off or the number of proxies in front of the server, such as 1.',
    ).default(0),
    DAILY_UPLOAD_LIMIT: wholeNumber(0, 1_000_000).default(50),
    DAILY_POST_LIMIT: wholeNumber(0, 1_000_000).default(50),
    IMAGE_CONCURRENCY: wholeNumber(1, 64).default(4),
    IMAGE_TIMEOUT_SECONDS: wholeNumber(1, 3_600).default(300),
    IMAGE_LEASE_SECONDS: wholeNumber(1, 3_600).default(30),
    SHUTDOWN_SECONDS: wholeNumber(0, 3_600).default(30),
    API_TOKEN: orNull(token),
    METRICS_TOKEN: orNull(token),
    WEBHOOK_ALLOWED_ADDRESSES: list(
      /[\s,]+/,
      parseAddressRange,
      'must be a list of IP addresses or ranges such as 10.0.0.0/8, fd00::/8.',
    ).default([]),
    SERVICE_WORKER: onOrOff.default(true),
    SETUP: onOrOff.default(true),
    OAUTH_REGISTRATION: onOrOff.default(false),
    LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error').default('info'),
  })
}

/** Options of the site that variables fix. */
const optionsSection = z
  .object(
    Object.fromEntries(
      numberOptions.map(({ variable, min, max, ...option }) => {
        const isMoney = 'isMoney' in option
        const what = isMoney ? 'an amount in USD such as 12.50,' : 'a whole number'
        const message = `must be ${'isRequired' in option ? '' : 'off or '}${what} from ${min} to ${max}.`
        const number = isMoney ? dollars(message) : wholeNumber(min, max, message)
        const orOff = z.preprocess(
          (text) => (/^\s*off\s*$/i.test(String(text)) ? null : text),
          number.nullable().optional(),
        )
        return [variable, 'isRequired' in option ? number.optional() : orOff]
      }),
    ),
  )
  .transform((values): Partial<SiteOptions> =>
    withoutUndefined(Object.fromEntries(numberOptions.map(({ name, variable }) => [name, values[variable]]))),
  )

const postgresUrl = /^postgres(?:ql)?:\/\//

const isPostgresUrl = (text: string) => postgresUrl.test(text) && (urlOf(text)?.pathname.length ?? 0) > 1

/** Returns the path of a `file:` URL without a host; null for other values, also if it ends in a slash. */
export function sqliteFile(url: string): string | null {
  return /^file:(?:\/\/(?=\/)|(?!\/\/))([^?#]*[^?#/])$/.exec(url)?.[1] ?? null
}

/** @param workingDirectory base of a relative path */
function databaseSection(workingDirectory: string) {
  return z
    .object({
      DATABASE_URL: parsed(
        (text) => (isPostgresUrl(text) || sqliteFile(text) !== null ? text : null),
        (text) =>
          postgresUrl.test(text)
            ? 'must name a host and a database, such as postgres://user:password@localhost/rangoli, with special characters of the password percent-encoded.'
            : 'must be file: and a path, such as file:data/rangoli.db, or the URL of a PostgreSQL database.',
      ).default('file:data/rangoli.db'),
      DATABASE_LISTEN_URL: parsed(
        (text) => (isPostgresUrl(text) ? text : null),
        'must be the URL of a PostgreSQL database.',
      ).optional(),
      DATABASE_CONNECTIONS: wholeNumber(2, 1_000).default(10),
    })
    .transform((values, context): DatabaseConfig => {
      const { DATABASE_URL: url, DATABASE_LISTEN_URL: listenUrl = url, DATABASE_CONNECTIONS } = values
      const file = sqliteFile(url)
      if (file !== null && listenUrl !== url) {
        const fix = 'Set DATABASE_URL, or remove DATABASE_LISTEN_URL.'
        return reject(context, `requires PostgreSQL. ${fix}`, 'DATABASE_LISTEN_URL')
      }
      return file === null
        ? { kind: 'postgres', url, listenUrl, maxConnections: DATABASE_CONNECTIONS }
        : { kind: 'sqlite', file: path.resolve(workingDirectory, file) }
    })
}

const address = String.raw`[^\s@<>"]+@[^\s@<>"]+`

const mailSection = z
  .object({
    SMTP_URL: parsed((text) => {
      const url = urlOf(text)
      return url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? text : null
    }, 'must be the URL of a mail server, such as smtps://user:password@mail.example.org.').optional(),
    MAIL_FROM: matching(
      new RegExp(`^(?:${address}|[^<>\\r\\n]+<${address}>)$`),
      'must be an email address, alone or as Rangoli <gallery@example.org>.',
    ).optional(),
  })
  .transform((values, context): MailConfig | null => {
    requireTogether(values, ['SMTP_URL', 'MAIL_FROM'], context, { purpose: 'to send no mails' })
    const { SMTP_URL: url, MAIL_FROM: from } = values
    return url !== undefined && from !== undefined ? { url, from } : null
  })

/** Parses the environment of a process; the `.env` file of its working directory provides defaults. @throws ConfigError */
export function readEnvironment(env: Environment, workingDirectory: string): Config {
  return parseConfig({ ...readEnvFile(workingDirectory), ...env }, workingDirectory)
}

/** Reads the `.env` file of a directory, without its byte order mark; no variables without one. @throws ConfigError if it cannot be read */
export function readEnvFile(workingDirectory: string): Environment {
  const file = path.join(workingDirectory, '.env')
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) : {}
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw new ConfigError(
      [`The file ${file} can't be read (${code}): the user that runs the server must be able to read it.`],
      cause,
    )
  }
}

/**
 * Parses environment variables, and the engines file that they may name.
 *
 * @param env an empty value counts as unset, as compose files set it
 * @param workingDirectory base of relative paths
 * @throws ConfigError
 */
export function parseConfig(env: Environment, workingDirectory: string) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const sections = sectionsOf(set, workingDirectory)
  const { data, error } = sections.safeParse(
    Object.fromEntries(Object.keys(sections.shape).map((section) => [section, set])),
  )
  if (error) {
    const lines = error.issues.map(({ path: [, ...names], message }) => `${names.join('.')}: ${message}`)
    throw new ConfigError(lines)
  }
  const { general: values, database, storage, signing, auth, engines, mail } = data
  const local = auth.kind === 'local' ? auth : null
  const conflicts: readonly (readonly [applies: boolean, issue: string])[] = [
    // With SQLite, the secret is kept in the folder of the database file.
    [
      database.kind === 'postgres' && local?.secret === null,
      'AUTH_SECRET: is missing; local accounts require it with PostgreSQL. Set it to the output of: openssl rand -base64 32',
    ],
    [
      local?.requireVerifiedEmail === true && mail === null,
      'REQUIRE_VERIFIED_EMAIL: is on, and no mails can be sent. Set SMTP_URL and MAIL_FROM, or remove REQUIRE_VERIFIED_EMAIL.',
    ],
    [
      Boolean(local?.provider) && values.PUBLIC_URL === null,
      'PUBLIC_URL: is missing; OpenID Connect requires it. Set it to the URL of the site, such as https://gallery.example.org.',
    ],
    [
      database.kind === 'sqlite' && values.ROLE !== 'all',
      `ROLE: ${values.ROLE} requires PostgreSQL, as several processes share the site. Set DATABASE_URL, or remove ROLE.`,
    ],
  ]
  const issues = conflicts.flatMap(([applies, issue]) => (applies ? [issue] : []))
  if (issues.length > 0) throw new ConfigError(issues)
  return {
    /** Task of the process: to serve the site, to run generations, or both. */
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    /** Name of the site unless administrators choose another one. */
    siteName: values.SITE_NAME ?? 'Rangoli',
    /** What variables fix of the appearance of the site: its name, the URL to reach the operator, and the rules in Markdown. */
    fixedAppearance: withoutUndefined({
      name: values.SITE_NAME,
      contact: values.CONTACT,
      rules: values.RULES_FILE,
    }),
    /** Origin of the site in browsers; null: derived from each request. */
    publicOrigin: values.PUBLIC_URL,
    /** Number of trusted proxies that set `X-Forwarded-*`. */
    proxyHops: values.TRUST_PROXY,
    database,
    storage,
    /** What signs generated images; null: they are not signed. */
    signing,
    auth,
    engines,
    /** The variable that configures the engines; null: none does. */
    enginesVariable: engineVariables.find((name) => set[name] !== undefined) ?? null,
    /** Options of the site that variables fix; the others are chosen on the site. */
    fixedOptions: {
      ...data.options,
      ...(local?.signUp && { signUp: local.signUp }),
    } satisfies Partial<SiteOptions>,
    /** Mail server; null: no mails are sent. */
    mail,
    dailyUploadLimit: values.DAILY_UPLOAD_LIMIT,
    /** Posts per user and UTC day. */
    dailyPostLimit: values.DAILY_POST_LIMIT,
    imageConcurrency: values.IMAGE_CONCURRENCY,
    imageTimeoutSeconds: values.IMAGE_TIMEOUT_SECONDS,
    /** Time after which the generations of a process that has not reported count as lost. */
    imageLeaseSeconds: values.IMAGE_LEASE_SECONDS,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    serviceToken: values.API_TOKEN,
    metricsToken: values.METRICS_TOKEN,
    /** Special addresses that webhooks may have. */
    webhookAllowedAddresses: values.WEBHOOK_ALLOWED_ADDRESSES,
    serviceWorker: values.SERVICE_WORKER,
    /** Whether the site can be set up in the browser while there is no administrator. */
    setup: values.SETUP,
    /** Whether programs without a metadata document may register themselves. */
    oauthRegistration: values.OAUTH_REGISTRATION,
    logLevel: values.LOG_LEVEL,
  }
}

function sectionsOf(env: Environment, workingDirectory: string) {
  return z.object({
    general: generalSection(workingDirectory),
    options: optionsSection,
    database: databaseSection(workingDirectory),
    storage: storageSection(workingDirectory),
    signing: signingSection,
    auth: authSection,
    engines: engineSection(env, workingDirectory),
    mail: mailSection,
  })
}

export function knownVariables(workingDirectory: string): string[] {
  return Object.values(sectionsOf({}, workingDirectory).shape).flatMap(keysOf)
}

function withoutUndefined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}
