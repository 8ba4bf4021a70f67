import { useAnnouncements } from './api/announcements.ts'
import { lazyPart } from './ui/loading.tsx'

/** Path of the module in the repository, which the server looks up in the build. */
export const announcementsSource = 'src/features/announcements/announcement-list.tsx'

/** Not in the entry, as most pages have no announcements. */
export const AnnouncementList = lazyPart(
  async () => (await import('./features/announcements/announcement-list.tsx')).AnnouncementList,
)

/** Announcements of administrators, above the header of every page. */
export function Announcements() {
  const announcements = useAnnouncements()
  return announcements.length > 0 && <AnnouncementList announcements={announcements} />
}
