import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { completeDeletion, describeFailure } from '../../api/failure.ts'
import { findNeighborButton } from '../../browser/apis.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { describeCallFailure } from './call-failure.tsx'
import { useSession } from './session.ts'

/**
 * A sign-in button for a confirmation dialog whose action requires signing in again.
 *
 * @param close closes the dialog
 * @returns the button, and a function to call after the dialog has closed and restored the focus
 */
export function useSignInInstead(close: () => void): { button: ReactNode; afterClosed: () => void } {
  const isRequested = useRef(false)
  const { openSignIn } = useSession()
  function signIn() {
    isRequested.current = true
    close()
  }
  return {
    button: (
      <Button onClick={signIn}>
        <Trans>Sign In</Trans>
      </Button>
    ),
    afterClosed() {
      if (isRequested.current) openSignIn()
    },
  }
}

/** Returns the element that gets the focus when a dialog has closed; null for the one that opened it. */
type FocusTarget = () => HTMLElement | null

/**
 * Asks for confirmation, then makes a call, and closes when it has succeeded. If it fails, the dialog stays open and says why.
 *
 * @param props.cancel `Keep it` by default
 * @param props.call resolves to nothing if the focus returns to what `focusAfter` returns, by default the element that opened
 *   the dialog
 * @param props.failed message of an error without a more specific one; without it, errors are described as those of calls of
 *   an account, with a button to sign in if the session has ended
 * @param props.signedOut message if the session has ended, with that button, in place of `failed`
 * @param props.outcome says what the call did
 * @param props.onSettled called also if no answer arrived, as the change may have been made nevertheless
 */
export function ConfirmCall(props: {
  title: ReactNode
  description: ReactNode
  confirm: string
  cancel?: string
  call: () => Promise<FocusTarget | void>
  failed?: string
  signedOut?: string
  outcome?: string
  focusAfter?: FocusTarget
  onSettled?: () => Promise<void>
  onClosed: () => void
}) {
  const [open, setOpen] = useState(true)
  const focusTarget = useRef<FocusTarget>(props.focusAfter ?? (() => null))
  const { t, i18n } = useLingui()
  const toast = useToast()
  const close = () => setOpen(false)
  const signInInstead = useSignInInstead(close)
  const call = useMutation({
    mutationFn: props.call,
    onSuccess(target) {
      if (target) focusTarget.current = target
      if (props.outcome !== undefined) toast(props.outcome)
      close()
    },
    onSettled: () => props.onSettled?.(),
  })
  const { signedOut, failed } = props
  const failure =
    signedOut !== undefined && describeFailure(call.error).reason === 'not_signed_in'
      ? { message: signedOut, needsSignIn: true }
      : call.error && describeCallFailure(call.error, i18n, failed)
  return (
    <ConfirmDialog
      open={open}
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      cancel={props.cancel ?? t`Keep it`}
      isBusy={call.isPending}
      failure={failure && failure.message}
      failureAction={failure?.needsSignIn && signInInstead.button}
      focusAfter={() => focusTarget.current()}
      onConfirm={() => call.mutate()}
      onCancel={close}
      onClosed={() => {
        props.onClosed()
        signInInstead.afterClosed()
      }}
    />
  )
}

/**
 * Asks for confirmation, then deletes an entry. Focus moves to a button of its neighbor, or to the form of the section if it
 * was the last.
 *
 * @param props.id id of the entry's element
 * @param props.remove deletes it on the server
 * @param props.onRemoved called when it is deleted, also if it was before
 */
export function DeleteEntry({
  id,
  remove,
  onRemoved,
  ...texts
}: {
  id: string
  title: ReactNode
  description: string
  confirm: string
  outcome: string
  remove: () => Promise<unknown>
  onRemoved: () => Promise<unknown>
  onClosed: () => void
}) {
  async function call() {
    await completeDeletion(remove())
    const section = document.getElementById(id)?.closest('section')
    const next = findNeighborButton(id) ?? section?.querySelector<HTMLElement>('form input') ?? null
    await onRemoved()
    return () => next
  }
  return <ConfirmCall {...texts} call={call} />
}
