import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { SiteSettings } from '../../shared/page-data.ts'

const SiteContext = createContext<SiteSettings | null>(null)

/** Provides the site's public settings. */
export function SiteProvider({ site, children }: { site: SiteSettings; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>
}

/** Returns the site's public settings. */
export function useSite(): SiteSettings {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite must be used within a SiteProvider')
  return site
}
