import { ClerkProvider, useClerk } from '@clerk/clerk-react'
import type { Clerk, LoadedClerk, LocalizationResource } from '@clerk/clerk-react/types'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Viewer } from '../../../../shared/viewer.ts'
import './appearance.css'

/** Styles of Clerk's dialogs that the variables in appearance.css cannot express. */
const appearance = {
  elements: {
    cardBox: { border: 'var(--contrast-edge)' },
    formButtonPrimary: { background: 'var(--dialog-button)', color: 'var(--dialog-on-button)' },
  },
}

export type OnClerkChange = (state: ClerkState, clerk: LoadedClerk) => void

/** Everything that needs Clerk's code. Rendered next to the page instead of around it, and renders nothing itself. */
export function ClerkPart({ publishableKey, onChange }: { publishableKey: string; onChange: OnClerkChange }) {
  const [, navigate] = useLocation()
  const { i18n } = useLingui()
  const localization = useLocalization(i18n.locale)
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      appearance={appearance}
      {...(localization && { localization })}
      telemetry={false}
      routerPush={(to) => goTo(to, () => navigate(to))}
      routerReplace={(to) => goTo(to, () => navigate(to, { replace: true }))}
    >
      <Reporter onChange={onChange} />
    </ClerkProvider>
  )
}

/** When it is done, Clerk navigates to the page where it was opened. Does nothing if that is the current page. */
function goTo(to: string, navigate: () => void): void {
  if (new URL(to, window.location.href).href !== window.location.href) navigate()
}

function Reporter({ onChange }: { onChange: OnClerkChange }) {
  const clerk = useClerk()
  useEffect(() => {
    let wasReady = false
    function report() {
      wasReady ||= clerk.status === 'ready'
      activateLateSession(clerk)
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

/** Clerk ignores a session that its server reports only after Clerk has started without one. */
function activateLateSession({ status, user, client, setActive }: LoadedClerk): void {
  const late = status === 'degraded' && user === null && client?.signedInSessions[0]
  if (late) void setActive({ session: late })
}

/** Clerk's texts by the languages of the interface. Clerk itself is in English. */
const localizations: Readonly<Record<string, () => Promise<LocalizationResource>>> = {
  hi: () => import('@clerk/localizations/hi-IN').then(({ hiIN }) => hiIN),
  es: () => import('@clerk/localizations/es-ES').then(({ esES }) => esES),
  ar: () => import('@clerk/localizations/ar-SA').then(({ arSA }) => arSA),
}

/** Returns Clerk's texts in a language once they are loaded; undefined in English, and if they can't be loaded. */
function useLocalization(language: string): LocalizationResource | undefined {
  const [loaded, setLoaded] = useState<{ language: string; texts: LocalizationResource } | null>(null)
  useEffect(() => {
    let isCurrent = true
    localizations[language]?.().then(
      (texts) => isCurrent && setLoaded({ language, texts }),
      (error: unknown) => console.error('could not load the texts of Clerk', error),
    )
    return () => {
      isCurrent = false
    }
  }, [language])
  return loaded?.language === language ? loaded.texts : undefined
}

type ClerkUser = Pick<NonNullable<Clerk['user']>, 'id' | 'firstName' | 'fullName' | 'username' | 'imageUrl'>

/** Clerk's session state. The role is known to the server only. */
export type ClerkState =
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly viewer: Omit<Viewer, 'role'> }
  | { readonly status: 'unavailable' }

/** Reads Clerk's state. Null while Clerk is loading or switching users. */
function readClerk({ status, user }: Pick<Clerk, 'status' | 'user'>, wasReady: boolean): ClerkState | null {
  if (status === 'loading') return null
  // Clerk could not reach its server and relies on the last token, which holds only the id of the user.
  const isUnknown = status === 'degraded' && !wasReady && !user?.imageUrl
  if (status === 'error' || isUnknown) return { status: 'unavailable' }
  if (user === undefined) return null
  return user ? { status: 'signed-in', viewer: clerkViewer(user) } : { status: 'signed-out' }
}

/** Converts Clerk's user, with a default if Clerk knows no name. */
export function clerkViewer(user: ClerkUser): Omit<Viewer, 'role'> {
  const names = [user.firstName, user.fullName?.trim().split(/\s+/)[0], user.username]
  return {
    id: user.id,
    firstName: names.find((name) => name?.trim())?.trim() ?? 'User',
    imageUrl: user.imageUrl || null,
  }
}
