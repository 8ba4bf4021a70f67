import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const defaults = {
  host: 'localhost',
  port: 3000,
  siteName: 'Rangoli',
  contact: null,
  publicOrigin: null,
  proxyHops: 0,
  databaseFile: '/srv/rangoli/data/rangoli.db',
  uploadsDirectory: '/srv/rangoli/uploads',
  uploadsMaxBytes: null,
  auth: { kind: 'local', signUp: 'open', hourlySignUpLimit: 100, secret: null },
  engine: { kind: 'rangoli' },
  dailyImageLimit: 20,
  dailyImageTotal: null,
  dailyUploadLimit: 50,
  dailyPostLimit: 50,
  imageConcurrency: 4,
  imageTimeout: 300,
  shutdownGrace: 30,
  serviceToken: null,
  metricsToken: null,
  logLevel: 'info',
}

test('an empty environment is all that is needed', () => {
  expect(parseConfig({}, '/srv/rangoli')).toEqual(defaults)
})

test('an empty or blank variable counts as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'SITE_NAME',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'DATABASE_URL',
    'UPLOADS_DIR',
    'AUTH',
    'SIGN_UP',
    'HOURLY_SIGN_UP_LIMIT',
  ]
  const more = [
    'AUTH_SECRET',
    'CLERK_PUBLISHABLE_KEY',
    'CLERK_SECRET_KEY',
    'CLERK_JWT_KEY',
    'CLERK_WEBHOOK_SIGNING_SECRET',
    'CLERK_ADMINISTRATORS',
    'IMAGE_ENGINE',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'API_TOKEN',
    'LOG_LEVEL',
  ]
  for (const blank of ['', '  ']) {
    const env = Object.fromEntries([...names, ...more].map((name) => [name, blank]))
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
  [{ DATABASE_URL: 'file:other/gallery.db' }, { databaseFile: '/srv/rangoli/other/gallery.db' }],
  [{ DATABASE_URL: 'file:/var/lib/gallery.db' }, { databaseFile: '/var/lib/gallery.db' }],
  [{ DATABASE_URL: 'file:///var/lib/gallery.db' }, { databaseFile: '/var/lib/gallery.db' }],
  [{ UPLOADS_DIR: '/var/lib/images' }, { uploadsDirectory: '/var/lib/images' }],
  [
    { OPENAI_API_KEY: ' sk-x ' },
    { engine: { kind: 'openai', apiKey: 'sk-x', baseUrl: null, model: 'gpt-image-2' } },
  ],
  [
    { OPENAI_BASE_URL: 'http://localhost:8080/v1', OPENAI_IMAGE_MODEL: 'flux' },
    { engine: { kind: 'openai', apiKey: null, baseUrl: 'http://localhost:8080/v1', model: 'flux' } },
  ],
  [{ IMAGE_ENGINE: 'rangoli', OPENAI_API_KEY: 'sk-x' }, { engine: { kind: 'rangoli' } }],
  [
    { SIGN_UP: 'closed' },
    { auth: { kind: 'local', signUp: 'closed', hourlySignUpLimit: 100, secret: null } },
  ],
  [
    { HOURLY_SIGN_UP_LIMIT: '5' },
    { auth: { kind: 'local', signUp: 'open', hourlySignUpLimit: 5, secret: null } },
  ],
  [
    { AUTH_SECRET: 'x'.repeat(32) },
    { auth: { kind: 'local', signUp: 'open', hourlySignUpLimit: 100, secret: 'x'.repeat(32) } },
  ],
  [{ DAILY_IMAGE_LIMIT: '0' }, { dailyImageLimit: 0 }],
  [{ DAILY_IMAGE_TOTAL: '500' }, { dailyImageTotal: 500 }],
  [{ DAILY_UPLOAD_LIMIT: '7' }, { dailyUploadLimit: 7 }],
  [{ DAILY_POST_LIMIT: '7' }, { dailyPostLimit: 7 }],
  [{ IMAGE_CONCURRENCY: '1' }, { imageConcurrency: 1 }],
  [{ IMAGE_TIMEOUT_SECONDS: '60' }, { imageTimeout: 60 }],
  [{ SHUTDOWN_SECONDS: '0' }, { shutdownGrace: 0 }],
  [{ API_TOKEN: 'sixteen-letters!' }, { serviceToken: 'sixteen-letters!' }],
  [{ METRICS_TOKEN: 'sixteen-letters!' }, { metricsToken: 'sixteen-letters!' }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
])('%j is taken', (env, expected) => {
  expect(parseConfig(env, '/srv/rangoli')).toEqual({ ...defaults, ...expected })
})
