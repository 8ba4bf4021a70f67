import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSession } from './session.ts'

/**
 * An error message, with a sign-in button if that resolves it.
 *
 * @param props.onSignIn called before the sign-in dialog opens, to clear the error
 */
export function FailureNotice(props: {
  failure: { readonly message: string; readonly needsSignIn: boolean } | null
  onSignIn: () => void
}) {
  const { openSignIn } = useSession()
  const { failure, onSignIn } = props
  const signIn = (
    <Button
      onClick={() => {
        onSignIn()
        openSignIn()
      }}
    >
      <Trans>Sign In</Trans>
    </Button>
  )
  return <Notice action={failure?.needsSignIn && signIn}>{failure?.message}</Notice>
}
