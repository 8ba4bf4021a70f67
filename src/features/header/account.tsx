import { useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useSession } from '../auth/session.ts'
import type { Session } from '../auth/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import styles from './account.module.css'
import { ProfileMenu } from './profile-menu.tsx'

const signInButtonId = 'sign-in'

/** The account controls of the header. */
export function Account() {
  const session = useSession()
  useKeepFocus(session.status)
  switch (session.status) {
    case 'loading':
      return <Skeleton shape="pill" />
    case 'error':
      return <p className={styles['unavailable']}>Sign-in is unavailable</p>
    case 'signed-out':
      return (
        <Button id={signInButtonId} variant="primary" onClick={session.openSignIn}>
          Sign In
        </Button>
      )
    case 'signed-in':
      return (
        <>
          <Link href={pagePaths.create} className={buttonClass('primary')}>
            Create
          </Link>
          <ProfileMenu viewer={session.viewer} />
        </>
      )
  }
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
