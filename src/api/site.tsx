import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { SiteSettings } from '../../shared/page-data.ts'

const SiteContext = createContext<SiteSettings | null>(null)

/** Hands the server's settings to every component below. */
export function SiteProvider({ site, children }: { site: SiteSettings; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>
}

/** The server's settings, as far as a browser may know them. */
export function useSite(): SiteSettings {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}
