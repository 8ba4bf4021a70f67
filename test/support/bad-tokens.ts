import { createHmac, generateKeyPairSync } from 'node:crypto'
import { generateApiKey } from '../../server/access/api-keys.ts'
import { encodeJson, issuer, jwtKey, mintToken, signToken } from './clerk.ts'

const unknownKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const now = Math.floor(Date.now() / 1000)
/** Longer than the tests take. */
const hour = 3_600
const [header = '', payload = ''] = mintToken({ azp: 'https://elsewhere.example' }).split('.')

/** Every kind of invalid token, which completes the phrase “a token …”, and its creation for the origin of a site. */
const creations: Readonly<Record<string, (azp: string) => string>> = {
  'with the signature of another token': (azp) => {
    const [, , signature] = mintToken({ azp, sub: 'user_eve' }).split('.')
    return mintToken({ azp }).replace(/[^.]+$/, signature ?? '')
  },
  'signed with an unknown key': (azp) => mintToken({ azp }, { key: unknownKeys.privateKey }),
  'that is truncated': (azp) => mintToken({ azp }).slice(0, -20),
  'without a signature': (azp) => mintToken({ azp }).replace(/[^.]+$/, ''),
  'with the algorithm none': (azp) => mintToken({ azp }, { header: { alg: 'none' } }).replace(/[^.]+$/, ''),
  'signed with the public key as an HMAC secret': (azp) => {
    const signed = mintToken({ azp }, { header: { alg: 'HS256' } }).replace(/\.[^.]+$/, '')
    return `${signed}.${createHmac('sha256', jwtKey).update(signed).digest('base64url')}`
  },
  'signed with another algorithm than its header says': (azp) =>
    mintToken({ azp }, { header: { alg: 'RS512' } }),
  'with the type of an OAuth token': (azp) => mintToken({ azp }, { header: { typ: 'at+jwt' } }),
  'with the category of a machine token': (azp) => mintToken({ azp }, { header: { cat: 'cl_B7d4PD333AAA' } }),
  'with an object as key id': (azp) => mintToken({ azp }, { header: { kid: { a: 1 } } }),
  'with the subject of a machine': (azp) => mintToken({ azp, sub: 'mch_robot' }),
  'without a subject': (azp) => mintToken({ azp, sub: undefined }),
  'with the subject of the service token': (azp) => mintToken({ azp, sub: 'api-token' }),
  'from a template for another service': (azp) =>
    mintToken({ azp, sid: undefined, aud: 'https://database.example' }),
  'of a pending session': (azp) => mintToken({ azp, sts: 'pending' }),
  'from another issuer': (azp) => mintToken({ azp, iss: 'https://clerk.elsewhere.example' }),
  'from an issuer that starts with the expected one': (azp) =>
    mintToken({ azp, iss: `${issuer}.elsewhere.example` }),
  'without an issuer': (azp) => mintToken({ azp, iss: undefined }),
  'for another site': () => mintToken({ azp: 'https://elsewhere.example' }),
  'without a site': () => mintToken({}),
  'for a list of sites': (azp) => mintToken({ azp: [azp] }),
  'for a site that starts with the expected one': (azp) =>
    mintToken({ azp: azp.replace(/:\d+$/, '.elsewhere:1') }),
  'that expired a minute ago': (azp) => mintToken({ azp, exp: now - 60 }),
  'without an expiry': (azp) => mintToken({ azp, exp: undefined }),
  'that is not valid yet': (azp) => mintToken({ azp, nbf: now + hour }),
  'issued in the future': (azp) => mintToken({ azp, iat: now + hour }),
  'that is a.b.c': () => 'a.b.c',
  'of four parts': () => `${mintToken({})}.x`,
  'of control and non-ASCII characters': () => 'ÿþ\u0080ÿ',
  'of 10 kB': () => mintToken({ filler: 'x'.repeat(7_500) }),
  'with a header that is not JSON': () => signToken('AAAA', payload),
  'with null as header': () => signToken(encodeJson(null), payload),
  'with a payload that is not JSON': () => signToken(header, 'AAAA'),
  'with null as payload': () => signToken(header, encodeJson(null)),
  'that is a Clerk API key': () => 'ak_live_secret',
  'that is an unknown API key': () => generateApiKey(),
  'that is a Clerk OAuth token in three parts': () => `oat_${mintToken({})}`,
}

/** Bearer tokens that every server must reject. */
export const badTokens = Object.entries(creations).map(([name, create]) => ({ name, create }))
