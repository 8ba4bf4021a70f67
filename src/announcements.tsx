import { skipToken, useQuery } from '@tanstack/react-query'
import type { Announcement } from '../shared/announcements.ts'
import { pageKeys } from './api/page-data.ts'
import { lazyPart } from './ui/loading.tsx'

/** Path of the module in the repository, which the server looks up in the build. */
export const announcementsSource = 'src/features/announcements/announcement-list.tsx'

/** Not in the entry, as most pages have no announcements. */
export const AnnouncementList = lazyPart(
  async () => (await import('./features/announcements/announcement-list.tsx')).AnnouncementList,
)

/**
 * Announcements of administrators, above the header of every page: those of the document, until an administrator changes them
 * on this page.
 */
export function Announcements() {
  const { data: announcements = [] } = useQuery<readonly Announcement[]>({
    queryKey: pageKeys.announcements,
    queryFn: skipToken,
    staleTime: Infinity,
  })
  return announcements.length > 0 && <AnnouncementList announcements={announcements} />
}
