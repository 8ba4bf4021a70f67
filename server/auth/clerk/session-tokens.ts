import { decodeJwt } from '@clerk/backend/jwt'
import { clerkMiddleware, getAuth } from '@hono/clerk-auth'
import { Hono } from 'hono'
import { z } from 'zod'
import type { ClerkAuthConfig } from '../../config/auth-section.ts'
import type { FindKey } from './signing-keys.ts'

type Instance = Pick<ClerkAuthConfig, 'publishableKey' | 'frontendApi' | 'secretKey'>

/** The form of the ids that Clerk gives to users. */
export const userId = /^user_\w{1,59}$/

/** What every session token says, and whatever else its instance puts into it. */
const sessionClaims = z
  .looseObject({
    // Of a user; machines have tokens of the same form.
    sub: z.string().regex(userId),
    azp: z.string().min(1),
    sid: z.string().min(1).optional(),
    aud: z.unknown().optional(),
  })
  // What the same key signs for another service names that, and no session.
  .refine(({ sid, aud }) => sid !== undefined || aud === undefined)

export type SessionClaims = z.output<typeof sessionClaims>

/**
 * Checks session tokens with Clerk's middleware. It runs on an application of its own, which sees nothing of a
 * request but the token: with the rest it would redirect, refresh, and take other kinds of credentials.
 *
 * @returns what a token says; null for one that is not a valid session token of the instance. Whether its
 * authorised party, `azp`, is this site is for the caller to ask.
 */
export function createTokenCheck(
  { publishableKey, frontendApi, secretKey }: Instance,
  findKey: FindKey,
): (token: string) => Promise<SessionClaims | null> {
  const ours = z.object({
    header: z.object({ kid: z.string().optional() }),
    // The middleware does not ask who issued a token; it also tells whether we can have the key.
    payload: z.object({ iss: z.literal(`https://${frontendApi}`) }),
  })
  const keys = { publishableKey, secretKey, telemetry: { disabled: true } }
  const app = new Hono<{ Bindings: { jwtKey: string } }>()
    .use((c, next) => clerkMiddleware({ ...keys, jwtKey: c.env.jwtKey })(c, next))
    .get('/', (c) => c.json(getAuth(c).sessionClaims))
    .onError((error) => {
      throw error
    })

  return async (text) => {
    const unchecked = ours.safeParse(decode(text))
    if (!unchecked.success) return null
    const jwtKey = await findKey(unchecked.data.header.kid)
    if (jwtKey === null) return null
    const answer = await app.request('/', { headers: { authorization: `Bearer ${text}` } }, { jwtKey })
    return sessionClaims.safeParse(await answer.json()).data ?? null
  }
}

/**
 * What stands in a token, true or not; null for what is none. The middleware could take that for a key of Clerk's
 * API, and ask Clerk about it.
 */
function decode(text: string): unknown {
  try {
    return decodeJwt(text)
  } catch {
    return null
  }
}
