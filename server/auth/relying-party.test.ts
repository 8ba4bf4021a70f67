import { expect, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { relyingPartyOf } from './passkeys.ts'

const partyOf = (env: Record<string, string>) => relyingPartyOf(parseConfig(env, '/tmp'))

test.each([
  ['https://gallery.example.org', 'gallery.example.org'],
  ['https://gallery.example.org:8443', 'gallery.example.org'],
  ['https://nas', 'nas'],
  ['http://localhost:3000', 'localhost'],
  ['http://gallery.localhost:3000', 'gallery.localhost'],
])('passkeys of a site at %s belong to %s and to that origin', (origin, id) => {
  expect(partyOf({ PUBLIC_URL: origin })).toEqual({ id, origin })
})

test.each([
  'http://gallery.example.org',
  'https://192.0.2.7',
  'http://127.0.0.1:3000',
  'https://[2001:db8::7]',
])('a site at %s has no passkeys, as browsers offer none there', (origin) => {
  expect(partyOf({ PUBLIC_URL: origin })).toBeNull()
})

test('without PUBLIC_URL, passkeys belong to localhost', () => {
  expect(partyOf({})).toEqual({ id: 'localhost', origin: null })
})

test('a site whose users sign in elsewhere has no passkeys', () => {
  const PUBLIC_URL = 'https://gallery.example.org'
  const provider = {
    OIDC_ISSUER: 'https://login.example.org',
    OIDC_CLIENT_ID: 'gallery',
    OIDC_CLIENT_SECRET: 's',
  }
  expect(partyOf({ PUBLIC_URL, ...provider })).toMatchObject({ id: 'gallery.example.org' })
  expect(partyOf({ PUBLIC_URL, ...provider, LOCAL_SIGN_IN: 'off' })).toBeNull()
})
