import { useSession } from '../auth/session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Why something could not be done, with the way on where that is signing in again. */
export function FailureNotice(props: {
  failure: { readonly message: string; readonly needsSignIn: boolean } | null
  /** Called before the dialog opens: what it answers need not stand here any longer. */
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
      Sign In
    </Button>
  )
  return <Notice action={failure?.needsSignIn && signIn}>{failure?.message}</Notice>
}
