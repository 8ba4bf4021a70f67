import type { ComponentType } from 'react'
import type { Announcement } from '../shared/announcements.ts'
import { useAnnouncements } from './api/announcements.ts'
import { lazyPart } from './ui/loading.tsx'

type List = ComponentType<{ announcements: readonly Announcement[] }>

/** Path of the module in the repository, which the server looks up in the build. */
export const announcementsSource = 'src/features/announcements/announcement-list.tsx'

let Loaded: List | null = null

/** Loads the module, so that the list renders synchronously, as hydration requires. */
export async function loadAnnouncements(): Promise<List> {
  const { AnnouncementList } = await import('./features/announcements/announcement-list.tsx')
  return (Loaded = AnnouncementList)
}

const Later = lazyPart(loadAnnouncements)

/** Announcements of administrators, above the header of every page. Not in the entry, as most pages have none. */
export function Announcements() {
  const announcements = useAnnouncements()
  if (announcements.length === 0) return null
  if (Loaded) return <Loaded announcements={announcements} />
  return <Later announcements={announcements} />
}
