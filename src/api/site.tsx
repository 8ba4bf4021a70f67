import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { PageData, Rules, SiteSettings } from '../../shared/page-data.ts'

const SiteContext = createContext<SiteSettings | null>(null)
const RulesContext = createContext<Rules | null>(null)

/** Provides the site's public settings, and its rules on their page. */
export function SiteProvider({ data, children }: { data: PageData; children: ReactNode }) {
  return (
    <SiteContext value={data.site}>
      <RulesContext value={data.rules}>{children}</RulesContext>
    </SiteContext>
  )
}

/** Returns the rules; null if the document is not their page. */
export function useRules(): Rules | null {
  return useContext(RulesContext)
}

/** Returns the site's public settings. */
export function useSite(): SiteSettings {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite must be used within a SiteProvider')
  return site
}
