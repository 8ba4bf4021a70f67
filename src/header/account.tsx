import { Link } from 'wouter'
import { useSession } from '../session/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ProfileMenu } from './profile-menu.tsx'

/** The header's end: what a person may do, signed in or not. */
export function Account() {
  const session = useSession()
  if (session.status === 'loading') return <Skeleton shape="pill" />
  if (session.status !== 'signed-in') {
    return (
      <Button variant="primary" onClick={session.openSignIn}>
        Sign In
      </Button>
    )
  }
  return (
    <>
      <Link href="/create-post" className={buttonClass('primary')}>
        Create
      </Link>
      <ProfileMenu viewer={session.viewer} />
    </>
  )
}
