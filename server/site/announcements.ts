import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  announcementsMax,
  announcementLevels,
  announcementLimit,
  isAnnouncementLink,
  type Announcement,
} from '../../shared/announcements.ts'
import type { AdminAction } from '../../shared/admin.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, id as idSchema, text as textSchema } from '../procedures/inputs.ts'
import { storeSiteOption, type SiteOptionServices } from './site-options.ts'

type AnnouncementServices = Omit<SiteOptionServices, 'config'>

const { administratorProcedure, router } = proceduresWith<AnnouncementServices>()

const textMissing = 'Please write what to announce.'
const { message: linkMessage, detail: linkDetail } = describedDetail('announcement_link')

const saveInput = z.object({
  id: idSchema.nullable(),
  text: textSchema('announcement', announcementLimit, textMissing).refine(
    (value) => value !== '',
    textMissing,
  ),
  level: z.enum(announcementLevels, `\`level\` must be ${announcementLevels.join(' or ')}.`),
  link: z
    .string('`link` must be a string or null.')
    .refine(isAnnouncementLink, { error: linkMessage, params: { detail: linkDetail } })
    .nullable(),
  endsAt: z.iso.datetime('`endsAt` must be a date and time in ISO 8601 in UTC, or null.').nullable(),
})

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
    .mutation(({ ctx: { services, viewer }, input: { id, ...announcement } }) => {
      if (announcement.endsAt !== null && Date.parse(announcement.endsAt) <= services.now()) {
        throw new AppError('bad_input', describedDetail('announcement_ended'))
      }
      const action = id === null ? 'announce' : 'change_announcement'
      return change(services, viewer, action, (announcements) => {
        if (id === null) {
          if (announcements.length >= announcementsMax) {
            throw new AppError('bad_input', describedDetail('announcements_max', { max: announcementsMax }))
          }
          const added = { ...announcement, id: randomUUID() }
          return [added, [added, ...announcements]]
        }
        const before = find(announcements, id)
        const saysTheSame = (['text', 'link', 'level'] as const).every(
          (key) => before[key] === announcement[key],
        )
        const changed = { ...announcement, id: saysTheSame ? id : randomUUID() }
        return [changed, announcements.map((one) => (one === before ? changed : one))]
      })
    }),

  /** Removes an announcement. Returns the others. */
  remove: administratorProcedure.input(byId).mutation(({ ctx, input }) =>
    change(ctx.services, ctx.viewer, 'remove_announcement', (announcements) => {
      const removed = find(announcements, input.id)
      return [removed, announcements.filter((one) => one !== removed)]
    }),
  ),
})

/** @throws AppError `not_found` if it was changed or removed meanwhile */
function find(announcements: readonly Announcement[], id: string): Announcement {
  const found = announcements.find((one) => one.id === id)
  if (!found) throw new AppError('not_found', describedDetail('announcement_changed'))
  return found
}

function change(
  services: AnnouncementServices,
  administrator: Viewer,
  action: Extract<AdminAction, 'announce' | 'change_announcement' | 'remove_announcement'>,
  decide: (known: readonly Announcement[]) => [subject: Announcement, all: readonly Announcement[]],
): Promise<readonly Announcement[]> {
  return asAdministrator(services, administrator, async (transaction, record) => {
    const [{ text, endsAt }, all] = decide((await services.readOptions(transaction)).announcements)
    await storeSiteOption(transaction, 'announcements', all)
    await record({ action, details: { text, endsAt } })
    return all
  })
}
