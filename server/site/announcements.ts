import { randomUUID } from 'node:crypto'
import { announcementsMax, type Announcement } from '../../shared/announcements.ts'
import type { AdminAction } from '../../shared/admin.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { recordAdminAction } from '../admin/admin-log.ts'
import { inTransaction, lockSiteOptions } from '../db/transaction.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { ReadSiteOptions } from './site-options.ts'

interface AnnouncementServices {
  readonly db: Database
  readonly now: () => number
  readonly readOptions: ReadSiteOptions
}

/** Content of an announcement. */
export type AnnouncementContent = Omit<Announcement, 'id'>

/**
 * Adds an announcement, or replaces one.
 *
 * @param id announcement to replace; null for a new one
 * @throws AppError `not_found` if it was changed or removed meanwhile; `bad_input` for too many, or an end in the past
 */
export function saveAnnouncement(
  services: AnnouncementServices,
  administrator: Viewer,
  id: string | null,
  content: AnnouncementContent,
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
export function removeAnnouncement(
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
  { db, now, readOptions }: AnnouncementServices,
  administrator: Viewer,
  decide: (announcements: readonly Announcement[]) => Change,
): Promise<readonly Announcement[]> {
  return inTransaction(db, async (transaction) => {
    await lockSiteOptions(transaction)
    const { announcements, action, subject } = decide((await readOptions(transaction)).announcements)
    const value = JSON.stringify(announcements)
    await transaction
      .insertInto('site_options')
      .values({ name: 'announcements', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    const { text, endsAt } = subject
    await recordAdminAction(transaction, administrator, { action, details: { text, endsAt }, now: now() })
    return announcements
  })
}
