import { z } from 'zod'
import {
  announcementLevels,
  announcementLimit,
  isAnnouncementLink,
  type Announcement,
} from '../../shared/announcements.ts'
import { describedDetail } from '../errors/app-error.ts'
import { administratorProcedure, router } from '../trpc/init.ts'
import { byId, id, notAnObject, text } from '../trpc/inputs.ts'
import { removeAnnouncement, saveAnnouncement } from './announcements.ts'

const textMissing = 'Please write what to announce.'
const { message: linkMessage, detail: linkDetail } = describedDetail('announcement_link')

const content = {
  text: text(textMissing, 'announcement', announcementLimit).refine((value) => value !== '', textMissing),
  level: z.enum(announcementLevels, `\`level\` must be ${announcementLevels.join(' or ')}.`),
  link: z
    .string('`link` must be a string or null.')
    .refine(isAnnouncementLink, { error: linkMessage, params: { detail: linkDetail } })
    .nullable(),
  endsAt: z.iso.datetime('`endsAt` must be a date and time in ISO 8601 in UTC, or null.').nullable(),
}

const saveInput = z.object({ id: id.nullable(), ...content }, notAnObject)

/** Announcements on every page, which administrators write. */
export const announcementsRouter = router({
  /** All announcements, ended ones included. */
  list: administratorProcedure.query(async ({ ctx: { services } }): Promise<readonly Announcement[]> => {
    const { announcements } = await services.readOptions(services.db)
    return announcements
  }),

  /** Adds an announcement, or replaces the one with the id. Returns all. */
  save: administratorProcedure
    .input(saveInput)
    .mutation(({ ctx, input: { id: replaced, ...announcement } }) =>
      saveAnnouncement(ctx.services, ctx.viewer, replaced, announcement),
    ),

  /** Removes an announcement. Returns the others. */
  remove: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => removeAnnouncement(ctx.services, ctx.viewer, input.id)),
})
