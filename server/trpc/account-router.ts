import { exportPerson } from '../people/export-person.ts'
import { createToken } from '../tokens/create-token.ts'
import { listTokens } from '../tokens/list-tokens.ts'
import { revokeToken } from '../tokens/revoke-token.ts'
import { router, signedInBy } from './init.ts'
import { byId, createTokenInput } from './inputs.ts'

/** Not for personal tokens: whoever finds one must not read of the account, or make more. */
const bySession = signedInBy('session')

export const accountRouter = router({
  /** Everything that the server keeps of the caller, for them to take away. */
  data: signedInBy('session', 'site token')
    .meta({ cost: 'export' })
    .query(async ({ ctx }) => {
      await ctx.services.writeLimits.ofExports.take(ctx.viewer.id)
      return exportPerson(ctx.services, ctx.viewer)
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
