import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/page.tsx'
import { SignInButton } from './call-failure.tsx'
import { useSession } from './session.ts'

/** Content for signed-in users. Visitors see the reason and a button to sign in. */
export function SignedInOnly(props: {
  why?: string
  /** Adds to the reason and the button. */
  renderForVisitors?: (signIn: ReactNode) => ReactNode
  /** Says that sign-in is unavailable, and what follows from that. */
  unavailable: string
  placeholder?: ReactNode
  children: (viewer: Viewer) => ReactNode
}) {
  const { t } = useLingui()
  const session = useSession()
  switch (session.status) {
    case 'loading':
      return (
        <>
          <noscript>
            <p>
              {props.why && `${props.why} `}
              {t`Signing in needs JavaScript, which is off in this browser.`}
            </p>
          </noscript>
          {props.placeholder ?? <Skeleton shape="area" />}
        </>
      )
    case 'signed-in':
      return props.children(session.viewer)
    case 'signed-out': {
      const signIn = (
        <Panel>
          <p>{props.why}</p>
          <SignInButton
            variant={props.renderForVisitors ? 'plain' : 'primary'}
            onClick={session.openSignIn}
          />
        </Panel>
      )
      return props.renderForVisitors ? props.renderForVisitors(signIn) : signIn
    }
    case 'error':
      return <Notice action={<RetryButton onClick={session.retry} />}>{props.unavailable}</Notice>
  }
}
