import { z } from 'zod'
import { apiKeyLifetimes, apiKeyScopes } from '../../shared/account.ts'
import { nameLimit } from '../../shared/limits.ts'
import { ownWebhooksRouter } from '../webhooks/webhooks-router.ts'
import { programsRouter } from '../programs/programs-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, id, text, visibility } from '../procedures/inputs.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../access/api-keys.ts'
import { exportAccount, listPasskeys, type AccountServices } from './export-account.ts'
import { readSettings, updateSettings } from '../access/user-settings.ts'

const { router, signedInBy } = proceduresWith<AccountServices>()

const accountSettingsInput = z
  .object({ defaultVisibility: visibility, mailNotices: z.boolean('`mailNotices` must be true or false.') })
  .partial()

/** Creates the schema of a name. @param missing message for an empty one */
function requiredName(missing: string) {
  return text('name', nameLimit).refine((value) => value !== '', missing)
}

const lifetimes = apiKeyLifetimes.slice(0, -1).join(', ')
const lifetimeSentence = `The field expiresInDays must be ${lifetimes} or ${apiKeyLifetimes.at(-1)}, or null for a key that does not expire.`

const scopesSentence = `The scopes must be a list of ${apiKeyScopes.join(', ')}, with at least one of them.`

const createApiKeyInput = z.object({
  name: requiredName('Please give the API key a name.'),
  expiresInDays: z.literal(apiKeyLifetimes, lifetimeSentence).nullable().default(null),
  scopes: z
    .array(z.enum(apiKeyScopes, scopesSentence), scopesSentence)
    .min(1, scopesSentence)
    .transform((scopes) => apiKeyScopes.filter((scope) => scopes.includes(scope)))
    .optional(),
})

const renamePasskeyInput = z.object({ id, name: requiredName('Please give the passkey a name.') })

/** Rejects API keys, so that a leaked key can't read the account or create further keys. */
const bySession = signedInBy('session')

export const accountRouter = router({
  /** Everything that the server stores about the caller. */
  export: signedInBy('session', 'service token')
    .meta({ cost: 'export' })
    .query(async ({ ctx }) => {
      await ctx.services.writeLimits.exports.consume(ctx.viewer.id)
      return exportAccount(ctx.services, ctx.viewer)
    }),

  settings: bySession.query(({ ctx }) => readSettings(ctx.services.db, ctx.viewer)),

  /** Changes some of the caller's settings, and returns all. */
  updateSettings: bySession
    .input(accountSettingsInput)
    .mutation(({ ctx, input }) => updateSettings(ctx.services, ctx.viewer, input)),

  /** API keys, by which programs act as the caller. */
  apiKeys: router({
    /** The caller's API keys, newest first, without the keys themselves. */
    list: bySession.query(({ ctx }) => listApiKeys(ctx.services.db, ctx.viewer.id)),

    /** Creates an API key. The answer is the only one that contains `key`. */
    create: bySession
      .input(createApiKeyInput)
      .mutation(({ ctx, input }) =>
        createApiKey(ctx.services, { ...ctx.viewer, sessionId: ctx.sessionId }, input),
      ),

    /** Revokes one of the caller's API keys, or all connections of a program, effective from the next call. */
    revoke: bySession
      .input(byId)
      .mutation(({ ctx, input }) => revokeApiKey(ctx.services.db, ctx.viewer.id, input.id)),
  }),

  programs: programsRouter,

  webhooks: ownWebhooksRouter,

  /** Passkeys of the caller's local account. They are registered below /api/auth/passkey. */
  passkeys: router({
    /** The caller's passkeys, oldest first. */
    list: bySession.query(({ ctx }) => listPasskeys(ctx.services.db, ctx.viewer.id)),

    rename: bySession.input(renamePasskeyInput).mutation(async ({ ctx: { services, viewer }, input }) => {
      await services.db
        .updateTable('passkey')
        .set({ name: input.name })
        .where('id', '=', input.id)
        .where('userId', '=', viewer.id)
        .execute()
      const passkeys = await listPasskeys(services.db, viewer.id)
      return passkeys.find((passkey) => passkey.id === input.id) ?? passkeyNotFound()
    }),

    /** Deletes one of the caller's passkeys. Sessions that began with it stay. */
    delete: bySession.input(byId).mutation(async ({ ctx, input }) => {
      const deleted = await ctx.services.db
        .deleteFrom('passkey')
        .where('id', '=', input.id)
        .where('userId', '=', ctx.viewer.id)
        .returning('id')
        .executeTakeFirst()
      return deleted ?? passkeyNotFound()
    }),
  }),
})

function passkeyNotFound(): never {
  throw new AppError('not_found', describedDetail('passkey_not_found'))
}
