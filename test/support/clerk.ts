import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import { userOf, type TestUser, type TestServer } from './test-server.ts'

/* Clerk instance for tests, which signs tokens and has no server. */

const frontendApi = 'clerk.rangoli.test'
export const issuer = `https://${frontendApi}`
export const publishableKey = `pk_test_${Buffer.from(`${frontendApi}$`).toString('base64')}`
export const webhookSecret = `whsec_${Buffer.from('a secret of the webhook').toString('base64')}`

const keyId = 'ins_rangoli'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Value of CLERK_JWT_KEY. */
export const jwtKey = publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Content of /.well-known/jwks.json. */
export const keySet = {
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }],
}

/** Environment of a server that uses this instance and needs no request to it. */
export function clerkEnv(more: Record<string, string> = {}): Record<string, string> {
  return {
    CLERK_PUBLISHABLE_KEY: publishableKey,
    CLERK_SECRET_KEY: 'sk_test_rangoli',
    CLERK_JWT_KEY: jwtKey,
    ...more,
  }
}

interface TokenOptions {
  /** Overrides fields of the header; undefined removes one. */
  readonly header?: Record<string, unknown>
  /** Replaces the instance's key. */
  readonly key?: KeyObject
}

/**
 * Creates a session token that is valid for a minute. `claims` override its claims, undefined removes one. `azp`, the
 * site, is required.
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

/** Signs an encoded header and payload. */
export function signToken(header: string, payload: string, key = privateKey): string {
  const signed = `${header}.${payload}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

export function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

let usersSoFar = 0

/** Creates a user who is signed in at Clerk for an hour, by the cookie of Clerk's script. */
export function signInAtClerk(server: TestServer, sub = `user_user${(usersSoFar += 1)}`): TestUser {
  const exp = Math.floor(Date.now() / 1000) + 3_600
  return userOf(server, sub, `__session=${mintToken({ azp: server.url, sub, exp })}`)
}

interface MessageOptions {
  readonly secret?: string
  /** Time of the signature, in seconds since 1970. */
  readonly at?: number
}

/** Signs a webhook message and returns its headers. */
export function signMessage(body: string, { secret = webhookSecret, at }: MessageOptions = {}) {
  const id = `msg_${randomUUID()}`
  const timestamp = String(at ?? Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
}
