import { skipToken, useQuery, type QueryClient } from '@tanstack/react-query'
import type { Announcement } from '../../shared/announcements.ts'

const announcementsKey = ['announcements'] as const

/** Caches the announcements that the page shows. */
export function cacheAnnouncements(queryClient: QueryClient, announcements: readonly Announcement[]): void {
  queryClient.setQueryData<readonly Announcement[]>(announcementsKey, announcements)
}

/** The announcements that the page shows: those of the document, until an administrator changes them on this page. */
export function useAnnouncements(): readonly Announcement[] {
  const { data = [] } = useQuery<readonly Announcement[]>({
    queryKey: announcementsKey,
    queryFn: skipToken,
    staleTime: Infinity,
  })
  return data
}
