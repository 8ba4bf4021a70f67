import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { FormError } from '../../ui/form.tsx'
import { useSession } from './session.ts'

/** An error of an account call: a message for the user, and the field that it concerns. */
export interface AccountFailure extends FormError {
  readonly field: 'name' | 'email' | 'currentPassword' | 'password' | null
  /** The session has ended. */
  readonly needsSignIn: boolean
  /** Code of the server, if it sent one. */
  readonly code?: string | undefined
}

/** Describes a call without a response. */
export function unreachable(i18n: I18n): AccountFailure {
  const message = i18n._(msg`The server could not be reached. Check your connection and try again.`)
  return { field: null, message, needsSignIn: false }
}

/** Describes the error of a call about something that the user has named; input errors belong to the name. */
export function describeCallFailure(error: unknown, i18n: I18n): AccountFailure {
  const { kind, reason } = describeFailure(error)
  if (kind === 'unreachable') return unreachable(i18n)
  if (reason === 'not_signed_in') {
    return {
      field: null,
      message: i18n._(msg`You are signed out. Sign in again to continue.`),
      needsSignIn: true,
    }
  }
  return {
    field: reason === 'bad_input' ? 'name' : null,
    message: failureMessage(error, i18n) ?? i18n._(msg`Something went wrong on the server. Try again.`),
    needsSignIn: false,
  }
}

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
