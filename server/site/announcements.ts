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
import { recordAdminAction } from '../audit/admin-log.ts'
import { inTransaction } from '../db/transaction.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { proceduresWith } from '../procedures/procedures.ts'
import { byId, id as idSchema, notAnObject, text as textSchema } from '../procedures/inputs.ts'
import { lockAsAdministrator } from '../access/user-directory.ts'
import { storeSiteOption, type SiteOptionServices } from './site-options.ts'

type AnnouncementServices = Omit<SiteOptionServices, 'config'>

const { administratorProcedure, router } = proceduresWith<AnnouncementServices>()

/**
 * Adds an announcement, or replaces one.
 *
 * @param id announcement to replace; null for a new one
 * @throws AppError `not_found` if it was changed or removed meanwhile; `bad_input` for too many, or an end in the past
 */
function saveAnnouncement(
  services: AnnouncementServices,
  administrator: Viewer,
  id: string | null,
  content: Omit<Announcement, 'id'>,
): Promise<readonly Announcement[]> {
  if (content.endsAt !== null && Date.parse(content.endsAt) <= services.now()) {
    throw new AppError('bad_input', describedDetail('announcement_ended'))
  }
  return change(services, administrator, (announcements) => {
    if (id === null) {
      if (announcements.length >= announcementsMax) {
        throw new AppError('bad_input', describedDetail('announcements_max', { max: announcementsMax }))
      }
      const added = { ...content, id: randomUUID() }
      return { announcements: [added, ...announcements], action: 'announce', subject: added }
    }
    const before = find(announcements, id)
    const saysTheSame =
      before.text === content.text && before.link === content.link && before.level === content.level
    const changed = { ...content, id: saysTheSame ? id : randomUUID() }
    return {
      announcements: announcements.map((one) => (one === before ? changed : one)),
      action: 'change_announcement',
      subject: changed,
    }
  })
}

/** Removes an announcement. @throws AppError `not_found` */
function removeAnnouncement(
  services: AnnouncementServices,
  administrator: Viewer,
  id: string,
): Promise<readonly Announcement[]> {
  return change(services, administrator, (announcements) => {
    const removed = find(announcements, id)
    return {
      announcements: announcements.filter((one) => one !== removed),
      action: 'remove_announcement',
      subject: removed,
    }
  })
}

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
  const { db, now, readOptions } = services
  return inTransaction(db, async (transaction) => {
    await lockAsAdministrator(services, transaction, administrator)
    const { announcements, action, subject } = decide((await readOptions(transaction)).announcements)
    await storeSiteOption(transaction, 'announcements', announcements)
    const { text, endsAt } = subject
    await recordAdminAction(transaction, administrator, { action, details: { text, endsAt }, now: now() })
    return announcements
  })
}

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
    .mutation(({ ctx, input: { id: replaced, ...announcement } }) =>
      saveAnnouncement(ctx.services, ctx.viewer, replaced, announcement),
    ),

  /** Removes an announcement. Returns the others. */
  remove: administratorProcedure
    .input(byId)
    .mutation(({ ctx, input }) => removeAnnouncement(ctx.services, ctx.viewer, input.id)),
})
