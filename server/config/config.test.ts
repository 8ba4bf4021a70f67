import { generateKeyPairSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../test/support/folder.ts'
import { ConfigError, knownVariables, parseConfig } from './config.ts'
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

/** Names of the variables that issues begin with. */
const namesIn = (issues: readonly string[]) => issues.map((issue) => issue.split(':')[0])

const key = (host: string) => `pk_test_${publishable(host)}`

/** Values that are rejected, by variable. */
const invalid: Record<string, readonly string[]> = {
  PORT: ['http', '-1', '65536', '3000.5', '0x50'],
  HOST: ['http://localhost', 'local host'],
  SITE_NAME: ['x'.repeat(81), 'two\nlines'],
  CONTACT: [
    'Asha',
    'asha@localhost',
    'javascript:alert(1)',
    'data:text/html,hi',
    'a@b.co?bcc=x',
    'a b@c.de',
    '@example.org',
  ],
  PUBLIC_URL: [
    'gallery.example.org',
    'https://example.org/images',
    'https://user:word@example.org',
    'ftp://example.org',
  ],
  TRUST_PROXY: ['yes', '-1'],
  DATABASE_URL: [
    'postgres://localhost',
    'postgres://user:a/b@localhost/rangoli',
    'mysql://localhost/rangoli',
    'data/rangoli.db',
    'file:',
    'file://elsewhere/rangoli.db',
  ],
  DATABASE_LISTEN_URL: ['localhost'],
  DATABASE_CONNECTIONS: ['1'],
  UPLOADS_MAX_BYTES: '0,-1,1.5G,20 G,20GB,20GiB,G,none,1e9,1023K,99999999999T'.split(','),
  AUTH: ['ldap'],
  SIGN_UP: ['invited'],
  AUTH_SECRET: ['short'],
  CLERK_PUBLISHABLE_KEY: [
    'pk_test_nonsense',
    'sk_test_aaaa',
    key('clerk.example.org'),
    key('localhost$'),
    key('clerk.example.org/x$'),
    key('a.b; script-src *$'),
    `pk_prod_${publishable('clerk.example.org$')}`,
  ],
  CLERK_SECRET_KEY: [publishableKey, 'sk_test_'],
  CLERK_JWT_KEY: [
    'nonsense',
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
    publicPem(1024),
    privatePem(),
    ellipticPem(),
  ],
  CLERK_WEBHOOK_SIGNING_SECRET: ['aHVzaA==', 'whsec_', 'whsec_aHVza'],
  CLERK_ADMINISTRATORS: ['asha@example.org', 'user_a,', 'user_a user_b'],
  IMAGE_ENGINE: ['dall-e'],
  OPENAI_BASE_URL: [
    'localhost:8080',
    'https://user:hush@example.org/v1',
    'http://me:secret@localhost:8080/v1',
  ],
  S3_BUCKET: ['https://example.org/images', 'ab'],
  S3_ENDPOINT: ['localhost:9000', 'http://me:hush@localhost:9000'],
  S3_REGION: ['eu west'],
  S3_ACCESS_KEY_ID: ['a b'],
  S3_SECRET_ACCESS_KEY: ['a b'],
  S3_PREFIX: ['/images', '../images', 'a//b'],
  S3_FORCE_PATH_STYLE: ['yes'],
  DAILY_IMAGE_LIMIT: ['-1', 'none'],
  DAILY_IMAGE_TOTAL: ['off'],
  DAILY_UPLOAD_LIMIT: ['1e3'],
  DAILY_POST_LIMIT: ['-1'],
  HOURLY_SIGN_UP_LIMIT: ['0'],
  IMAGE_CONCURRENCY: ['0', '65'],
  IMAGE_TIMEOUT_SECONDS: ['0'],
  IMAGE_LEASE_SECONDS: ['0'],
  SHUTDOWN_SECONDS: ['1.5'],
  API_TOKEN: ['fifteen-letters', 'sixteen letters here'],
  METRICS_TOKEN: ['short', 'प्रतीक'.repeat(6)],
  WEBHOOK_ALLOWED_ADDRESSES: ['10.0.0.0/8, 300.1.1.1'],
  ROLE: ['scheduler'],
  SERVICE_WORKER: ['no'],
  LOG_LEVEL: ['loud'],
}

test.each(Object.entries(invalid).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  'rejects %s=%j, and names the variable',
  (variable, value) => {
    expect(namesIn(issuesOf({ [variable]: value }))).toEqual([variable])
  },
)

describe('variables that depend on each other', () => {
  test.each([
    [{ AUTH: 'clerk' }, ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY']],
    [{ AUTH: 'clerk', CLERK_SECRET_KEY: 'sk_test_hush' }, ['CLERK_PUBLISHABLE_KEY']],
    [{ AUTH: 'clerk', CLERK_PUBLISHABLE_KEY: 'pk_live_x' }, ['CLERK_PUBLISHABLE_KEY']],
    [{ CLERK_PUBLISHABLE_KEY: publishableKey }, ['CLERK_SECRET_KEY']],
    [
      { CLERK_PUBLISHABLE_KEY: 'pk_live_x', CLERK_SECRET_KEY: 'x', CLERK_JWT_KEY: 'x' },
      ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY', 'CLERK_JWT_KEY'],
    ],
    // Of another instance than the publishable key.
    [{ ...clerk, CLERK_SECRET_KEY: 'sk_live_hush' }, ['CLERK_SECRET_KEY']],
    [{ IMAGE_ENGINE: 'openai' }, ['OPENAI_API_KEY']],
    [{ DATABASE_URL: postgresUrl }, ['AUTH_SECRET']],
    [{ ROLE: 'web' }, ['ROLE']],
    [{ ROLE: 'worker' }, ['ROLE']],
    [{ S3_ENDPOINT: 'http://localhost:9000', S3_PREFIX: 'a' }, ['S3_BUCKET']],
    [{ S3_BUCKET: 'my-images', S3_ACCESS_KEY_ID: 'hush' }, ['S3_SECRET_ACCESS_KEY']],
    [{ S3_BUCKET: 'my-images', S3_SECRET_ACCESS_KEY: 'hush' }, ['S3_ACCESS_KEY_ID']],
  ])('rejects %j', (env, names) => {
    expect(namesIn(issuesOf(env))).toEqual(names)
  })

  test.each([
    [{ OPENAI_API_KEY: ' sk-x ' }, { apiKey: 'sk-x', baseUrl: null, model: 'gpt-image-2' }],
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
  expect(namesIn(issuesOf(env))).toEqual(['HOST', 'PORT', 'API_TOKEN', 'AUTH', 'IMAGE_ENGINE'])
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

test.each(['web', 'worker'])('accepts ROLE=%s with PostgreSQL', (role) => {
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

  test.each([' \n', Buffer.from([0x52, 0xfc]), 'x'.repeat(50_001)])(
    'rejects a file that %#',
    async (content) => {
      const folder = await makeFolder()
      onTestFinished(() => rm(folder, { recursive: true }))
      await writeFile(path.join(folder, 'rules.md'), content)
      expect(issuesOf({ RULES_FILE: 'rules.md' }, folder)).toEqual([
        expect.stringMatching(/^RULES_FILE: rules\.md /),
      ])
    },
  )

  test('reports a missing file', () => {
    expect(issuesOf({ RULES_FILE: 'missing.md' })).toEqual([
      'RULES_FILE: missing.md does not exist: there is no /srv/rangoli/missing.md. Create it, or correct the path.',
    ])
  })
})

test('treats an empty or blank variable as unset', () => {
  for (const blank of ['', '  ']) {
    const env = Object.fromEntries(knownVariables('/srv').map((name) => [name, blank]))
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
