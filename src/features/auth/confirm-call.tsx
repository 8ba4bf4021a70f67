import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { describeCallFailure } from './call-failure.ts'
import { useSignInInstead } from './signed-in-only.tsx'

/**
 * Asks for confirmation, then makes a call, and closes when it has succeeded. If the session has ended, it offers to sign in.
 *
 * @param props.onSettled called also if no answer arrived, as the change may have been made nevertheless
 */
export function ConfirmCall(props: {
  title: ReactNode
  description: string
  confirm: string
  call: () => Promise<void>
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
  const failure = call.error && describeCallFailure(call.error, i18n)
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
