import { describe, expect, test } from 'vitest'
import { isOwnOrigin, siteOrigin } from './site-origin.ts'

const direct = { publicOrigin: null, proxyHops: 0 }
const proxied = { publicOrigin: null, proxyHops: 1 }
const named = { publicOrigin: 'https://pictures.example.org', proxyHops: 0 }

describe('the origin of absolute addresses', () => {
  test.each([
    ['is the Host', direct, { host: 'localhost:3000' }, 'http://localhost:3000'],
    [
      'ignores what no proxy is trusted to say',
      direct,
      { host: 'a', 'x-forwarded-host': 'b', 'x-forwarded-proto': 'https' },
      'http://a',
    ],
    [
      'is what the trusted proxy says',
      proxied,
      { host: 'a', 'x-forwarded-host': 'b.org', 'x-forwarded-proto': 'https' },
      'https://b.org',
    ],
    [
      'takes the word of the nearest proxy',
      proxied,
      { host: 'a', 'x-forwarded-host': 'forged, b.org' },
      'http://b.org',
    ],
    ['is PUBLIC_URL where set', named, { host: 'forged.example' }, 'https://pictures.example.org'],
    ['is unknown without a Host', direct, {}, null],
    ['is unknown with a Host that is none', direct, { host: 'a b' }, null],
  ])('%s', (_, config, headers, expected) => {
    expect(siteOrigin(config, new Headers(headers as Record<string, string>))).toBe(expected)
  })
})

describe('whether an Origin is ours', () => {
  const host = { host: 'site.example:3000' }
  test.each([
    [true, direct, host, 'http://site.example:3000'],
    [true, direct, { host: 'SITE.example:3000' }, 'http://site.example:3000'],
    [true, direct, host, 'https://site.example:3000'],
    [true, direct, { host: 'site.example:443' }, 'https://site.example'],
    [true, direct, { host: 'site.example' }, 'http://site.example:80'],
    [false, direct, { host: 'site.example:80' }, 'https://site.example'],
    [false, direct, host, 'http://site.example'],
    [false, direct, host, 'http://site.example:3001'],
    [false, direct, host, 'http://evil.example'],
    [false, direct, host, 'http://site.example:3000.evil.example'],
    [false, direct, host, 'null'],
    [false, direct, host, ''],
    [false, direct, host, 'file://site.example:3000'],
    [false, direct, { ...host, 'x-forwarded-host': 'evil.example' }, 'http://evil.example'],
    [true, proxied, { ...host, 'x-forwarded-host': 'pictures.example.org' }, 'https://pictures.example.org'],
    [true, named, host, 'https://pictures.example.org'],
    [false, named, host, 'http://pictures.example.org'],
    [false, named, host, 'http://site.example:3000'],
    [false, direct, {}, 'http://'],
  ])('%s for %j', (expected, config, headers, origin) => {
    expect(isOwnOrigin(config, new Headers(headers as Record<string, string>), origin)).toBe(expected)
  })
})
