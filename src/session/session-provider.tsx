import type { ComponentType, ReactNode } from 'react'
import type { SiteSettings } from '../../shared/page-data.ts'
import { useSite } from '../api/site.tsx'
import { LocalSessionProvider } from './local/local-session-provider.tsx'

const implementations: Record<SiteSettings['auth'], ComponentType<{ children: ReactNode }>> = {
  local: LocalSessionProvider,
}

/** Provides the session by the service that the server is set up with. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const Implementation = implementations[useSite().auth]
  return <Implementation>{children}</Implementation>
}
