import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { userOf, type TestUser, type TestServer } from './test-server.ts'

/** An instance of Clerk for tests: it has keys and signs tokens, and nothing answers at its address. */

export const frontendApi = 'clerk.rangoli.test'
export const issuer = `https://${frontendApi}`
export const publishableKey = `pk_test_${Buffer.from(`${frontendApi}$`).toString('base64')}`
export const webhookSecret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`

const keyId = 'ins_rangoli'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The key that Clerk's dashboard shows for CLERK_JWT_KEY. */
export const jwtKey = publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** What the instance answers at /.well-known/jwks.json. */
export const keySet = {
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }],
}

/** The environment of a server that signs users in at this instance, without asking it anything. */
export function clerkEnv(more: Record<string, string> = {}): Record<string, string> {
  return {
    CLERK_PUBLISHABLE_KEY: publishableKey,
    CLERK_SECRET_KEY: 'sk_test_rangoli',
    CLERK_JWT_KEY: jwtKey,
    ...more,
  }
}

interface TokenOptions {
  /** What the header says beside or instead of the usual; undefined leaves it out. */
  readonly header?: Record<string, unknown>
  /** Signs instead of the instance's key. */
  readonly key?: KeyObject
}

/**
 * A session token as the instance makes them, good for a minute. `claims` replace its own, undefined leaves one
 * out; `azp`, the site that it is for, must be given.
 */
export function mintToken(claims: Record<string, unknown>, { header, key }: TokenOptions = {}): string {
  const now = Math.floor(Date.now() / 1000)
  return signToken(
    encodeJson({ alg: 'RS256', typ: 'JWT', kid: keyId, ...header }),
    encodeJson({
      iss: issuer,
      sub: 'user_asha',
      sid: 'sess_asha',
      sts: 'active',
      iat: now,
      nbf: now - 10,
      exp: now + 60,
      v: 2,
      ...claims,
    }),
    key,
  )
}

/** Signs two parts, whatever they hold, into a token. */
export function signToken(header: string, payload: string, key = privateKey): string {
  const signed = `${header}.${payload}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

export function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

let usersSoFar = 0

/** TestUser whom nobody else in the test file is, signed in at Clerk for an hour, by the cookie of its script. */
export function signInAtClerk(server: TestServer, sub = `user_user${(usersSoFar += 1)}`): TestUser {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  return userOf(server, sub, `__session=${mintToken({ azp: server.url, sub, exp })}`)
}

interface MessageOptions {
  readonly secret?: string
  /** When it was signed, in seconds since 1970. */
  readonly at?: number
}

/** The headers of a message to the webhook. */
export function signMessage(body: string, { secret = webhookSecret, at }: MessageOptions = {}) {
  const id = `msg_${randomUUID()}`
  const timestamp = String(at ?? Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
}
