import { generateKeyPairSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../test/support/folder.ts'
import { ConfigError, parseConfig } from './config.ts'
import { databaseName } from '../db/database-config.ts'

const postgresUrl = 'postgres://asha:hush@localhost/rangoli'

/** The issues of an environment; none if it is valid. */
function issuesOf(env: Record<string, string>, folder = '/srv/rangoli'): readonly string[] {
  try {
    parseConfig(env, folder)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
}

const publishable = (host: string) => Buffer.from(host).toString('base64')
const publishableKey = `pk_test_${publishable('clerk.example.org$')}`
const clerk = { CLERK_PUBLISHABLE_KEY: publishableKey, CLERK_SECRET_KEY: 'sk_test_hush' }

function publicPem(bits = 2048): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}
const jwtKey = publicPem()

function privatePem(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function ellipticPem(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

const errorFor = {
  port: 'PORT: must be a port from 1 to 65535, such as 3000, or 0 for any free one.',
  host: 'HOST: must be a host name or an IP address without port, such as localhost or 0.0.0.0.',
  publicUrl: 'PUBLIC_URL: must be the URL of the site without a path, such as https://gallery.example.org.',
  proxy: 'TRUST_PROXY: must be off or the number of proxies in front of the server, such as 1.',
  database:
    'DATABASE_URL: must be file: and a path, such as file:data/rangoli.db, or the URL of a PostgreSQL database.',
  postgres:
    'DATABASE_URL: must name a host and a database, such as postgres://user:password@localhost/rangoli, with special characters of the password percent-encoded.',
  publishable:
    'CLERK_PUBLISHABLE_KEY: is not a publishable key; copy the key that starts with pk_ from the Clerk dashboard.',
  secretKey:
    'CLERK_SECRET_KEY: is not a secret key; copy the key that starts with sk_ from the Clerk dashboard.',
  jwtKey:
    'CLERK_JWT_KEY: is not a public key in PEM format; copy the key that starts with -----BEGIN PUBLIC KEY----- from the Clerk dashboard.',
  webhook:
    'CLERK_WEBHOOK_SIGNING_SECRET: is not a signing secret; copy the secret that starts with whsec_ from the webhook in the Clerk dashboard.',
  administrators: 'CLERK_ADMINISTRATORS: must be ids of Clerk users, such as user_2abc, separated by commas.',
  daily: 'must be a whole number from 0 to 1000000.',
  bucket: 'S3_BUCKET: must be the name of a bucket, such as my-images; its URL belongs into S3_ENDPOINT.',
  prefix:
    'S3_PREFIX: must be a path of letters, digits, dots, hyphens and underscores, such as rangoli/images.',
  printable: 'must consist of printable ASCII characters without spaces.',
}

describe('reports the variable and the fix for', () => {
  test.each([
    ['PORT', 'http', errorFor.port],
    ['PORT', '-1', errorFor.port],
    ['PORT', '65536', errorFor.port],
    ['PORT', '3000.5', errorFor.port],
    ['PORT', '0x50', errorFor.port],
    ['HOST', 'http://localhost', errorFor.host],
    ['HOST', 'local host', errorFor.host],
    ['SITE_NAME', 'x'.repeat(81), 'SITE_NAME: must have at most 80 characters.'],
    ['SITE_NAME', 'two\nlines', 'SITE_NAME: must not contain control characters.'],
    ['PUBLIC_URL', 'gallery.example.org', errorFor.publicUrl],
    ['PUBLIC_URL', 'https://example.org/images', errorFor.publicUrl],
    ['PUBLIC_URL', 'https://user:word@example.org', errorFor.publicUrl],
    ['PUBLIC_URL', 'ftp://example.org', errorFor.publicUrl],
    ['TRUST_PROXY', 'yes', errorFor.proxy],
    ['TRUST_PROXY', '-1', errorFor.proxy],
    ['DATABASE_URL', 'postgres://localhost', errorFor.postgres],
    ['DATABASE_URL', 'postgres://user:a/b@localhost/rangoli', errorFor.postgres],
    ['DATABASE_LISTEN_URL', 'localhost', 'DATABASE_LISTEN_URL: must be the URL of a PostgreSQL database.'],
    ['DATABASE_CONNECTIONS', '1', 'DATABASE_CONNECTIONS: must be a whole number from 2 to 1000.'],
    ['DATABASE_URL', 'mysql://localhost/rangoli', errorFor.database],
    ['DATABASE_URL', 'data/rangoli.db', errorFor.database],
    ['DATABASE_URL', 'file:', errorFor.database],
    ['DATABASE_URL', 'file://elsewhere/rangoli.db', errorFor.database],
    ['AUTH', 'ldap', 'AUTH: must be local or clerk.'],
    ['SIGN_UP', 'invited', 'SIGN_UP: must be open, closed or invite.'],
    ['AUTH_SECRET', 'short', 'AUTH_SECRET: must have at least 32 characters.'],
    ['CLERK_PUBLISHABLE_KEY', 'pk_test_nonsense', errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', 'sk_test_aaaa', errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', `pk_test_${publishable('clerk.example.org')}`, errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', `pk_test_${publishable('localhost$')}`, errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', `pk_test_${publishable('clerk.example.org/x$')}`, errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', `pk_test_${publishable('a.b; script-src *$')}`, errorFor.publishable],
    ['CLERK_PUBLISHABLE_KEY', `pk_prod_${publishable('clerk.example.org$')}`, errorFor.publishable],
    ['CLERK_SECRET_KEY', publishableKey, errorFor.secretKey],
    ['CLERK_SECRET_KEY', 'sk_test_', errorFor.secretKey],
    ['CLERK_JWT_KEY', 'nonsense', errorFor.jwtKey],
    ['CLERK_JWT_KEY', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', errorFor.jwtKey],
    ['CLERK_JWT_KEY', publicPem(1024), errorFor.jwtKey],
    ['CLERK_JWT_KEY', privatePem(), errorFor.jwtKey],
    ['CLERK_JWT_KEY', ellipticPem(), errorFor.jwtKey],
    ['CLERK_WEBHOOK_SIGNING_SECRET', 'aHVzaA==', errorFor.webhook],
    ['CLERK_WEBHOOK_SIGNING_SECRET', 'whsec_', errorFor.webhook],
    ['CLERK_WEBHOOK_SIGNING_SECRET', 'whsec_aHVza', errorFor.webhook],
    ['CLERK_ADMINISTRATORS', 'asha@example.org', errorFor.administrators],
    ['CLERK_ADMINISTRATORS', 'user_a,', errorFor.administrators],
    ['CLERK_ADMINISTRATORS', 'user_a user_b', errorFor.administrators],
    ['IMAGE_ENGINE', 'dall-e', 'IMAGE_ENGINE: must be rangoli or openai.'],
    ['OPENAI_BASE_URL', 'localhost:8080', 'OPENAI_BASE_URL: must be an http or https URL.'],
    [
      'OPENAI_BASE_URL',
      'https://user:hush@example.org/v1',
      'OPENAI_BASE_URL: must not contain a user or password; set OPENAI_API_KEY instead.',
    ],
    [
      'OPENAI_BASE_URL',
      'http://me:secret@localhost:8080/v1',
      'OPENAI_BASE_URL: must not contain a user or password; set OPENAI_API_KEY instead.',
    ],
    ['S3_BUCKET', 'https://example.org/images', errorFor.bucket],
    ['S3_BUCKET', 'ab', errorFor.bucket],
    ['S3_ENDPOINT', 'localhost:9000', 'S3_ENDPOINT: must be an http or https URL.'],
    [
      'S3_ENDPOINT',
      'http://me:hush@localhost:9000',
      'S3_ENDPOINT: must not contain a user or password; set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY instead.',
    ],
    ['S3_REGION', 'eu west', 'S3_REGION: must be the name of a region, such as us-east-1.'],
    ['S3_ACCESS_KEY_ID', 'a b', `S3_ACCESS_KEY_ID: ${errorFor.printable}`],
    ['S3_SECRET_ACCESS_KEY', 'a b', `S3_SECRET_ACCESS_KEY: ${errorFor.printable}`],
    ['S3_PREFIX', '/images', errorFor.prefix],
    ['S3_PREFIX', '../images', errorFor.prefix],
    ['S3_PREFIX', 'a//b', errorFor.prefix],
    ['S3_FORCE_PATH_STYLE', 'yes', 'S3_FORCE_PATH_STYLE: must be on or off.'],
    ['DAILY_IMAGE_LIMIT', '-1', `DAILY_IMAGE_LIMIT: ${errorFor.daily}`],
    ['DAILY_IMAGE_LIMIT', 'none', `DAILY_IMAGE_LIMIT: ${errorFor.daily}`],
    ['DAILY_IMAGE_TOTAL', 'off', `DAILY_IMAGE_TOTAL: ${errorFor.daily}`],
    ['DAILY_UPLOAD_LIMIT', '1e3', `DAILY_UPLOAD_LIMIT: ${errorFor.daily}`],
    ['DAILY_POST_LIMIT', '-1', `DAILY_POST_LIMIT: ${errorFor.daily}`],
    ['HOURLY_SIGN_UP_LIMIT', '0', 'HOURLY_SIGN_UP_LIMIT: must be a whole number from 1 to 1000000.'],
    ['IMAGE_CONCURRENCY', '0', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_CONCURRENCY', '65', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_TIMEOUT_SECONDS', '0', 'IMAGE_TIMEOUT_SECONDS: must be a whole number from 1 to 3600.'],
    ['IMAGE_LEASE_SECONDS', '0', 'IMAGE_LEASE_SECONDS: must be a whole number from 1 to 3600.'],
    ['SHUTDOWN_SECONDS', '1.5', 'SHUTDOWN_SECONDS: must be a whole number from 0 to 3600.'],
    ['API_TOKEN', 'fifteen-letters', 'API_TOKEN: must have at least 16 characters.'],
    ['API_TOKEN', 'sixteen letters here', `API_TOKEN: ${errorFor.printable}`],
    [
      'WEBHOOK_ALLOWED_ADDRESSES',
      '10.0.0.0/8, 300.1.1.1',
      'WEBHOOK_ALLOWED_ADDRESSES: must be a list of IP addresses or ranges such as 10.0.0.0/8, fd00::/8; 300.1.1.1 is neither.',
    ],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN: must have at least 16 characters.'],
    ['ROLE', 'scheduler', 'ROLE: must be all, web or worker.'],
    ['SERVICE_WORKER', 'no', 'SERVICE_WORKER: must be on or off.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be debug, info, warn or error.'],
    ['METRICS_TOKEN', 'प्रतीक'.repeat(6), `METRICS_TOKEN: ${errorFor.printable}`],
  ])('%s=%j', (variable, value, issue) => {
    expect(issuesOf({ [variable]: value })).toEqual([issue])
  })
})

describe('variables that depend on each other', () => {
  const missing = (key: string) =>
    `${key}: is missing; sign-in with Clerk requires it. Set it, or set AUTH=local.`
  const otherInstance =
    'CLERK_SECRET_KEY: belongs to another instance than CLERK_PUBLISHABLE_KEY (one is test, one is live); copy both from the same instance.'

  test.each([
    [{ AUTH: 'clerk' }, [missing('CLERK_PUBLISHABLE_KEY'), missing('CLERK_SECRET_KEY')]],
    [{ AUTH: 'clerk', CLERK_SECRET_KEY: 'sk_test_hush' }, [missing('CLERK_PUBLISHABLE_KEY')]],
    [{ AUTH: 'clerk', CLERK_PUBLISHABLE_KEY: 'pk_live_x' }, [errorFor.publishable]],
    [{ CLERK_PUBLISHABLE_KEY: publishableKey }, [missing('CLERK_SECRET_KEY')]],
    [
      { CLERK_PUBLISHABLE_KEY: 'pk_live_x', CLERK_SECRET_KEY: 'x', CLERK_JWT_KEY: 'x' },
      [errorFor.publishable, errorFor.secretKey, errorFor.jwtKey],
    ],
    [{ ...clerk, CLERK_SECRET_KEY: 'sk_live_hush' }, [otherInstance]],
    [
      { IMAGE_ENGINE: 'openai' },
      [
        'OPENAI_API_KEY: is missing; IMAGE_ENGINE=openai requires it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
      ],
    ],
  ])('rejects %j', (env, issues) => {
    expect(issuesOf(env)).toEqual(issues)
  })

  test.each([
    [{ OPENAI_API_KEY: 'sk-x' }, { apiKey: 'sk-x', baseUrl: null, model: 'gpt-image-2' }],
    [
      { OPENAI_BASE_URL: 'http://localhost:8080/v1', OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: '' },
      { apiKey: null, baseUrl: 'http://localhost:8080/v1', model: 'sd' },
    ],
  ])('%j selects the openai engine', (env, engine) => {
    expect(parseConfig(env, '/srv').engines).toEqual([
      { kind: 'openai', id: 'openai', label: engine.model, settings, ...engine },
    ])
  })

  test('CLERK_PUBLISHABLE_KEY selects Clerk', () => {
    const plain = {
      kind: 'clerk',
      publishableKey,
      frontendApi: 'clerk.example.org',
      secretKey: 'sk_test_hush',
      jwtKey: null,
      webhookSecret: null,
      administrators: [],
    }
    expect(parseConfig(clerk, '/srv').auth).toEqual(plain)
    expect(parseConfig({ ...clerk, AUTH: 'clerk' }, '/srv').auth).toEqual(plain)
    const more = {
      CLERK_JWT_KEY: jwtKey,
      CLERK_WEBHOOK_SIGNING_SECRET: ' whsec_aHVzaA== ',
      CLERK_ADMINISTRATORS: 'user_a, user_b',
    }
    expect(parseConfig({ ...clerk, ...more }, '/srv').auth).toEqual({
      ...plain,
      jwtKey,
      webhookSecret: 'whsec_aHVzaA==',
      administrators: ['user_a', 'user_b'],
    })
  })

  test.each([
    ['with line breaks written as \\n', jwtKey.trim().replaceAll('\n', String.raw`\n`)],
    ['with Windows line breaks', jwtKey.replaceAll('\n', '\r\n')],
    ['with spaces around it', `\n  ${jwtKey}\n`],
  ])('accepts CLERK_JWT_KEY %s', (_, value) => {
    expect(parseConfig({ ...clerk, CLERK_JWT_KEY: value }, '/srv').auth).toMatchObject({ jwtKey })
  })

  test('ignores the keys of an engine or sign-in that is not selected', () => {
    expect(issuesOf({ AUTH: 'local', CLERK_PUBLISHABLE_KEY: publishableKey })).toEqual([])
    expect(issuesOf({ IMAGE_ENGINE: 'rangoli', OPENAI_API_KEY: 'sk-whatever' })).toEqual([])
  })
})

test('reports all issues at once, one line each', () => {
  const env = { PORT: 'x', HOST: 'a b', AUTH: 'ldap', IMAGE_ENGINE: 'dall-e', API_TOKEN: 'short' }
  expect(issuesOf(env).map((line) => line.split(':')[0])).toEqual([
    'HOST',
    'PORT',
    'API_TOKEN',
    'AUTH',
    'IMAGE_ENGINE',
  ])
  expect(() => parseConfig(env, '/')).toThrow(issuesOf(env).join('\n'))
})

test.each([
  'API_TOKEN',
  'METRICS_TOKEN',
  'AUTH_SECRET',
  'CLERK_SECRET_KEY',
  'CLERK_PUBLISHABLE_KEY',
  'CLERK_JWT_KEY',
  'CLERK_WEBHOOK_SIGNING_SECRET',
  'CLERK_ADMINISTRATORS',
  'DATABASE_URL',
])('does not repeat an invalid %s in the message', (variable) => {
  const secret = 'hush hush'
  const issues = issuesOf({ [variable]: secret })
  expect(issues).not.toEqual([])
  expect(issues.join('\n')).not.toContain('hush')
})

test('PostgreSQL requires AUTH_SECRET for local accounts', () => {
  expect(issuesOf({ DATABASE_URL: postgresUrl })).toEqual([
    'AUTH_SECRET: is missing; local accounts require it with PostgreSQL. Set it to the output of: openssl rand -base64 32',
  ])
})

test.each(['web', 'worker'])('ROLE=%s requires PostgreSQL', (role) => {
  expect(issuesOf({ ROLE: role })).toEqual([
    `ROLE: ${role} requires PostgreSQL, as several processes share the site. Set DATABASE_URL, or remove ROLE.`,
  ])
  const env = { ROLE: role, DATABASE_URL: postgresUrl, AUTH_SECRET: 'x'.repeat(32) }
  expect(parseConfig(env, '/srv')).toMatchObject({ role })
})

test('the name of a PostgreSQL database contains neither password nor options', () => {
  const url = 'postgresql://asha:hush@db.example.org:5433/rangoli?sslmode=verify-full&password=hush'
  const database = { kind: 'postgres', url, listenUrl: url, maxConnections: 10 } as const
  expect(databaseName(database)).toBe('postgres://asha@db.example.org:5433/rangoli')
})

const settings = { apiKey: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', model: 'OPENAI_IMAGE_MODEL' }

const localAuth = {
  kind: 'local' as const,
  localSignIn: true,
  provider: null,
  requireVerifiedEmail: false,
}

const defaults = {
  role: 'all',
  host: 'localhost',
  port: 3000,
  siteName: 'Rangoli',
  contact: null,
  rules: null,
  publicOrigin: null,
  proxyHops: 0,
  database: { kind: 'sqlite', file: '/srv/rangoli/data/rangoli.db' },
  storage: { kind: 'disk', directory: '/srv/rangoli/uploads', maxBytes: null },
  auth: { ...localAuth, signUp: null, hourlySignUpLimit: 100, secret: null },
  engines: [{ kind: 'rangoli', id: 'rangoli', label: 'Patterns' }],
  fixedOptions: {},
  mail: null,
  dailyUploadLimit: 50,
  dailyPostLimit: 50,
  imageConcurrency: 4,
  imageTimeoutSeconds: 300,
  imageLeaseSeconds: 30,
  shutdownSeconds: 30,
  serviceToken: null,
  metricsToken: null,
  webhookAllowedAddresses: [],
  serviceWorker: true,
  logLevel: 'info',
}

test('an empty environment has defaults for everything', () => {
  expect(parseConfig({}, '/srv/rangoli')).toEqual(defaults)
})

describe('RULES_FILE', () => {
  test('is read at startup, relative to the working directory', async () => {
    const folder = await makeFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(path.join(folder, 'rules.md'), '\uFEFF# Rules\n\nBe kind.\n')
    expect(parseConfig({ RULES_FILE: 'rules.md' }, folder).rules).toBe('# Rules\n\nBe kind.\n')
  })

  test.each([
    [' \n', 'rules.md is empty. Write the rules into it, or remove RULES_FILE.'],
    [Buffer.from([0x52, 0xfc]), 'rules.md is not text in UTF-8. Save it as UTF-8.'],
    ['x'.repeat(50_001), 'rules.md has more than 50,000 characters. Shorten it.'],
  ])('rejects a file that %#', async (content, issue) => {
    const folder = await makeFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(path.join(folder, 'rules.md'), content)
    expect(issuesOf({ RULES_FILE: 'rules.md' }, folder)).toEqual([`RULES_FILE: ${issue}`])
  })

  test('reports a missing file', () => {
    expect(issuesOf({ RULES_FILE: 'missing.md' })).toEqual([
      'RULES_FILE: missing.md does not exist: there is no /srv/rangoli/missing.md. Create it, or correct the path.',
    ])
  })
})

test('treats an empty or blank variable as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'SITE_NAME',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'DATABASE_URL',
    'UPLOADS_DIR',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_PREFIX',
    'S3_FORCE_PATH_STYLE',
    'AUTH',
    'SIGN_UP',
    'HOURLY_SIGN_UP_LIMIT',
    'AUTH_SECRET',
    'CLERK_PUBLISHABLE_KEY',
    'CLERK_SECRET_KEY',
    'CLERK_JWT_KEY',
    'CLERK_WEBHOOK_SIGNING_SECRET',
    'CLERK_ADMINISTRATORS',
    'ENGINES_FILE',
    'RULES_FILE',
    'IMAGE_ENGINE',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'API_TOKEN',
    'LOG_LEVEL',
  ]
  for (const blank of ['', '  ']) {
    const env = Object.fromEntries(names.map((name) => [name, blank]))
    expect(parseConfig(env, '/srv/rangoli')).toEqual(defaults)
  }
})

test.each([
  [{ PORT: ' 8080 ' }, { port: 8080 }],
  [{ PORT: '0' }, { port: 0 }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ HOST: '::1' }, { host: '::1' }],
  [{ SITE_NAME: 'रंगोली' }, { siteName: 'रंगोली' }],
  [{ PUBLIC_URL: 'https://Pictures.example.org/' }, { publicOrigin: 'https://pictures.example.org' }],
  [{ PUBLIC_URL: 'http://localhost:8080' }, { publicOrigin: 'http://localhost:8080' }],
  [{ TRUST_PROXY: 'off' }, { proxyHops: 0 }],
  [{ TRUST_PROXY: '2' }, { proxyHops: 2 }],
  [
    { DATABASE_URL: 'file:other/gallery.db' },
    { database: { kind: 'sqlite', file: '/srv/rangoli/other/gallery.db' } },
  ],
  [
    { DATABASE_URL: 'file:/var/lib/gallery.db' },
    { database: { kind: 'sqlite', file: '/var/lib/gallery.db' } },
  ],
  [
    { DATABASE_URL: 'file:///var/lib/gallery.db' },
    { database: { kind: 'sqlite', file: '/var/lib/gallery.db' } },
  ],
  [
    { DATABASE_URL: postgresUrl, AUTH_SECRET: 'x'.repeat(32) },
    {
      database: { kind: 'postgres', url: postgresUrl, listenUrl: postgresUrl, maxConnections: 10 },
      auth: { ...localAuth, signUp: null, hourlySignUpLimit: 100, secret: 'x'.repeat(32) },
    },
  ],
  [
    { UPLOADS_DIR: '/var/lib/images' },
    { storage: { kind: 'disk', directory: '/var/lib/images', maxBytes: null } },
  ],
  [
    { OPENAI_API_KEY: ' sk-x ' },
    {
      engines: [
        {
          kind: 'openai',
          id: 'openai',
          label: 'gpt-image-2',
          apiKey: 'sk-x',
          baseUrl: null,
          model: 'gpt-image-2',
          settings,
        },
      ],
    },
  ],
  [
    { OPENAI_BASE_URL: 'http://localhost:8080/v1', OPENAI_IMAGE_MODEL: 'flux' },
    {
      engines: [
        {
          kind: 'openai',
          id: 'openai',
          label: 'flux',
          apiKey: null,
          baseUrl: 'http://localhost:8080/v1',
          model: 'flux',
          settings,
        },
      ],
    },
  ],
  [{ IMAGE_ENGINE: 'rangoli', OPENAI_API_KEY: 'sk-x' }, {}],
  [
    { SIGN_UP: 'closed' },
    {
      auth: { ...localAuth, signUp: 'closed', hourlySignUpLimit: 100, secret: null },
      fixedOptions: { signUp: 'closed' },
    },
  ],
  [
    { HOURLY_SIGN_UP_LIMIT: '5' },
    { auth: { ...localAuth, signUp: null, hourlySignUpLimit: 5, secret: null } },
  ],
  [
    { AUTH_SECRET: 'x'.repeat(32) },
    { auth: { ...localAuth, signUp: null, hourlySignUpLimit: 100, secret: 'x'.repeat(32) } },
  ],
  [{ DAILY_IMAGE_LIMIT: '0' }, { fixedOptions: { dailyImageLimit: 0 } }],
  [{ DAILY_IMAGE_TOTAL: '500' }, { fixedOptions: { dailyImageTotal: 500 } }],
  [{ UNSHARED_IMAGE_DAYS: '90' }, { fixedOptions: { unsharedImageDays: 90 } }],
  [{ USER_STORAGE_LIMIT_MB: '2000' }, { fixedOptions: { storageLimitMegabytes: 2_000 } }],
  [{ DAILY_UPLOAD_LIMIT: '7' }, { dailyUploadLimit: 7 }],
  [{ DAILY_POST_LIMIT: '7' }, { dailyPostLimit: 7 }],
  [{ IMAGE_CONCURRENCY: '1' }, { imageConcurrency: 1 }],
  [{ IMAGE_TIMEOUT_SECONDS: '60' }, { imageTimeoutSeconds: 60 }],
  [{ SHUTDOWN_SECONDS: '0' }, { shutdownSeconds: 0 }],
  [{ API_TOKEN: 'sixteen-letters!' }, { serviceToken: 'sixteen-letters!' }],
  [{ METRICS_TOKEN: 'sixteen-letters!' }, { metricsToken: 'sixteen-letters!' }],
  [{ SERVICE_WORKER: 'off' }, { serviceWorker: false }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
])('accepts %j', (env, expected) => {
  expect(parseConfig(env, '/srv/rangoli')).toEqual({ ...defaults, ...expected })
})

test.each([
  ['hello@example.org', 'mailto:hello@example.org'],
  [' asha.rao+site@pictures.example.org ', 'mailto:asha.rao+site@pictures.example.org'],
  ['https://example.org/contact', 'https://example.org/contact'],
  ['http://example.org', 'http://example.org/'],
])('CONTACT=%s links to %s', (CONTACT, href) => {
  expect(parseConfig({ CONTACT }, '/srv').contact).toBe(href)
})

test.each([
  'Asha',
  'asha@localhost',
  'javascript:alert(1)',
  'data:text/html,hi',
  'a@b.co?bcc=x',
  'a b@c.de',
  '@example.org',
])('rejects CONTACT=%s', (CONTACT) => {
  expect(issuesOf({ CONTACT })).toEqual([
    'CONTACT: must be an email address or a URL, such as hello@example.org.',
  ])
})

const s3 = {
  kind: 's3',
  bucket: 'my-images',
  endpoint: null,
  region: 'us-east-1',
  credentials: null,
  prefix: '',
  forcePathStyle: false,
  maxBytes: null,
}

test.each([
  [{}, {}],
  [{ UPLOADS_DIR: '/ignored', UPLOADS_MAX_BYTES: '1M' }, { maxBytes: 1024 ** 2 }],
  [{ S3_REGION: 'eu-central-1' }, { region: 'eu-central-1' }],
  [{ S3_ENDPOINT: 'http://localhost:9000' }, { endpoint: 'http://localhost:9000', forcePathStyle: true }],
  [
    { S3_ENDPOINT: 'https://s3.example.org', S3_FORCE_PATH_STYLE: 'off' },
    { endpoint: 'https://s3.example.org', forcePathStyle: false },
  ],
  [{ S3_FORCE_PATH_STYLE: 'On' }, { forcePathStyle: true }],
  [{ S3_PREFIX: 'rangoli/images' }, { prefix: 'rangoli/images/' }],
  [{ S3_PREFIX: 'rangoli/' }, { prefix: 'rangoli/' }],
  [
    { S3_ACCESS_KEY_ID: 'an-id', S3_SECRET_ACCESS_KEY: ' hush ' },
    { credentials: { accessKeyId: 'an-id', secretAccessKey: 'hush' } },
  ],
])('stores images in a bucket with %j', (env, expected) => {
  const { storage } = parseConfig({ S3_BUCKET: 'my-images', ...env }, '/srv/rangoli')
  expect(storage).toEqual({ ...s3, ...expected })
})

test('requires S3_BUCKET if another variable of S3 is set', () => {
  expect(issuesOf({ S3_ENDPOINT: 'http://localhost:9000', S3_PREFIX: 'a' })).toEqual([
    'S3_BUCKET: is missing; S3_ENDPOINT requires it. Set it, or remove S3_ENDPOINT to store images in UPLOADS_DIR.',
  ])
})

test.each([
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
])('requires %s if %s is set', (missing, variable) => {
  expect(issuesOf({ S3_BUCKET: 'my-images', [variable]: 'hush' })).toEqual([
    `${missing}: is missing; ${variable} requires it. Set both, or neither to use the credentials that the AWS SDK finds.`,
  ])
})

const uploadsMaxBytes = (value: string) =>
  parseConfig({ UPLOADS_MAX_BYTES: value }, '/srv/rangoli').storage.maxBytes

test('UPLOADS_MAX_BYTES is off by default', () => {
  expect(parseConfig({}, '/srv/rangoli').storage.maxBytes).toBeNull()
  for (const value of ['off', 'OFF', ' ']) expect(uploadsMaxBytes(value)).toBeNull()
})

test.each([
  ['1048576', 1024 * 1024],
  ['500M', 500 * 1024 * 1024],
  [' 500m ', 500 * 1024 * 1024],
  ['70000K', 70_000 * 1024],
  ['20G', 20 * 1024 ** 3],
  ['2T', 2 * 1024 ** 4],
])('UPLOADS_MAX_BYTES=%s is %i bytes', (value, bytes) => {
  expect(uploadsMaxBytes(value)).toBe(bytes)
})

test.each(['0', '-1', '1.5G', '20 G', '20GB', '20GiB', 'G', 'none', '1e9', '1023K', '99999999999T'])(
  'rejects UPLOADS_MAX_BYTES=%s',
  (value) => {
    expect(issuesOf({ UPLOADS_MAX_BYTES: value })).toEqual([
      'UPLOADS_MAX_BYTES: must be off or a number of bytes such as 20G (K, M, G or T), at least 1M.',
    ])
  },
)
