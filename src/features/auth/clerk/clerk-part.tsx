import './appearance.css'
import { ClerkProvider, useClerk } from '@clerk/clerk-react'
import type { LoadedClerk } from '@clerk/clerk-react/types'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { appearance } from './appearance.ts'
import { readClerk } from './read-clerk.ts'
import type { ClerkState } from './read-clerk.ts'

/** Told of each change; `clerk` is there to be acted on. */
export type OnClerkChange = (state: ClerkState, clerk: LoadedClerk) => void

/** Everything that needs Clerk's code. It stands beside the page, not around it, and shows nothing. */
export function ClerkPart({ publishableKey, onChange }: { publishableKey: string; onChange: OnClerkChange }) {
  const [, navigate] = useLocation()
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      appearance={appearance}
      telemetry={false}
      routerPush={(to) => goTo(to, () => navigate(to))}
      routerReplace={(to) => goTo(to, () => navigate(to, { replace: true }))}
    >
      <Reporter onChange={onChange} />
    </ClerkProvider>
  )
}

/** Clerk goes to the page where it was opened when it is done; whoever is there already stays where they are. */
function goTo(to: string, navigate: () => void): void {
  if (new URL(to, window.location.href).href !== window.location.href) navigate()
}

function Reporter({ onChange }: { onChange: OnClerkChange }) {
  const clerk = useClerk()
  useEffect(() => {
    let wasReady = false
    function report() {
      wasReady ||= clerk.status === 'ready'
      takeUpLateSession(clerk)
      const state = readClerk(clerk, wasReady)
      if (state) onChange(state, clerk)
    }
    clerk.on('status', report, { notify: true })
    const stopListening = clerk.addListener(report)
    return () => {
      clerk.off('status', report)
      stopListening()
    }
  }, [clerk, onChange])
  return null
}

/** A session that Clerk's server told of only after Clerk had begun without it is left alone, unless it is asked for. */
function takeUpLateSession({ status, user, client, setActive }: LoadedClerk): void {
  const late = status === 'degraded' && user === null && client?.signedInSessions[0]
  if (late) void setActive({ session: late })
}
