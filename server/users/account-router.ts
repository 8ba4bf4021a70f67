import { exportAccount } from './export-account.ts'
import { createToken } from './api-keys/create-api-key.ts'
import { listTokens } from './api-keys/list-api-keys.ts'
import { revokeToken } from './api-keys/revoke-api-key.ts'
import { router, signedInBy } from '../trpc/init.ts'
import { byId, createTokenInput } from '../trpc/inputs.ts'

/** Not for personal tokens: whoever finds one must not read of the account, or make more. */
const bySession = signedInBy('session')

export const accountRouter = router({
  /** Everything that the server keeps of the caller, for them to take away. */
  data: signedInBy('session', 'site token')
    .meta({ cost: 'export' })
    .query(async ({ ctx }) => {
      await ctx.services.writeLimits.ofExports.take(ctx.viewer.id)
      return exportAccount(ctx.services, ctx.viewer)
    }),

  /** Tokens by which programs act as the caller. */
  tokens: router({
    /** The caller's own, newest first, without their texts. */
    list: bySession.query(({ ctx }) => listTokens(ctx.services, ctx.viewer)),

    /** Makes one; the answer holds its text, which is never told again. */
    create: bySession
      .input(createTokenInput)
      .mutation(({ ctx, input }) => createToken(ctx.services, ctx.viewer, input)),

    /** Ends one of the caller's own. */
    revoke: bySession.input(byId).mutation(({ ctx, input }) => revokeToken(ctx.services, ctx.viewer, input)),
  }),
})
