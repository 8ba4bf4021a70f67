import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { use, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { notifiedUserKey, readStored } from '../../browser/apis.ts'
import { collectionPath, pagePaths } from '../../../shared/routes.ts'
import { usePageData } from '../../api/site.tsx'
import { CreationActivityContext } from '../../browser/creation-activity.ts'
import { LanguagePicker } from '../../i18n/language-picker.tsx'
import { ThemePicker } from '../../theme/theme.tsx'
import { Mark } from '../../ui/brand.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSession, type Session } from '../auth/session.ts'
import styles from './header.module.css'

export function Header() {
  const { site, theme } = usePageData()
  const { t } = useLingui()
  return (
    <HeaderFrame
      logo={
        <Link href={pagePaths.gallery} className={logoClass}>
          <LogoContent siteName={site.name} logo={site.logo} />
        </Link>
      }
    >
      <Link href={pagePaths.collections} className={`hoverable ${styles['page']}`}>{t`Collections`}</Link>
      {theme && (
        <Link href={collectionPath(theme.id)} className={`hoverable ${styles['page']} ${styles['theme']}`}>
          <UserText text={theme.title} className="ellipsis" />
        </Link>
      )}
      {/* Its width depends on the session. It grows into free space, without a layout shift. */}
      <Account />
      <LanguagePicker />
      <ThemePicker />
    </HeaderFrame>
  )
}

/** Class name of the link to the gallery. */
export const logoClass = styles['logo'] ?? ''

export function LogoContent({ siteName, logo }: { siteName: string; logo?: string | null }) {
  return (
    <>
      {logo ? <img src={logo} alt="" width={32} height={32} /> : <Mark size={32} />}
      <span>{siteName}</span>
    </>
  )
}

/** A header with its drawn border. */
export function HeaderFrame({ logo, children }: { logo: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles['header']}>
      <div className={`beside ${styles['inner']}`}>
        <div className={styles['home']}>{logo}</div>
        <div className={`row centered ${styles['controls']}`}>{children}</div>
      </div>
      <div className="kolamLine" />
    </header>
  )
}

const ProfileMenu = lazyPart(
  async () => (await import('./profile-menu.tsx')).ProfileMenu,
  <Skeleton shape="pill" />,
)

const Bell = lazyPart(async () => (await import('./bell.tsx')).Bell, <span className={styles['bell']} />)

const signInButtonId = 'sign-in'

function Account() {
  const session = useSession()
  const { t } = useLingui()
  useKeepFocus(session.status)
  useFormerUserForgotten(session)
  switch (session.status) {
    case 'error':
      return <p className={styles['unavailable']}>{t`Sign-in is unavailable`}</p>
    case 'loading':
    case 'signed-out':
      // Before hydration a visitor is known by an attribute of the document, which shows the button under the skeleton.
      return (
        <span className={`layers ${styles['signIn']}`}>
          <Button id={signInButtonId} variant="quiet" onClick={session.openSignIn}>{t`Sign In`}</Button>
          {session.status === 'loading' && <Skeleton shape="pill" />}
        </span>
      )
    case 'signed-in':
      return (
        <>
          <CreateLink />
          <Bell />
          <ProfileMenu viewer={session.viewer} />
        </>
      )
  }
}

/** Link to the form, with a mark while an image is generated, and once it is ready. */
function CreateLink() {
  const { t } = useLingui()
  const { activity, title } = useCreationActivity()
  const isCurrent = useLocation()[0] === pagePaths.create
  return (
    <Link
      href={pagePaths.create}
      className={`${buttonClass('plain')} ${styles['create']}`}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
    >
      {t`Create`}
      {activity !== 'none' && !isCurrent && <span className={styles[activity]} />}
    </Link>
  )
}

/** Returns the state of the latest generation, with a description of it. */
export function useCreationActivity() {
  const { i18n } = useLingui()
  const activity = use(CreationActivityContext)
  const title = activityTitles[activity]
  return { activity, title: title && i18n._(title) }
}

const activityTitles = {
  none: undefined,
  running: msg`Your image is being generated`,
  ready: msg`Your image is ready`,
}

/** Moves focus to Sign In after signing out removed the focused menu. */
function useKeepFocus(status: Session['status']): void {
  const previous = useRef(status)
  useLayoutEffect(() => {
    const hasSignedOut = previous.current === 'signed-in' && status === 'signed-out'
    previous.current = status
    if (hasSignedOut && document.activeElement === document.body) {
      document.getElementById(signInButtonId)?.focus()
    }
  }, [status])
}

/** Ends notifications on a device whose notified user is signed out, or not the one who is signed in. */
function useFormerUserForgotten({ status, viewer }: Session): void {
  const viewerId = viewer?.id
  useEffect(() => {
    const userId = readStored('localStorage', notifiedUserKey)
    if (userId === null || userId === viewerId || status === 'loading' || status === 'error') return
    import('../../browser/device-notifications.ts')
      .then(({ forgetDevice }) => forgetDevice(null))
      .catch((error: unknown) => console.warn('This device is still subscribed to pushes.', error))
  }, [status, viewerId])
}
