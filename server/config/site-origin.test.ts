import { describe, expect, test } from 'vitest'
import { isOwnOrigin, siteOrigin } from './site-origin.ts'

const direct = { publicOrigin: null, proxyHops: 0 }
const proxied = { publicOrigin: null, proxyHops: 1 }
const named = { publicOrigin: 'https://gallery.example.org', proxyHops: 0 }

test.each([
  ['is the Host', direct, { host: 'localhost:3000' }, 'http://localhost:3000'],
  [
    'ignores X-Forwarded-* without a trusted proxy',
    direct,
    { host: 'a', 'x-forwarded-host': 'b', 'x-forwarded-proto': 'https' },
    'http://a',
  ],
  [
    'is taken from a trusted proxy',
    proxied,
    { host: 'a', 'x-forwarded-host': 'b.org', 'x-forwarded-proto': 'https' },
    'https://b.org',
  ],
  [
    'is taken from the nearest of several proxies',
    proxied,
    { host: 'a', 'x-forwarded-host': 'forged, b.org' },
    'http://b.org',
  ],
  ['is PUBLIC_URL if set', named, { host: 'forged.example' }, 'https://gallery.example.org'],
  ['is null without Host', direct, {}, null],
  ['is null with an invalid Host', direct, { host: 'a b' }, null],
])('the origin of the site %s', (_, config, headers, expected) => {
  expect(siteOrigin(config, new Headers(headers as Record<string, string>))).toBe(expected)
})

describe('isOwnOrigin', () => {
  const host = { host: 'site.example:3000' }
  test.each([
    [true, direct, host, 'http://site.example:3000'],
    [true, direct, host, 'https://site.example:3000'],
    [true, direct, { host: 'site.example:443' }, 'https://site.example'],
    [true, direct, { host: 'site.example' }, 'http://site.example:80'],
    [false, direct, { host: 'site.example:80' }, 'https://site.example'],
    [false, direct, host, 'http://site.example'],
    [false, direct, host, 'http://evil.example'],
    [false, direct, host, 'http://site.example:3000.evil.example'],
    [false, direct, host, 'null'],
    [false, direct, host, 'file://site.example:3000'],
    [false, direct, { ...host, 'x-forwarded-host': 'evil.example' }, 'http://evil.example'],
    [true, proxied, { ...host, 'x-forwarded-host': 'gallery.example.org' }, 'https://gallery.example.org'],
    [true, named, host, 'https://gallery.example.org'],
    [false, named, host, 'http://site.example:3000'],
    [false, direct, {}, 'http://'],
  ])('%s for %j', (expected, config, headers, origin) => {
    expect(isOwnOrigin(config, new Headers(headers as Record<string, string>), origin)).toBe(expected)
  })
})
