import { accountRouter } from './account-router.ts'
import { imagesRouter } from './images-router.ts'
import { createCallerFactory, publicProcedure, router } from './init.ts'
import { moderationRouter } from './moderation-router.ts'
import { postsRouter } from './posts-router.ts'

/** Everything that can be called, through either door. */
export const appRouter = router({
  posts: postsRouter,
  images: imagesRouter,
  account: accountRouter,
  moderation: moderationRouter,
  /** The signed-in person, or null. */
  viewer: publicProcedure.query(({ ctx }) => ctx.viewer()),
})

/** The public contract for developers: a typed client needs nothing else. */
export type AppRouter = typeof appRouter

/** Calls procedures in process, as the REST door and the page do. */
export const createCaller = createCallerFactory(appRouter)

export type Caller = ReturnType<typeof createCaller>
