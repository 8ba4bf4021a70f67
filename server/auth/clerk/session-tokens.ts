import { createHash } from 'node:crypto'
import { decodeJwt } from '@clerk/backend/jwt'
import { clerkMiddleware, getAuth } from '@hono/clerk-auth'
import { Hono } from 'hono'
import { parse } from 'hono/utils/cookie'
import { z } from 'zod'
import { defaultAuthorName, nameLimit } from '../../../shared/limits.ts'
import { exceededLimit } from '../../../shared/text-length.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import type { ClerkAuthConfig } from '../../config/auth-section.ts'
import { cleanText } from '../../text/clean-text.ts'
import type { FindKey } from './signing-keys.ts'

type Instance = Pick<ClerkAuthConfig, 'publishableKey' | 'frontendApi' | 'secretKey'>

export const userIdPattern = /^user_\w{1,59}$/

const sessionClaims = z
  .looseObject({
    // Machine tokens have another subject.
    sub: z.string().regex(userIdPattern),
    azp: z.string().min(1),
    sid: z.string().min(1).optional(),
    aud: z.unknown().optional(),
  })
  // Rejects custom JWT templates for other services: they carry `aud` but no `sid`.
  .refine(({ sid, aud }) => sid !== undefined || aud === undefined)

/** Claims of a session token, including custom claims. */
export type SessionClaims = z.output<typeof sessionClaims>

/**
 * Creates a function that verifies session tokens with Clerk's middleware. The middleware runs in an application of
 * its own and sees only the token. Given the request, it would redirect, refresh cookies and accept other credentials.
 *
 * @returns the claims, or null if the token is not a valid session token of the instance. The caller checks that `azp`
 * is this site.
 */
export function createTokenVerifier(
  { publishableKey, frontendApi, secretKey }: Instance,
  findKey: FindKey,
): (token: string) => Promise<SessionClaims | null> {
  const unverifiedToken = z.object({
    header: z.object({ kid: z.string().optional() }),
    // The middleware does not check the issuer, which also determines the signing keys.
    payload: z.object({ iss: z.literal(`https://${frontendApi}`) }),
  })
  const keys = { publishableKey, secretKey, telemetry: { disabled: true } }
  const app = new Hono<{ Bindings: { jwtKey: string } }>()
    .use((c, next) => clerkMiddleware({ ...keys, jwtKey: c.env.jwtKey })(c, next))
    .get('/', (c) => c.json(getAuth(c).sessionClaims))
    .onError((error) => {
      throw error
    })

  return async (token) => {
    const unverified = unverifiedToken.safeParse(decode(token))
    if (!unverified.success) return null
    const jwtKey = await findKey(unverified.data.header.kid)
    if (jwtKey === null) return null
    const response = await app.request('/', { headers: { authorization: `Bearer ${token}` } }, { jwtKey })
    return sessionClaims.safeParse(await response.json()).data ?? null
  }
}

/** Decodes a token without verifying it. Returns null if it is not a JWT, which the middleware might send to Clerk's API. */
function decode(token: string): unknown {
  try {
    return decodeJwt(token)
  } catch {
    return null
  }
}

const cookieName = '__session'

/**
 * Creates a function that reads the session tokens from the cookies of a request. Clerk's script sets two: one named
 * after the publishable key, and one shared by all applications on the host.
 */
export function createCookieReader(publishableKey: string): (headers: Headers) => string[] {
  const suffix = createHash('sha1').update(publishableKey).digest('base64url').slice(0, 8)
  const names = [`${cookieName}_${suffix}`, cookieName]
  return (headers) => {
    const cookies = parse(headers.get('cookie') ?? '')
    return names.flatMap((name) => cookies[name] ?? [])
  }
}

/** Common names of custom claims; Clerk's default session token contains neither a name nor an avatar. */
const firstNameClaims = ['first_name', 'firstName', 'given_name']
const imageClaims = ['image_url', 'imageUrl', 'picture']

export function viewerOf(claims: SessionClaims, administrators: readonly string[]): Viewer {
  return {
    id: claims.sub,
    firstName: firstNameOf(claims) ?? defaultAuthorName,
    imageUrl: imageClaims.map((claim) => claims[claim]).find(isImageUrl) ?? null,
    role: administrators.includes(claims.sub) ? 'administrator' : 'member',
  }
}

function firstNameOf(claims: SessionClaims): string | undefined {
  const firstNames = firstNameClaims.map((claim) => cleanClaim(claims[claim]))
  const names = [...firstNames, cleanClaim(claims['name']).split(/\s+/)[0] ?? '']
  return names.find((name) => name !== '' && !exceededLimit(name, nameLimit))
}

function cleanClaim(claim: unknown): string {
  return typeof claim === 'string' ? cleanText(claim) : ''
}

function isImageUrl(claim: unknown): claim is string {
  return typeof claim === 'string' && URL.canParse(claim) && new URL(claim).protocol === 'https:'
}
