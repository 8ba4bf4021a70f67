import { ownWebhooksRouter } from '../webhooks/webhooks-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { accountSettingsInput, byId, createApiKeyInput, renamePasskeyInput } from '../procedures/inputs.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../access/api-keys.ts'
import { exportAccount, type AccountServices } from './account-data.ts'
import { deletePasskey, listPasskeys, renamePasskey } from '../access/passkeys.ts'
import { readSettings, updateSettings } from '../access/user-settings.ts'

const { router, signedInBy } = proceduresWith<AccountServices>()

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

  /** The caller's settings. */
  settings: bySession.query(({ ctx }) => readSettings(ctx.services.db, ctx.viewer)),

  /** Changes some of the caller's settings, and returns all. */
  updateSettings: bySession
    .input(accountSettingsInput)
    .mutation(({ ctx, input }) => updateSettings(ctx.services, ctx.viewer, input)),

  /** API keys, by which programs act as the caller. */
  apiKeys: router({
    /** The caller's API keys, newest first, without the keys themselves. */
    list: bySession.query(({ ctx }) => listApiKeys(ctx.services, ctx.viewer)),

    /** Creates an API key. The answer is the only one that contains `key`. */
    create: bySession
      .input(createApiKeyInput)
      .mutation(({ ctx, input }) => createApiKey(ctx.services, ctx.viewer, input)),

    /** Revokes one of the caller's API keys. */
    revoke: bySession.input(byId).mutation(({ ctx, input }) => revokeApiKey(ctx.services, ctx.viewer, input)),
  }),

  webhooks: ownWebhooksRouter,

  /** Passkeys of the caller's local account. They are registered below /api/auth/passkey. */
  passkeys: router({
    /** The caller's passkeys, oldest first. */
    list: bySession.query(({ ctx }) => listPasskeys(ctx.services, ctx.viewer)),

    rename: bySession
      .input(renamePasskeyInput)
      .mutation(({ ctx, input }) => renamePasskey(ctx.services, ctx.viewer, input)),

    /** Deletes one of the caller's passkeys. */
    delete: bySession
      .input(byId)
      .mutation(({ ctx, input }) => deletePasskey(ctx.services, ctx.viewer, input)),
  }),
})
