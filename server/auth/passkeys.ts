import { isIP } from 'node:net'
import { passkey } from '@better-auth/passkey'
import type { AuthContext } from 'better-auth'
import { APIError } from 'better-auth/api'
import { z } from 'zod'
import { passkeysMax } from '../../shared/account.ts'
import { hasSession } from '../access/user-access.ts'
import { countRows } from '../db/rows.ts'
import { inTransactionAbout } from '../db/transaction.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { Config } from '../config/config.ts'
import {
  type AccountCalls,
  type AccountCallServices,
  badRequest,
  type CallContext,
  parseInput,
  parseName,
  requireCaller,
  setDeviceCookie,
} from './call-context.ts'
import { systemClock } from '../time/clock.ts'
import { isoTime } from '../text/iso-time.ts'

/** Messages that the library logs as errors, though their cause is the input. */
export const rejectedCeremonies: ReadonlySet<string> = new Set([
  'Failed to verify registration',
  'Failed to verify authentication',
])

/** Maximum length of a credential id: 1,023 bytes, in base64url. @see https://www.w3.org/TR/webauthn-3/#credential-id */
const credentialIdMaxLength = 1_364
/** Maximum length of a binary field, in base64url. The largest have a few kilobytes. */
const fieldMaxLength = 32_768

const field = z
  .string()
  .max(fieldMaxLength)
  .regex(/^[\w-]+$/)

const credentialWith = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: field,
    rawId: field,
    type: z.literal('public-key'),
    response: z.object(response),
  })

/** A new credential, without the fields that the server takes from the signed ones. */
const registration = z.strictObject({
  name: z.string(),
  response: credentialWith({
    clientDataJSON: field,
    attestationObject: field,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .default([]),
  }),
})

const authentication = z.strictObject({
  response: credentialWith({
    clientDataJSON: field,
    authenticatorData: field,
    signature: field,
    userHandle: field.nullish().transform((handle) => handle ?? undefined),
  }),
})

/** A stored passkey in the library's response. */
const stored = z.object({ id: z.string(), userId: z.string() })

/** The part of better-auth that registers passkeys and signs users in with them. */
export function passkeyPlugin(
  { id: rpID, origin }: RelyingParty,
  { siteName, auth }: AccountCallServices['config'],
) {
  return passkey({
    rpID,
    rpName: siteName,
    // Null: the header `Origin`, which the CSRF protection has compared with the host.
    origin,
    // Discoverable, as users sign in without typing their email.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      async afterVerification({ ctx, verification }) {
        const { credential, userVerified } = verification.registrationInfo ?? {}
        requireVerification(userVerified)
        const id = credential?.id ?? ''
        const where = [{ field: 'credentialID', value: id }]
        const known = await ctx.context.adapter.findOne({ model: 'passkey', where })
        if (known || id.length > credentialIdMaxLength) {
          throw badRequest('PREVIOUSLY_REGISTERED', 'This passkey is registered already.')
        }
      },
    },
    authentication: {
      async afterVerification({ ctx, verification }) {
        const { userVerified, credentialID } = verification.authenticationInfo
        requireVerification(userVerified)
        if (auth.requireVerifiedEmail) await rejectUnverifiedEmail(ctx.context, credentialID)
      },
    },
  })
}

/** The library asks authenticators for it, and accepts answers without it. */
function requireVerification(isVerified: boolean | undefined): void {
  if (isVerified) return
  throw badRequest('USER_VERIFICATION_MISSING', 'The passkey was used without PIN, fingerprint or face.')
}

/** The library checks this for passwords only. */
async function rejectUnverifiedEmail(
  { adapter, internalAdapter }: Pick<AuthContext, 'adapter' | 'internalAdapter'>,
  id: string,
): Promise<void> {
  const found = await adapter.findOne({ model: 'passkey', where: [{ field: 'credentialID', value: id }] })
  const user = await internalAdapter.findUserById(stored.parse(found).userId)
  if (user && !user.emailVerified) {
    throw new APIError('FORBIDDEN', { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' })
  }
}

/** Calls of a site with passkeys: limits, validation and consistency that the library's endpoints lack. */
export function passkeyCalls({ db }: Pick<AccountCallServices, 'db'>): AccountCalls {
  return {
    '/passkey/generate-register-options': {
      async before(ctx) {
        const { user } = await requireCaller(ctx)
        parseInput(z.strictObject({}).optional(), ctx.query, 'There are no parameters.')
        if ((await countPasskeys(db, user.id)) >= passkeysMax) throw tooManyPasskeys()
        await deleteExpiredChallenges(ctx)
      },
    },
    '/passkey/generate-authenticate-options': {
      before: deleteExpiredChallenges,
      // Within a session the library lists the user's passkeys: another user may want to sign in.
      after: (ctx) =>
        ctx.json({
          ...Object(ctx.context.returned),
          allowCredentials: undefined,
          userVerification: 'required',
        }),
    },
    '/passkey/verify-registration': {
      async before(ctx) {
        await requireCaller(ctx)
        const fields = 'Send `name` and the `response` of the authenticator.'
        const body = parseInput(registration, ctx.body, fields)
        const name = parseName(body.name, 'Please give the passkey a name')
        return { context: { body: { ...body, name } } }
      },
      after: (ctx) => afterRegistration(ctx, db),
    },
    '/passkey/verify-authentication': {
      before: (ctx) => ({
        context: { body: parseInput(authentication, ctx.body, 'Send the `response` of the authenticator.') },
      }),
      after: (ctx) => afterAuthentication(ctx, db),
    },
  }
}

/** Removes a new passkey if the session has ended meanwhile, as by a new password, or if there are too many. */
async function afterRegistration(ctx: CallContext, db: Database) {
  const { id, userId } = stored.parse(ctx.context.returned)
  const sessionId = ctx.context.session?.session.id
  const outcome = await inTransactionAbout(db, userId, async (transaction) => {
    const hasEnded = !(await hasSession(transaction, userId, sessionId))
    if (!hasEnded && (await countPasskeys(transaction, userId)) <= passkeysMax) return 'kept'
    await transaction.deleteFrom('passkey').where('id', '=', id).execute()
    return hasEnded ? 'signed out' : 'too many'
  })
  if (outcome === 'too many') throw tooManyPasskeys()
  if (outcome === 'signed out') throw new AppError('not_signed_in')
  return ctx.json({ id })
}

/** Records the use of a passkey; ends the new session if the passkey was deleted meanwhile. */
async function afterAuthentication(ctx: CallContext, db: Database) {
  const { newSession } = ctx.context
  if (!newSession) throw new Error('A passkey was accepted without a session.')
  const { user, session } = newSession
  const { response } = authentication.parse(ctx.body)
  const isKnown = await inTransactionAbout(db, user.id, async (transaction) => {
    const [used] = await transaction
      .updateTable('passkey')
      .set({ lastUsedAt: isoTime(systemClock()) })
      .where('credentialID', '=', response.id)
      .returning('id')
      .execute()
    if (!used) await transaction.deleteFrom('session').where('id', '=', session.id).execute()
    return used !== undefined
  })
  if (!isKnown) throw new AppError('not_found', describedDetail('passkey_not_found'))
  await setDeviceCookie(ctx, user.email)
  return ctx.json({ user: { id: user.id, name: user.name, email: user.email } })
}

function countPasskeys(db: Database, userId: string): Promise<number> {
  return countRows(db.selectFrom('passkey').where('userId', '=', userId))
}

/** The library deletes a challenge that is used; anyone can request others. */
async function deleteExpiredChallenges(ctx: CallContext): Promise<void> {
  await ctx.context.adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(systemClock()) }],
  })
}

function tooManyPasskeys(): AppError {
  return new AppError('bad_input', describedDetail('passkeys_max', { max: passkeysMax }))
}

/** The site as authenticators know it. */
interface RelyingParty {
  /** Domain that passkeys belong to. Browsers offer them on no other. */
  readonly id: string
  /** Origin of the pages that use them; null for any port of `id`. */
  readonly origin: string | null
}

/**
 * Determines the relying party. Passkeys belong to a domain for good, so it comes from `PUBLIC_URL` and never from a
 * request. Without `PUBLIC_URL`, passkeys work on `localhost` only, for which a forged header gains nothing: browsers
 * compare the domain with their own address bar.
 *
 * @returns null if users do not sign in here, or if browsers offer no passkeys at that address, as it is an IP address or not
 *   encrypted
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf({
  auth,
  publicOrigin,
}: Pick<Config, 'auth' | 'publicOrigin'>): RelyingParty | null {
  if (auth.kind !== 'local' || !auth.localSignIn) return null
  if (publicOrigin === null) return { id: 'localhost', origin: null }
  const { protocol, hostname } = new URL(publicOrigin)
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return null
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin: publicOrigin } : null
}
