import { adminRouter } from '../admin/admin-router.ts'
import { accountRouter } from '../users/account-router.ts'
import { enginesRouter, imagesRouter } from '../images/images-router.ts'
import { moderationRouter } from '../moderation/moderation-router.ts'
import { postsRouter } from '../posts/posts-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'

const { publicProcedure, router } = proceduresWith<object>()

const viewer = publicProcedure.query(async ({ ctx }) => (await ctx.identity())?.viewer ?? null)

/** Named routers, so that emitted declarations refer to them instead of inlining their types. */
type Procedures = {
  posts: typeof postsRouter
  engines: typeof enginesRouter
  images: typeof imagesRouter
  account: typeof accountRouter
  moderation: typeof moderationRouter
  admin: typeof adminRouter
  /** The signed-in user, or null. */
  viewer: typeof viewer
}

/** All procedures, for both transports. */
export const appRouter = router<Procedures>({
  posts: postsRouter,
  engines: enginesRouter,
  images: imagesRouter,
  account: accountRouter,
  moderation: moderationRouter,
  admin: adminRouter,
  viewer,
})

/** Type of the API, for clients. */
export type AppRouter = typeof appRouter
