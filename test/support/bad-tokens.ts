import { createHmac, generateKeyPairSync } from 'node:crypto'
import { generateApiKey } from '../../server/users/api-key-format.ts'
import { encodeJson, issuer, jwtKey, mintToken, signToken } from './clerk.ts'

/** A bearer token that every server must reject, for the site `azp`. */
export interface BadToken {
  readonly name: string
  readonly make: (azp: string) => string
}

const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const seconds = () => Math.floor(Date.now() / 1000)
const [header = '', payload = ''] = mintToken({ azp: 'https://elsewhere.example' }).split('.')

/** A valid token except for one claim. */
function claiming(name: string, claims: () => Record<string, unknown>): BadToken {
  return { name, make: (azp) => mintToken({ azp, ...claims() }) }
}

/** A valid token except for its header. */
function headed(name: string, values: Record<string, unknown>): BadToken {
  return { name, make: (azp) => mintToken({ azp }, { header: values }) }
}

/** A token in another format. */
function shaped(name: string, token: string): BadToken {
  return { name, make: () => token }
}

/** Every kind of invalid token. */
export const badTokens: readonly BadToken[] = [
  {
    name: 'of another token’s signature',
    make: (azp) => {
      const [, , signature] = mintToken({ azp, sub: 'user_eve' }).split('.')
      return mintToken({ azp }).replace(/[^.]+$/, signature ?? '')
    },
  },
  { name: 'signed with a foreign key', make: (azp) => mintToken({ azp }, { key: foreign.privateKey }) },
  {
    name: 'that brings its own key along',
    make: (azp) =>
      mintToken(
        { azp },
        { key: foreign.privateKey, header: { jwk: foreign.publicKey.export({ format: 'jwk' }) } },
      ),
  },
  { name: 'cut short', make: (azp) => mintToken({ azp }).slice(0, -20) },
  { name: 'without its signature', make: (azp) => mintToken({ azp }).replace(/[^.]+$/, '') },
  {
    name: 'of no algorithm',
    make: (azp) => mintToken({ azp }, { header: { alg: 'none' } }).replace(/[^.]+$/, ''),
  },
  headed('of no algorithm, signed all the same', { alg: 'none' }),
  {
    name: 'signed with the public key as a shared secret',
    make: (azp) => {
      const signed = mintToken({ azp }, { header: { alg: 'HS256' } }).replace(/\.[^.]+$/, '')
      return `${signed}.${createHmac('sha256', jwtKey).update(signed).digest('base64url')}`
    },
  },
  headed('that names another algorithm than it was signed with', { alg: 'RS512' }),
  headed('that names no algorithm', { alg: undefined }),
  headed('of an OAuth client', { typ: 'at+jwt' }),
  headed('of a machine, by its category', { cat: 'cl_B7d4PD333AAA' }),
  headed('whose key id is no text', { kid: { a: 1 } }),
  claiming('of a machine', () => ({ sub: 'mch_robot' })),
  claiming('without a subject', () => ({ sub: undefined })),
  claiming('of a number', () => ({ sub: 5 })),
  claiming('of the one who holds API_TOKEN', () => ({ sub: 'api-token' })),
  claiming('made for another service', () => ({ sid: undefined, aud: 'https://database.example' })),
  claiming('of a session that is not finished', () => ({ sts: 'pending' })),
  claiming('of another issuer', () => ({ iss: 'https://clerk.elsewhere.example' })),
  claiming('of an issuer whose name begins like ours', () => ({ iss: `${issuer}.elsewhere.example` })),
  claiming('of our issuer with a slash', () => ({ iss: `${issuer}/` })),
  claiming('of our issuer without https', () => ({ iss: issuer.replace('https', 'http') })),
  claiming('of no issuer', () => ({ iss: undefined })),
  claiming('of a list of issuers', () => ({ iss: [issuer] })),
  claiming('for another site', () => ({ azp: 'https://elsewhere.example' })),
  claiming('for no site', () => ({ azp: undefined })),
  claiming('for an empty site', () => ({ azp: '' })),
  { name: 'for a list of sites', make: (azp) => mintToken({ azp: [azp] }) },
  {
    name: 'for a site whose name begins like ours',
    make: (azp) => mintToken({ azp: azp.replace(/:\d+$/, '.elsewhere:1') }),
  },
  claiming('that expired a minute ago', () => ({ exp: seconds() - 60 })),
  claiming('without an expiry', () => ({ exp: undefined })),
  claiming('that expires at a text', () => ({ exp: String(seconds() + 60) })),
  claiming('that begins in a minute', () => ({ nbf: seconds() + 60 })),
  claiming('that begins at a text', () => ({ nbf: 'now' })),
  claiming('that will be made in a minute', () => ({ iat: seconds() + 60 })),
  shaped('a.b.c', 'a.b.c'),
  shaped('of dots', '..'),
  shaped('of two parts', `${header}.${payload}`),
  shaped('of four parts', `${mintToken({})}.x`),
  shaped('of bytes that are no text', 'ÿþ\u0080ÿ'),
  shaped('of quotes and brackets', '{"sub":"user_asha"}'),
  shaped('of two words', 'one two'),
  shaped('of 10 kB', mintToken({ filler: 'x'.repeat(7_500) })),
  shaped('whose header is no JSON', signToken('AAAA', payload)),
  shaped('whose header is null', signToken(encodeJson(null), payload)),
  shaped('whose header is a list', signToken(encodeJson([]), payload)),
  shaped('whose payload is no JSON', signToken(header, 'AAAA')),
  shaped('whose payload is null', signToken(header, encodeJson(null))),
  shaped('whose payload is a number', signToken(header, encodeJson(5))),
  shaped('whose payload is a list', signToken(header, encodeJson([issuer]))),
  shaped('that is a key of an API', 'ak_live_secret'),
  shaped('that is a token of a machine', 'mt_secret'),
  shaped('that is a token of an OAuth client', 'oat_secret'),
  shaped('that is an unknown API key', generateApiKey()),
  shaped('that is a key of an API in three parts', `ak_${mintToken({})}`),
  shaped('that is a token of a machine in three parts', `mt_${mintToken({})}`),
  shaped('that is a token of an OAuth client in three parts', `oat_${mintToken({})}`),
]
