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
import { byId, id as idSchema, notAnObject, text as textSchema } from '../procedures/inputs.ts'
import { storeSiteOption, type SiteOptionServices } from './site-options.ts'

type AnnouncementServices = Omit<SiteOptionServices, 'config'>

const { administratorProcedure, router } = proceduresWith<AnnouncementServices>()

const textMissing = 'Please write what to announce.'
const { message: linkMessage, detail: linkDetail } = describedDetail('announcement_link')

const content = {
  text: textSchema(textMissing, 'announcement', announcementLimit).refine(
    (value) => value !== '',
    textMissing,
  ),
  level: z.enum(announcementLevels, `\`level\` must be ${announcementLevels.join(' or ')}.`),
  link: z
    .string('`link` must be a string or null.')
    .refine(isAnnouncementLink, { error: linkMessage, params: { detail: linkDetail } })
    .nullable(),
  endsAt: z.iso.datetime('`endsAt` must be a date and time in ISO 8601 in UTC, or null.').nullable(),
}

const saveInput = z.object({ id: idSchema.nullable(), ...content }, notAnObject)

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
      return change(services, viewer, (announcements) => {
        if (id === null) {
          if (announcements.length >= announcementsMax) {
            throw new AppError('bad_input', describedDetail('announcements_max', { max: announcementsMax }))
          }
          const added = { ...announcement, id: randomUUID() }
          return { announcements: [added, ...announcements], action: 'announce', subject: added }
        }
        const before = find(announcements, id)
        const saysTheSame = (['text', 'link', 'level'] as const).every(
          (key) => before[key] === announcement[key],
        )
        const subject = { ...announcement, id: saysTheSame ? id : randomUUID() }
        const others = announcements.map((one) => (one === before ? subject : one))
        return { announcements: others, action: 'change_announcement', subject }
      })
    }),

  /** Removes an announcement. Returns the others. */
  remove: administratorProcedure.input(byId).mutation(({ ctx, input }) =>
    change(ctx.services, ctx.viewer, (announcements) => {
      const subject = find(announcements, input.id)
      const others = announcements.filter((one) => one !== subject)
      return { announcements: others, action: 'remove_announcement', subject }
    }),
  ),
})

/** @throws AppError `not_found` if it was changed or removed meanwhile */
function find(announcements: readonly Announcement[], id: string): Announcement {
  const found = announcements.find((one) => one.id === id)
  if (!found) throw new AppError('not_found', describedDetail('announcement_changed'))
  return found
}

interface Change {
  readonly announcements: readonly Announcement[]
  readonly action: Extract<AdminAction, 'announce' | 'change_announcement' | 'remove_announcement'>
  readonly subject: Announcement
}

function change(
  services: AnnouncementServices,
  administrator: Viewer,
  decide: (announcements: readonly Announcement[]) => Change,
): Promise<readonly Announcement[]> {
  return asAdministrator(services, administrator, async (transaction, record) => {
    const { announcements, action, subject } = decide((await services.readOptions(transaction)).announcements)
    await storeSiteOption(transaction, 'announcements', announcements)
    await record({ action, details: { text: subject.text, endsAt: subject.endsAt } })
    return announcements
  })
}
