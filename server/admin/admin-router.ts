import { z } from 'zod'
import { auditKinds } from '../../shared/admin.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import { invitationsRouter } from '../invitations/invitations-router.ts'
import { announcementsRouter } from '../site/announcements.ts'
import { siteOptionsInput, updateSiteOptions, type SiteOptionServices } from '../site/site-options.ts'
import { siteWebhooksRouter } from '../webhooks/webhooks-router.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { page } from '../procedures/inputs.ts'
import { adminEnginesRouter } from './admin-engines.ts'
import { utcDay } from '../images/quota.ts'
import { listSpending } from '../images/read-quota.ts'
import { listAuditLog } from '../audit/admin-log.ts'
import { readOverview, readStatistics, type StatisticsServices } from './statistics.ts'
import { usersRouter } from './users-router.ts'

const { administratorProcedure, router } = proceduresWith<StatisticsServices & SiteOptionServices>()

const auditLogInput = z
  .object({ kind: z.enum(auditKinds, `\`kind\` must be ${auditKinds.join(', ')}.`).optional(), ...page })
  .prefault({})

const spendingInput = z
  .object({
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '`month` must be one such as 2026-11.')
      .optional(),
  })
  .prefault({})

export const adminRouter = router({
  engines: adminEnginesRouter,

  invitations: invitationsRouter,
  users: usersRouter,

  /** State of the site now. */
  overview: administratorProcedure.query(({ ctx }) => readOverview(ctx.services)),

  /** Figures of each of the last 30 days. */
  statistics: administratorProcedure.query(({ ctx }) => readStatistics(ctx.services)),

  /** What images of a month have cost, by day, engine and user. */
  spending: administratorProcedure
    .input(spendingInput)
    .query(async ({ ctx: { services }, input: { month = utcDay(services.now()).slice(0, 7) } }) => ({
      month,
      spending: await listSpending(services.db, month),
    })),

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
