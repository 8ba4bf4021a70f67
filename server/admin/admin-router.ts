import { z } from 'zod'
import { auditKinds } from '../../shared/admin.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import { invitationsRouter } from '../invitations/invitations-router.ts'
import { announcementsRouter } from '../site/announcements.ts'
import { siteOptionsInput, updateSiteOptions, type SiteOptionServices } from '../site/site-options.ts'
import { siteWebhooksRouter } from '../webhooks/webhooks-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { notAnObject, page } from '../procedures/inputs.ts'
import { adminEnginesRouter } from './admin-engines.ts'
import { listAuditLog } from '../audit/admin-log.ts'
import { readOverview, readStatistics, type FigureServices } from './figures.ts'
import { usersRouter } from './users-router.ts'

const { administratorProcedure, router } = proceduresWith<FigureServices & SiteOptionServices>()

const auditLogInput = z
  .object(
    { kind: z.enum(auditKinds, `\`kind\` must be ${auditKinds.join(', ')}.`).optional(), ...page },
    notAnObject,
  )
  .prefault({})

export const adminRouter = router({
  engines: adminEnginesRouter,

  invitations: invitationsRouter,
  users: usersRouter,

  /** State of the site now. */
  overview: administratorProcedure.query(({ ctx }) => readOverview(ctx.services)),

  /** Figures of each of the last 30 days. */
  statistics: administratorProcedure.query(({ ctx }) => readStatistics(ctx.services)),

  /** Actions of administrators and moderators, newest first. */
  auditLog: administratorProcedure
    .input(auditLogInput)
    .query(({ ctx, input }) => listAuditLog(ctx.services, input)),

  announcements: announcementsRouter,
  webhooks: siteWebhooksRouter,

  options: router({
    /** The current options, and the names of those that environment variables fix. */
    get: administratorProcedure.query(async ({ ctx: { services } }) => ({
      options: await services.readOptions(services.db),
      fixed: Object.keys(services.config.fixedOptions) as (keyof SiteOptions)[],
    })),

    /** Changes options of the site. Rejects those that environment variables fix. */
    update: administratorProcedure
      .input(siteOptionsInput)
      .mutation(({ ctx, input }) => updateSiteOptions(ctx.services, ctx.viewer, input)),
  }),
})
