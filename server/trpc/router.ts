import { accountRouter } from '../users/account-router.ts'
import { imagesRouter } from '../images/images-router.ts'
import { publicProcedure, router } from './init.ts'
import { moderationRouter } from '../moderation/moderation-router.ts'
import { postsRouter } from '../posts/posts-router.ts'

const viewer = publicProcedure.query(({ ctx }) => ctx.viewer())

/** Named one by one, so that declarations refer to each router's own, with its comments, and don't repeat them. */
type Procedures = {
  posts: typeof postsRouter
  images: typeof imagesRouter
  account: typeof accountRouter
  moderation: typeof moderationRouter
  /** The signed-in user, or null. */
  viewer: typeof viewer
}

/** Everything that can be called, through either transport. */
export const appRouter = router<Procedures>({
  posts: postsRouter,
  images: imagesRouter,
  account: accountRouter,
  moderation: moderationRouter,
  viewer,
})

/** The public contract for developers: a typed client needs nothing else. */
export type AppRouter = typeof appRouter
