import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { ConfigError, knownVariables, parseConfig, readEnvironment } from './config.ts'
import { misspelledVariables } from './misspelled.ts'
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

const key = (host: string, kind = 'test') => `pk_${kind}_${Buffer.from(host).toString('base64')}`
const publishableKey = key('clerk.example.org$')
const clerk = { CLERK_PUBLISHABLE_KEY: publishableKey, CLERK_SECRET_KEY: 'sk_test_hush' }

const pemOf = (one: KeyObject, type: 'spki' | 'pkcs8') => one.export({ type, format: 'pem' }).toString()
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwtKey = pemOf(rsa.publicKey, 'spki')
const weakKey = pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey, 'spki')
const ellipticKey = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 'spki')

/** Names of the variables that issues begin with. */
const namesIn = (issues: readonly string[]) => issues.map((issue) => issue.split(':')[0])

/** Values that are rejected, by variable. Secrets among them are never repeated. */
const invalid: Record<string, readonly string[]> = {
  PORT: ['http', '65536', '3000.5'],
  HOST: ['http://localhost'],
  SITE_NAME: ['x'.repeat(81), 'two\nlines'],
  CONTACT: ['asha@localhost', 'javascript:alert(1)', 'data:text/html,hi', 'a@b.co?bcc=x', 'a b@c.de'],
  PUBLIC_URL: ['gallery.example.org', 'https://example.org/images', 'https://user:word@example.org'],
  TRUST_PROXY: ['yes', '-1'],
  DATABASE_URL: [
    'postgres://localhost',
    'postgres://user:a/b@localhost/rangoli',
    'mysql://localhost/hush',
    'data/rangoli.db',
    'file://elsewhere/rangoli.db',
    'file:data/',
  ],
  DATABASE_LISTEN_URL: ['localhost'],
  UPLOADS_MAX_BYTES: '0,-1,1.5G,20 G,20GiB,1e9,1023K,99999999999T'.split(','),
  AUTH_SECRET: ['hush'],
  CLERK_PUBLISHABLE_KEY: [
    'pk_test_hush',
    key('localhost$'),
    key('a.b; script-src *$'),
    key('clerk.example.org$', 'prod'),
  ],
  CLERK_SECRET_KEY: [publishableKey, 'hush'],
  CLERK_JWT_KEY: ['hush', weakKey, pemOf(rsa.privateKey, 'pkcs8'), ellipticKey],
  CLERK_WEBHOOK_SIGNING_SECRET: ['whsec_hush_'],
  CLERK_ADMINISTRATORS: ['asha@example.org', 'user_a user_b'],
  OPENAI_BASE_URL: ['localhost:8080', 'https://user:hush@example.org/v1'],
  S3_BUCKET: ['https://example.org/images'],
  S3_ENDPOINT: ['localhost:9000', 'http://me:hush@localhost:9000'],
  S3_SECRET_ACCESS_KEY: ['a hush'],
  S3_PREFIX: ['/images', '../images', 'a//b'],
  DAILY_IMAGE_LIMIT: ['-1', 'none'],
  IMAGE_CONCURRENCY: ['0', '65'],
  API_TOKEN: ['hush', 'sixteen hush here'],
  METRICS_TOKEN: ['प्रतीक'.repeat(6)],
  WEBHOOK_ALLOWED_ADDRESSES: ['10.0.0.0/8, 300.1.1.1'],
}

test.each(Object.entries(invalid).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  'rejects %s=%j, and names the variable',
  (variable, value) => {
    const issues = issuesOf({ [variable]: value })
    expect(namesIn(issues)).toEqual([variable])
    expect(issues.join()).not.toContain('hush')
  },
)

describe('variables that depend on each other', () => {
  test.each([
    [{ AUTH: 'clerk', SIGN_UP: 'closed' }, ['CLERK_PUBLISHABLE_KEY', 'CLERK_SECRET_KEY', 'SIGN_UP']],
    [{ CLERK_PUBLISHABLE_KEY: publishableKey }, ['CLERK_SECRET_KEY']],
    [{ CLERK_SECRET_KEY: 'sk_test_hush' }, ['CLERK_PUBLISHABLE_KEY']],
    [{ ...clerk, OIDC_ISSUER: 'https://id.example.org' }, ['OIDC_ISSUER']],
    // Of another instance than the publishable key.
    [{ ...clerk, CLERK_SECRET_KEY: 'sk_live_hush' }, ['CLERK_SECRET_KEY']],
    [{ IMAGE_ENGINE: 'openai' }, ['OPENAI_API_KEY']],
    [{ REQUIRE_VERIFIED_EMAIL: 'on' }, ['REQUIRE_VERIFIED_EMAIL']],
    [{ LOCAL_SIGN_IN: 'off' }, ['LOCAL_SIGN_IN']],
    [{ OIDC_NAME: 'School' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
    [{ SMTP_URL: 'smtp://mail.example.org' }, ['MAIL_FROM']],
    [{ MAIL_FROM: 'gallery@example.org' }, ['SMTP_URL']],
    [{ DATABASE_URL: postgresUrl }, ['AUTH_SECRET']],
    [{ DATABASE_LISTEN_URL: postgresUrl }, ['DATABASE_LISTEN_URL']],
    [{ ROLE: 'web' }, ['ROLE']],
    [{ S3_ENDPOINT: 'http://localhost:9000', S3_PREFIX: 'a' }, ['S3_BUCKET']],
    [{ S3_BUCKET: 'my-images', S3_ACCESS_KEY_ID: 'hush' }, ['S3_SECRET_ACCESS_KEY']],
  ])('rejects %j', (env, names) => {
    expect(namesIn(issuesOf(env))).toEqual(names)
  })

  test.each([
    [{ OPENAI_API_KEY: ' sk-x ' }, { apiKey: 'sk-x', baseUrl: null, model: 'gpt-image-2' }],
    [
      { OPENAI_BASE_URL: 'http://localhost:8080/v1', OPENAI_IMAGE_MODEL: 'sd' },
      { apiKey: null, baseUrl: 'http://localhost:8080/v1', model: 'sd' },
    ],
  ])('%j selects the openai engine', (env, engine) => {
    const common = { kind: 'openai', id: 'openai', label: engine.model }
    expect(parseConfig(env, '/srv').engines).toEqual([{ ...common, ...engine }])
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
      CLERK_JWT_KEY: `  ${jwtKey.trim().replaceAll('\n', String.raw`\n`)} `,
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

  test('ignores the keys of an engine or sign-in that is not selected', () => {
    const keys = { CLERK_SECRET_KEY: 'sk_test_hush', OPENAI_API_KEY: 'sk-whatever' }
    expect(issuesOf({ AUTH: ' local', IMAGE_ENGINE: 'Rangoli', LOG_LEVEL: 'INFO ', ...keys })).toEqual([])
  })
})

test('reports all issues at once, one line each', () => {
  const env = { PORT: 'x', HOST: 'a b', AUTH: 'ldap', IMAGE_ENGINE: 'dall-e', API_TOKEN: 'short' }
  expect(namesIn(issuesOf(env))).toEqual(['HOST', 'PORT', 'API_TOKEN', 'AUTH', 'IMAGE_ENGINE'])
  expect(() => parseConfig(env, '/')).toThrow(issuesOf(env).join('\n'))
})

test('the name of a PostgreSQL database contains neither password nor options', () => {
  const url = 'postgresql://asha:hush@db.example.org:5433/rangoli?sslmode=verify-full&password=hush'
  const database = { kind: 'postgres', url, listenUrl: url, maxConnections: 10 } as const
  expect(databaseName(database)).toBe('postgres://asha@db.example.org:5433/rangoli')
})

const localAuth = { kind: 'local', localSignIn: true, provider: null, requireVerifiedEmail: false } as const

const defaults = {
  role: 'all',
  host: 'localhost',
  port: 3000,
  siteName: 'Rangoli',
  fixedAppearance: {},
  enginesVariable: null,
  setup: true,
  oauthRegistration: false,
  publicOrigin: null,
  proxyHops: 0,
  database: { kind: 'sqlite', file: '/srv/rangoli/data/rangoli.db' },
  storage: { kind: 'disk', directory: '/srv/rangoli/uploads', maxBytes: null },
  signing: null,
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

describe('RULES_FILE', () => {
  test('is read at startup, relative to the working directory', async () => {
    const folder = await tempFolder()
    await writeFile(path.join(folder, 'rules.md'), '\uFEFF# Rules\n\nBe kind.\n')
    expect(parseConfig({ RULES_FILE: 'rules.md' }, folder).fixedAppearance.rules).toBe(
      '# Rules\n\nBe kind.\n',
    )
  })

  test.each([null, ' \n', Buffer.from([0x52, 0xfc]), 'x'.repeat(50_001)])(
    'is rejected if it is missing, empty, no UTF-8 or too long, %#',
    async (content) => {
      const folder = await tempFolder()
      if (content !== null) await writeFile(path.join(folder, 'rules.md'), content)
      expect(issuesOf({ RULES_FILE: 'rules.md' }, folder)).toEqual([
        expect.stringMatching(/^RULES_FILE: rules\.md /),
      ])
    },
  )
})

test('treats an empty or blank variable as unset', () => {
  for (const blank of ['', '  ']) {
    const env = Object.fromEntries(knownVariables('/srv').map((name) => [name, blank]))
    expect(parseConfig(env, '/srv/rangoli')).toEqual(defaults)
  }
})

test.each([
  [{}, {}],
  [{ PORT: ' 8080 ' }, { port: 8080 }],
  [
    { HOST: '::1', SITE_NAME: 'रंगोली' },
    { host: '::1', siteName: 'रंगोली', fixedAppearance: { name: 'रंगोली' } },
  ],
  [
    { CONTACT: ' asha.rao+site@example.org ' },
    { fixedAppearance: { contact: 'mailto:asha.rao+site@example.org' } },
  ],
  [{ CONTACT: 'http://example.org' }, { fixedAppearance: { contact: 'http://example.org/' } }],
  [{ PUBLIC_URL: 'https://Pictures.example.org/' }, { publicOrigin: 'https://pictures.example.org' }],
  [{ TRUST_PROXY: '2' }, { proxyHops: 2 }],
  [{ DATABASE_URL: 'file:a/b.db' }, { database: { kind: 'sqlite', file: '/srv/rangoli/a/b.db' } }],
  [{ DATABASE_URL: 'file:///var/lib/b.db' }, { database: { kind: 'sqlite', file: '/var/lib/b.db' } }],
  [
    { DATABASE_URL: postgresUrl, AUTH_SECRET: 'x'.repeat(32), ROLE: ' Web ' },
    {
      role: 'web',
      database: { kind: 'postgres', url: postgresUrl, listenUrl: postgresUrl, maxConnections: 10 },
      auth: { ...localAuth, signUp: null, hourlySignUpLimit: 100, secret: 'x'.repeat(32) },
    },
  ],
  [{ UPLOADS_DIR: '/images' }, { storage: { kind: 'disk', directory: '/images', maxBytes: null } }],
  [
    { AUTH: 'Local', SIGN_UP: 'CLOSED', HOURLY_SIGN_UP_LIMIT: '5' },
    {
      auth: { ...localAuth, signUp: 'closed', hourlySignUpLimit: 5, secret: null },
      fixedOptions: { signUp: 'closed' },
    },
  ],
  [
    { DAILY_IMAGE_LIMIT: '0', DAILY_IMAGE_TOTAL: '500', USER_STORAGE_LIMIT_MB: '2000' },
    { fixedOptions: { dailyImageLimit: 0, dailyImageTotal: 500, storageLimitMegabytes: 2_000 } },
  ],
  [
    { MONTHLY_BUDGET: '2.50', MONTHLY_BUDGET_PER_USER: ' OFF ' },
    { fixedOptions: { monthlyBudget: 2.5, monthlyBudgetPerUser: null } },
  ],
  [
    { API_TOKEN: 'sixteen-letters!', SERVICE_WORKER: 'off' },
    { serviceToken: 'sixteen-letters!', serviceWorker: false },
  ],
])('accepts %j', (env, expected) => {
  expect(parseConfig(env, '/srv/rangoli')).toEqual({ ...defaults, ...expected })
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
  [{ S3_ENDPOINT: 'http://localhost:9000' }, { endpoint: 'http://localhost:9000', forcePathStyle: true }],
  [
    { S3_ENDPOINT: 'https://s3.example.org', S3_FORCE_PATH_STYLE: 'off' },
    { endpoint: 'https://s3.example.org', forcePathStyle: false },
  ],
  [{ S3_FORCE_PATH_STYLE: 'On' }, { forcePathStyle: true }],
  [{ S3_PREFIX: 'rangoli/images' }, { prefix: 'rangoli/images/' }],
  [
    { S3_ACCESS_KEY_ID: 'an-id', S3_SECRET_ACCESS_KEY: ' hush ' },
    { credentials: { accessKeyId: 'an-id', secretAccessKey: 'hush' } },
  ],
])('stores images in a bucket with %j', (env, expected) => {
  const { storage } = parseConfig({ S3_BUCKET: 'my-images', ...env }, '/srv/rangoli')
  expect(storage).toEqual({ ...s3, ...expected })
})

test.each([
  ['OFF', null],
  ['1048576', 1024 * 1024],
  [' 500m ', 500 * 1024 * 1024],
  ['70000K', 70_000 * 1024],
  ['2T', 2 * 1024 ** 4],
])('UPLOADS_MAX_BYTES=%s is %j bytes', (value, bytes) => {
  expect(parseConfig({ UPLOADS_MAX_BYTES: value }, '/srv/rangoli').storage.maxBytes).toBe(bytes)
})

describe('.env', () => {
  test('is overridden by the environment, and reports its issues like it', async () => {
    const folder = await tempFolder()
    const file = path.join(folder, '.env')
    expect(readEnvironment({}, folder)).toMatchObject({ port: 3000 })
    await writeFile(file, '\uFEFFPORT=4000\nSITE_NAME="My site"\nDAILY_IMAGE_LIMIT=5 # a day\n')
    const config = readEnvironment({ PORT: '5000' }, folder)
    expect(config).toMatchObject({ port: 5000, siteName: 'My site', fixedOptions: { dailyImageLimit: 5 } })
    await writeFile(file, 'PORT=many\n')
    expect(() => readEnvironment({}, folder)).toThrow(/^PORT: must be a port/)
  })

  test('may have misspelled names, which are found, and names of other programs', async () => {
    const folder = await tempFolder()
    expect(misspelledVariables(folder)).toEqual([])
    const misspelled = ['PUBLIC_URLS', 'RANGOLI_SITE_NAME', 'port']
    const others = ['SMTP_URL', 'PUBLISH_ADDRESS', 'NODE_ENV', 'API_TOKEN2']
    const lines = [...misspelled, ...others].map((name) => `${name}=x`)
    await writeFile(path.join(folder, '.env'), ['ENGINES_FILE=engines.json', ...lines].join('\n'))
    await writeFile(path.join(folder, 'engines.json'), '[{ "apiKey": { "env": "API_TOKEN2" } }]')
    expect(misspelledVariables(folder)).toEqual([
      { name: 'PUBLIC_URLS', meant: 'PUBLIC_URL' },
      { name: 'RANGOLI_SITE_NAME', meant: 'SITE_NAME' },
      { name: 'port', meant: 'PORT' },
    ])
  })
})

test('docs/configuration.md lists the known variables', async () => {
  const guide = await readFile(path.resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  const listed = guide
    .split('\n')
    .flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1]?.match(/[A-Z0-9_]+/g) ?? [])
  expect(listed.toSorted()).toEqual(knownVariables('/srv').toSorted())
})
