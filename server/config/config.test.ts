import { describe, expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

/** The lines that an environment is refused with; none if it is accepted. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env, '/srv/rangoli')
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const publishableKey = `pk_test_${Buffer.from('clerk.example.org$').toString('base64')}`

const faultOf = {
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
  daily: 'must be a whole number from 0 to 1000000.',
  printable: 'must consist of printable ASCII characters without spaces.',
}

describe('a variable of the wrong kind is named with the mend', () => {
  test.each([
    ['PORT', 'http', faultOf.port],
    ['PORT', '-1', faultOf.port],
    ['PORT', '65536', faultOf.port],
    ['PORT', '3000.5', faultOf.port],
    ['PORT', '0x50', faultOf.port],
    ['HOST', 'http://localhost', faultOf.host],
    ['HOST', 'local host', faultOf.host],
    ['SITE_NAME', 'x'.repeat(81), 'SITE_NAME: must have at most 80 characters.'],
    ['SITE_NAME', 'two\nlines', 'SITE_NAME: must not contain control characters.'],
    ['PUBLIC_URL', 'pictures.example.org', faultOf.publicUrl],
    ['PUBLIC_URL', 'https://example.org/pictures', faultOf.publicUrl],
    ['PUBLIC_URL', 'https://user:word@example.org', faultOf.publicUrl],
    ['PUBLIC_URL', 'ftp://example.org', faultOf.publicUrl],
    ['TRUST_PROXY', 'yes', faultOf.proxy],
    ['TRUST_PROXY', '-1', faultOf.proxy],
    ['DATABASE_URL', 'postgres://user@localhost/rangoli', faultOf.database],
    ['DATABASE_URL', 'mysql://localhost/rangoli', faultOf.database],
    ['DATABASE_URL', 'data/rangoli.db', faultOf.database],
    ['DATABASE_URL', 'file:', faultOf.database],
    ['DATABASE_URL', 'file://elsewhere/rangoli.db', faultOf.database],
    ['AUTH', 'ldap', 'AUTH: must be local or clerk.'],
    ['SIGN_UP', 'invited', 'SIGN_UP: must be open or closed.'],
    ['AUTH_SECRET', 'short', 'AUTH_SECRET: must have at least 32 characters.'],
    ['CLERK_PUBLISHABLE_KEY', 'pk_test_nonsense', faultOf.publishable],
    ['CLERK_PUBLISHABLE_KEY', 'sk_test_aaaa', faultOf.publishable],
    ['CLERK_SECRET_KEY', publishableKey, faultOf.secretKey],
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
    ['DAILY_IMAGE_LIMIT', '-1', `DAILY_IMAGE_LIMIT: ${faultOf.daily}`],
    ['DAILY_IMAGE_LIMIT', 'none', `DAILY_IMAGE_LIMIT: ${faultOf.daily}`],
    ['DAILY_UPLOAD_LIMIT', '1e3', `DAILY_UPLOAD_LIMIT: ${faultOf.daily}`],
    ['IMAGE_CONCURRENCY', '0', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_CONCURRENCY', '65', 'IMAGE_CONCURRENCY: must be a whole number from 1 to 64.'],
    ['IMAGE_TIMEOUT_SECONDS', '0', 'IMAGE_TIMEOUT_SECONDS: must be a whole number from 1 to 3600.'],
    ['SHUTDOWN_SECONDS', '1.5', 'SHUTDOWN_SECONDS: must be a whole number from 0 to 3600.'],
    ['API_TOKEN', 'fifteen-letters', 'API_TOKEN: must have at least 16 characters.'],
    ['API_TOKEN', 'sixteen letters here', `API_TOKEN: ${faultOf.printable}`],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN: must have at least 16 characters.'],
    ['METRICS_TOKEN', 'प्रतीक'.repeat(6), `METRICS_TOKEN: ${faultOf.printable}`],
  ])('%s=%j', (variable, value, fault) => {
    expect(faultsOf({ [variable]: value })).toEqual([fault])
  })
})

describe('settings that contradict each other', () => {
  const missing = (key: string) => `${key}: is missing; sign-in by Clerk needs it. Set it, or set AUTH=local.`
  const noClerkYet = 'AUTH: sign-in by Clerk is not part of this version yet; set AUTH=local.'

  test.each([
    [{ AUTH: 'clerk' }, [missing('CLERK_PUBLISHABLE_KEY'), missing('CLERK_SECRET_KEY'), noClerkYet]],
    [{ AUTH: 'clerk', CLERK_PUBLISHABLE_KEY: 'pk_live_x' }, [faultOf.publishable]],
    [{ CLERK_PUBLISHABLE_KEY: publishableKey }, [missing('CLERK_SECRET_KEY'), noClerkYet]],
    [
      { IMAGE_ENGINE: 'openai' },
      [
        'OPENAI_API_KEY: is missing; IMAGE_ENGINE=openai needs it or OPENAI_BASE_URL. Set one, or set IMAGE_ENGINE=rangoli.',
      ],
    ],
  ])('%j are refused', (env, faults) => {
    expect(faultsOf(env)).toEqual(faults)
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

  test('a key that is not in use decides nothing', () => {
    expect(faultsOf({ AUTH: 'local', CLERK_PUBLISHABLE_KEY: publishableKey })).toEqual([])
    expect(faultsOf({ IMAGE_ENGINE: 'rangoli', OPENAI_API_KEY: 'sk-whatever' })).toEqual([])
  })
})

test('every fault is told at once, one line each, and the message is those lines', () => {
  const env = { PORT: 'x', HOST: 'a b', AUTH: 'ldap', IMAGE_ENGINE: 'dall-e', API_TOKEN: 'short' }
  expect(faultsOf(env).map((line) => line.split(':')[0])).toEqual([
    'HOST',
    'PORT',
    'API_TOKEN',
    'AUTH',
    'IMAGE_ENGINE',
  ])
  expect(() => parseConfig(env, '/')).toThrow(faultsOf(env).join('\n'))
})

test.each([
  'API_TOKEN',
  'METRICS_TOKEN',
  'AUTH_SECRET',
  'CLERK_SECRET_KEY',
  'CLERK_PUBLISHABLE_KEY',
  'DATABASE_URL',
])('a wrong %s is not repeated in its message', (variable) => {
  const secret = 'hush hush'
  const faults = faultsOf({ [variable]: secret })
  expect(faults).not.toEqual([])
  expect(faults.join('\n')).not.toContain('hush')
})
