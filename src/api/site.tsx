import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { InvitationFacts } from '../../shared/invitations.ts'
import type { PageData, Rules, SiteSettings } from '../../shared/page-data.ts'

const SiteContext = createContext<SiteSettings | null>(null)
const InvitationContext = createContext<InvitationFacts | null>(null)
const RulesContext = createContext<Rules | null>(null)

/** Provides the site's public settings, and its rules or an invitation on their pages. */
export function SiteProvider({ data, children }: { data: PageData; children: ReactNode }) {
  return (
    <SiteContext value={data.site}>
      <InvitationContext value={data.invitation}>
        <RulesContext value={data.rules}>{children}</RulesContext>
      </InvitationContext>
    </SiteContext>
  )
}

/** Returns the rules; null if the document is not their page. */
export function useRules(): Rules | null {
  return useContext(RulesContext)
}

/** Returns what the server knows about the invitation of the page; null if the document is not its page. */
export function useInvitation(): InvitationFacts | null {
  return useContext(InvitationContext)
}

/** Returns the site's public settings. */
export function useSite(): SiteSettings {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite must be used within a SiteProvider')
  return site
}
