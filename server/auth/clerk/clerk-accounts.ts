import { verifyWebhook } from '@clerk/backend/webhooks'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { ClerkAuthConfig } from '../../config/auth-section.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Authenticator, DeleteAccountData } from '../../access/authenticator.ts'
import { closeAccount, type UserServices } from '../../access/user-access.ts'
import { queryUsers, type UserDirectory } from '../../access/user-directory.ts'
import { createCookieReader, createTokenVerifier, userIdPattern, viewerOf } from './session-tokens.ts'
import { createSigningKeys } from './signing-keys.ts'

interface ClerkAccountServices extends ClerkAuthConfig, UserServices {
  readonly log: Logger
  /** Checks whether an origin is this site's own, based on the headers of a request. */
  readonly trusts: (headers: Headers, origin: string) => boolean
  readonly forget: DeleteAccountData
}

/** Clerk accounts, identified by session tokens in the Authorization header or in the cookies of Clerk's script. */
export function createClerkAccounts(services: ClerkAccountServices): Authenticator {
  const { publishableKey, jwtKey, webhookSecret, administrators, trusts } = services
  const findKey = jwtKey === null ? createSigningKeys(services) : () => Promise.resolve(jwtKey)
  const verify = createTokenVerifier(services, findKey)
  const tokensInCookies = createCookieReader(publishableKey)

  /** Returns null if the token is not of a session on this site. */
  async function viewerOfToken(token: string, headers: Headers) {
    const claims = await verify(token)
    return claims && trusts(headers, claims.azp) ? viewerOf(claims, administrators) : null
  }

  return {
    async authenticate({ bearer, headers }) {
      if (bearer !== null) {
        const viewer = await viewerOfToken(bearer, headers)
        if (!viewer) throw new AppError('not_signed_in', 'The bearer token is not valid.')
        return { viewer, by: 'session' }
      }
      for (const token of tokensInCookies(headers)) {
        const viewer = await viewerOfToken(token, headers)
        if (viewer) return { viewer, by: 'session' }
      }
      return null
    },
    // Local accounts from before the site used Clerk no longer exist.
    recall: (user) => Promise.resolve(userIdPattern.test(user.id) ? user : null),
    handle: webhookSecret === null ? null : createWebhook(services, webhookSecret),
    profileOf: () => Promise.resolve(null),
    administration: null,
    directory: createClerkDirectory(administrators),
  }
}

const anyEvent = z.object({ type: z.string(), data: z.looseObject({}) })
const userEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user.deleted'), data: z.object({ id: z.string().min(1) }) }),
  z.object({
    type: z.literal('user.updated'),
    data: z.object({ id: z.string().min(1), banned: z.boolean() }),
  }),
])

/**
 * Handles Clerk's webhook: deletes the data of a deleted user with their posts, and closes or reopens the account of a
 * banned or unbanned user. Responds after that is done, as Clerk retries failed deliveries. Ignores other events.
 *
 * @see https://clerk.com/docs/guides/development/webhooks/overview
 * @throws AppError `bad_input` for a message that Clerk did not sign, `not_found` at any other path
 */
function createWebhook(services: ClerkAccountServices, signingSecret: string) {
  const { log, forget } = services
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/api/auth/webhook') {
      throw new AppError('not_found')
    }
    const message = await readMessage(request, signingSecret)
    const { data: event } = userEvent.safeParse(message)
    if (!event) {
      log.debug({ type: message.type }, 'ignored an event of the Clerk webhook')
    } else if (event.type === 'user.deleted') {
      await forget(event.data.id, { posts: 'remove' })
      log.info({ userId: event.data.id }, 'deleted the data of a user who deleted their Clerk account')
    } else if (event.data.banned) {
      await closeAccount(services, event.data.id)
      log.info({ userId: event.data.id }, 'revoked the API keys of a user banned at Clerk')
    } else {
      await services.db.deleteFrom('closed_accounts').where('user_id', '=', event.data.id).execute()
    }
    return new Response(null, { status: 204 })
  }
}

async function readMessage(request: Request, signingSecret: string) {
  try {
    return anyEvent.parse(await verifyWebhook(request, { signingSecret }))
  } catch (cause) {
    throw new AppError('bad_input', 'The message is not signed by Clerk.', { cause })
  }
}

/** The Clerk users who have been on the site. Local accounts, of a site that used them before, have their names elsewhere. */
const clerkRows = {
  from: sql`known_users`,
  where: sql`name IS NOT NULL`,
  id: 'known_users.user_id',
  createdAt: 'first_seen_at',
  foldedName: 'search_name',
  facts: sql`name, NULL AS email, last_seen_at`,
  toMicros: (column: unknown) => sql`${column} * 1000`,
  fromMicros: (micros: number) => micros / 1_000,
}

/** Creates the directory of Clerk users. Sessions and accounts are Clerk's. */
function createClerkDirectory(administrators: readonly string[]): UserDirectory {
  return {
    ...queryUsers(
      () => ({ ...clerkRows, administrators }),
      () => Promise.resolve(() => []),
    ),
    fixedRole: (userId) =>
      administrators.includes(userId) ? { role: 'administrator', variable: 'CLERK_ADMINISTRATORS' } : null,
    endSessions: null,
    deleteAccount: null,
  }
}
