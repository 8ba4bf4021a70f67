import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

/** The lines that an environment is refused with; none if it is accepted. */
function issuesOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, '/srv/rangoli')
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
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
  port: 'PORT: must be a port: a whole number from 1 to 65535, such as 3000 (0 takes any free one).',
  host: 'HOST: must be a host name or an address alone, such as localhost or 0.0.0.0.',
  publicUrl:
    'PUBLIC_URL: must be the address of the site alone, such as https://pictures.example.org, without a path.',
  proxy: 'TRUST_PROXY: must be off or the number of proxies in front of the server, such as 1.',
  database:
    'DATABASE_URL: must be file: and a path, such as file:data/rangoli.db; no other database is supported.',
  publishable:
    'CLERK_PUBLISHABLE_KEY: is not a publishable key; copy the one that starts with pk_ from the Clerk dashboard.',
  secretKey:
    'CLERK_SECRET_KEY: is not a secret key; copy the one that starts with sk_ from the Clerk dashboard.',
  jwtKey:
    'CLERK_JWT_KEY: is not a public key in PEM; copy the one that starts with -----BEGIN PUBLIC KEY----- from the Clerk dashboard.',
  webhook:
    'CLERK_WEBHOOK_SIGNING_SECRET: is not a signing secret; copy the one that starts with whsec_ from the webhook in the Clerk dashboard.',
  administrators: 'CLERK_ADMINISTRATORS: must be ids of Clerk users, such as user_2abc, separated by commas.',
  daily: 'must be a whole number from 0 to 1000000.',
  printable: 'must consist of printable ASCII characters without spaces.',
}

describe('a variable of the wrong kind is named with the mend', () => {
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
    ['PUBLIC_URL', 'pictures.example.org', errorFor.publicUrl],
    ['PUBLIC_URL', 'https://example.org/images', errorFor.publicUrl],
    ['PUBLIC_URL', 'https://user:word@example.org', errorFor.publicUrl],
    ['PUBLIC_URL', 'ftp://example.org', errorFor.publicUrl],
    ['TRUST_PROXY', 'yes', errorFor.proxy],
    ['TRUST_PROXY', '-1', errorFor.proxy],
    ['DATABASE_URL', 'postgres://user@localhost/rangoli', errorFor.database],
    ['DATABASE_URL', 'mysql://localhost/rangoli', errorFor.database],
    ['DATABASE_URL', 'data/rangoli.db', errorFor.database],
    ['DATABASE_URL', 'file:', errorFor.database],
    ['DATABASE_URL', 'file://elsewhere/rangoli.db', errorFor.database],
    ['AUTH', 'ldap', 'AUTH: must be local or clerk.'],
    ['SIGN_UP', 'invited', 'SIGN_UP: must be open or closed.'],
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
    ['OPENAI_BASE_URL', 'localhost:8080', 'OPENAI_BASE_URL: must be an http or https address.'],
    [
      'OPENAI_BASE_URL',
      'https://user:hush@example.org/v1',
      'OPENAI_BASE_URL: must not contain a user or password; put the key into OPENAI_API_KEY.',
    ],
    [
      'OPENAI_BASE_URL',
      'http://me:secret@localhost:8080/v1',
      'OPENAI_BASE_URL: must not contain a user or password; put the key into OPENAI_API_KEY.',
    ],
    ['DAILY_IMAGE_LIMIT', '-1', `DAILY_IMAGE_LIMIT: ${errorFor.daily}`],
    ['DAILY_IMAGE_LIMIT', 'none', `DAILY_IMAGE_LIMIT: ${errorFor.daily}`],
    ['DAILY_IMAGE_TOTAL', 'off', `DAILY_IMAGE_TOTAL: ${errorFor.daily}`],
    ['DAILY_UPLOAD_LIMIT', '1e3', `DAILY_UPLOAD_LIMIT: ${errorFor.daily}`],
    ['DAILY_POST_LIMIT', '-1', `DAILY_POST_LIMIT: ${errorFor.daily}`],
    ['HOURLY_SIGN_UP_LIMIT', '0', 'HOURLY_SIGN_UP_LIMIT: must be a whole number from 1 to 1000000.'],
    ['IMAGE_CONCURRENCY', '0', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_CONCURRENCY', '65', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_TIMEOUT_SECONDS', '0', 'IMAGE_TIMEOUT_SECONDS: must be a whole number from 1 to 3600.'],
    ['SHUTDOWN_SECONDS', '1.5', 'SHUTDOWN_SECONDS: must be a whole number from 0 to 3600.'],
    ['API_TOKEN', 'fifteen-letters', 'API_TOKEN: must have at least 16 characters.'],
    ['API_TOKEN', 'sixteen letters here', `API_TOKEN: ${errorFor.printable}`],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN: must have at least 16 characters.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be debug, info, warn or error.'],
    ['METRICS_TOKEN', 'प्रतीक'.repeat(6), `METRICS_TOKEN: ${errorFor.printable}`],
  ])('%s=%j', (variable, value, fault) => {
    expect(issuesOf({ [variable]: value })).toEqual([fault])
  })
})

describe('settings that contradict each other', () => {
  const missing = (key: string) => `${key}: is missing; sign-in by Clerk needs it. Set it, or set AUTH=local.`
  const otherInstance =
    'CLERK_SECRET_KEY: is of another instance than CLERK_PUBLISHABLE_KEY, one of them of a test instance; copy both from the same one.'

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
        'OPENAI_API_KEY: is missing; IMAGE_ENGINE=openai needs it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
      ],
    ],
  ])('%j are refused', (env, faults) => {
    expect(issuesOf(env)).toEqual(faults)
  })

  test.each([
    [{ OPENAI_API_KEY: 'sk-x' }, { apiKey: 'sk-x', baseUrl: null, model: 'gpt-image-2' }],
    [
      { OPENAI_BASE_URL: 'http://localhost:8080/v1', OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: '' },
      { apiKey: null, baseUrl: 'http://localhost:8080/v1', model: 'sd' },
    ],
  ])('%j choose the openai engine', (env, engine) => {
    expect(parseConfig(env, '/srv').engine).toEqual({ kind: 'openai', ...engine })
  })

  test('Clerk is chosen by its publishable key, with what else is set of it', () => {
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
    ['with line breaks of Windows', jwtKey.replaceAll('\n', '\r\n')],
    ['with spaces around it', `\n  ${jwtKey}\n`],
  ])('CLERK_JWT_KEY is taken %s', (_, value) => {
    expect(parseConfig({ ...clerk, CLERK_JWT_KEY: value }, '/srv').auth).toMatchObject({ jwtKey })
  })

  test('a key that is not in use decides nothing', () => {
    expect(issuesOf({ AUTH: 'local', CLERK_PUBLISHABLE_KEY: publishableKey })).toEqual([])
    expect(issuesOf({ IMAGE_ENGINE: 'rangoli', OPENAI_API_KEY: 'sk-whatever' })).toEqual([])
  })
})

test('every fault is told at once, one line each, and the message is those lines', () => {
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
])('a wrong %s is not repeated in its message', (variable) => {
  const secret = 'hush hush'
  const faults = issuesOf({ [variable]: secret })
  expect(faults).not.toEqual([])
  expect(faults.join('\n')).not.toContain('hush')
})
