import { createHmac, generateKeyPairSync } from 'node:crypto'
import { generateApiKey } from '../../server/access/api-keys.ts'
import { encodeJson, issuer, jwtKey, mintToken, signToken } from './clerk.ts'

/** Bearer token that every server must reject. */
export interface BadToken {
  /** Completes the phrase “a token …” in test titles. */
  readonly name: string
  /** @param azp origin of the site that the token is for */
  readonly create: (azp: string) => string
}

const unknownKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const now = Math.floor(Date.now() / 1000)
/** Longer than the tests take. */
const hour = 3_600
const [header = '', payload = ''] = mintToken({ azp: 'https://elsewhere.example' }).split('.')

/** Creates a token that is valid except for some claims. */
function withClaims(name: string, claims: Record<string, unknown>): BadToken {
  return { name, create: (azp) => mintToken({ azp, ...claims }) }
}

/** Creates a token that is valid except for its header. */
function withHeader(name: string, values: Record<string, unknown>): BadToken {
  return { name, create: (azp) => mintToken({ azp }, { header: values }) }
}

/** Creates a token of any format. */
function fromText(name: string, token: string): BadToken {
  return { name, create: () => token }
}

/** Every kind of invalid token. */
export const badTokens: readonly BadToken[] = [
  {
    name: 'with the signature of another token',
    create: (azp) => {
      const [, , signature] = mintToken({ azp, sub: 'user_eve' }).split('.')
      return mintToken({ azp }).replace(/[^.]+$/, signature ?? '')
    },
  },
  {
    name: 'signed with an unknown key',
    create: (azp) => mintToken({ azp }, { key: unknownKeys.privateKey }),
  },
  { name: 'that is truncated', create: (azp) => mintToken({ azp }).slice(0, -20) },
  { name: 'without a signature', create: (azp) => mintToken({ azp }).replace(/[^.]+$/, '') },
  {
    name: 'with the algorithm none',
    create: (azp) => mintToken({ azp }, { header: { alg: 'none' } }).replace(/[^.]+$/, ''),
  },
  {
    name: 'signed with the public key as an HMAC secret',
    create: (azp) => {
      const signed = mintToken({ azp }, { header: { alg: 'HS256' } }).replace(/\.[^.]+$/, '')
      return `${signed}.${createHmac('sha256', jwtKey).update(signed).digest('base64url')}`
    },
  },
  withHeader('signed with another algorithm than its header says', { alg: 'RS512' }),
  withHeader('with the type of an OAuth token', { typ: 'at+jwt' }),
  withHeader('with the category of a machine token', { cat: 'cl_B7d4PD333AAA' }),
  withHeader('with an object as key id', { kid: { a: 1 } }),
  withClaims('with the subject of a machine', { sub: 'mch_robot' }),
  withClaims('without a subject', { sub: undefined }),
  withClaims('with the subject of the service token', { sub: 'api-token' }),
  withClaims('from a template for another service', { sid: undefined, aud: 'https://database.example' }),
  withClaims('of a pending session', { sts: 'pending' }),
  withClaims('from another issuer', { iss: 'https://clerk.elsewhere.example' }),
  withClaims('from an issuer that starts with the expected one', { iss: `${issuer}.elsewhere.example` }),
  withClaims('without an issuer', { iss: undefined }),
  withClaims('for another site', { azp: 'https://elsewhere.example' }),
  withClaims('without a site', { azp: undefined }),
  { name: 'for a list of sites', create: (azp) => mintToken({ azp: [azp] }) },
  {
    name: 'for a site that starts with the expected one',
    create: (azp) => mintToken({ azp: azp.replace(/:\d+$/, '.elsewhere:1') }),
  },
  withClaims('that expired a minute ago', { exp: now - 60 }),
  withClaims('without an expiry', { exp: undefined }),
  withClaims('that is not valid yet', { nbf: now + hour }),
  withClaims('issued in the future', { iat: now + hour }),
  fromText('that is a.b.c', 'a.b.c'),
  fromText('of four parts', `${mintToken({})}.x`),
  fromText('of control and non-ASCII characters', 'ÿþ\u0080ÿ'),
  fromText('of 10 kB', mintToken({ filler: 'x'.repeat(7_500) })),
  fromText('with a header that is not JSON', signToken('AAAA', payload)),
  fromText('with null as header', signToken(encodeJson(null), payload)),
  fromText('with a payload that is not JSON', signToken(header, 'AAAA')),
  fromText('with null as payload', signToken(header, encodeJson(null))),
  fromText('that is a Clerk API key', 'ak_live_secret'),
  fromText('that is an unknown API key', generateApiKey()),
  fromText('that is a Clerk OAuth token in three parts', `oat_${mintToken({})}`),
]
