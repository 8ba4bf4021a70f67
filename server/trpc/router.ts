import { adminRouter } from '../admin/admin-router.ts'
import { setupRouter } from '../admin/setup-router.ts'
import { accountRouter } from '../users/account-router.ts'
import { enginesRouter, imagesRouter } from '../images/images-router.ts'
import { hasScope } from '../access/authenticator.ts'
import type { UserServices } from '../access/user-access.ts'
import { countUnread } from '../notifications/list-notifications.ts'
import { notificationsRouter } from '../notifications/notifications-router.ts'
import { collectionsRouter } from '../collections/collections-router.ts'
import { moderationRouter } from '../moderation/moderation-router.ts'
import { postsRouter } from '../posts/posts-router.ts'
import { stylesRouter } from '../styles/styles-router.ts'
import { siteRouter } from '../site/site-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'

const { publicProcedure, router } = proceduresWith<UserServices>()

const viewer = publicProcedure.query(async ({ ctx }) => {
  const identity = await ctx.identity()
  if (!identity) return null
  const isReader = hasScope(identity, 'read')
  const unreadNotifications = isReader ? await countUnread(ctx.services, identity.viewer) : 0
  return { ...identity.viewer, unreadNotifications }
})

/** Named routers, so that emitted declarations refer to them instead of inlining their types. */
type Procedures = {
  posts: typeof postsRouter
  collections: typeof collectionsRouter
  engines: typeof enginesRouter
  images: typeof imagesRouter
  styles: typeof stylesRouter
  account: typeof accountRouter
  moderation: typeof moderationRouter
  notifications: typeof notificationsRouter
  admin: typeof adminRouter
  site: typeof siteRouter
  setup: typeof setupRouter
  /** The signed-in user, with the number of their unread notifications, or null. */
  viewer: typeof viewer
}

/** All procedures, for both transports. */
export const appRouter = router<Procedures>({
  posts: postsRouter,
  collections: collectionsRouter,
  engines: enginesRouter,
  images: imagesRouter,
  styles: stylesRouter,
  account: accountRouter,
  moderation: moderationRouter,
  notifications: notificationsRouter,
  admin: adminRouter,
  site: siteRouter,
  setup: setupRouter,
  viewer,
})

/** Type of the API, for clients. */
export type AppRouter = typeof appRouter
