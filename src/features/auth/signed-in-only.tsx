import type { ReactNode } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { useSession } from './session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from '../../ui/page.module.css'

/** The part of a page that is for signed-in users; everyone else reads why, and how to get there. */
export function SignedInOnly(props: {
  /** Why one has to be signed in. */
  why: string
  /** What can't be done while nobody can be signed in, as the end of a sentence. */
  otherwise: string
  /** As large as what is shown to those who are signed in. */
  placeholder: ReactNode
  children: (viewer: Viewer) => ReactNode
}) {
  const session = useSession()
  switch (session.status) {
    case 'loading':
      return props.placeholder
    case 'signed-in':
      return props.children(session.viewer)
    case 'signed-out':
      return (
        <div className={styles['panel']}>
          <p>{props.why}</p>
          <Button variant="primary" onClick={session.openSignIn}>
            Sign In
          </Button>
        </div>
      )
    case 'error':
      return (
        <Notice action={<Button onClick={session.retry}>Try again</Button>}>
          {`Sign-in is unavailable, so ${props.otherwise}`}
        </Notice>
      )
  }
}
