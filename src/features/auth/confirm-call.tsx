import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { completeDeletion } from '../../api/failure.ts'
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

/**
 * Asks for confirmation, then makes a call, and closes when it has succeeded. If the session has ended, it offers to sign in.
 *
 * @param props.describe returns the message of an error, in place of those for calls of an account
 * @param props.onSettled called also if no answer arrived, as the change may have been made nevertheless
 */
export function ConfirmCall(props: {
  title: ReactNode
  description: string
  confirm: string
  call: () => Promise<void>
  describe?: (error: unknown) => string
  onSettled?: () => Promise<void>
  focusAfter: () => HTMLElement | null
  onClosed: () => void
}) {
  const [open, setOpen] = useState(true)
  const { t, i18n } = useLingui()
  const close = () => setOpen(false)
  const signInInstead = useSignInInstead(close)
  const call = useMutation({
    mutationFn: props.call,
    onSuccess: close,
    onSettled: () => props.onSettled?.(),
  })
  const failure =
    call.error &&
    (props.describe
      ? { message: props.describe(call.error), needsSignIn: false }
      : describeCallFailure(call.error, i18n))
  return (
    <ConfirmDialog
      open={open}
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      cancel={t`Keep it`}
      isBusy={call.isPending}
      failure={failure && failure.message}
      failureAction={failure?.needsSignIn && signInInstead.button}
      focusAfter={props.focusAfter}
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
export function DeleteEntry(props: {
  id: string
  title: ReactNode
  description: string
  confirm: string
  outcome: string
  remove: () => Promise<unknown>
  onRemoved: () => Promise<void>
  onClosed: () => void
}) {
  const focusAfter = useRef<HTMLElement | null>(null)
  const toast = useToast()

  async function remove() {
    await completeDeletion(props.remove())
    focusAfter.current =
      findNeighborButton(props.id) ??
      document.getElementById(props.id)?.closest('section')?.querySelector<HTMLElement>('form input') ??
      null
    await props.onRemoved()
    toast(props.outcome)
  }

  return (
    <ConfirmCall
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      call={remove}
      focusAfter={() => focusAfter.current}
      onClosed={props.onClosed}
    />
  )
}
