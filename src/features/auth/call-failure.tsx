import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
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

/**
 * Describes the error of a call about something that the user has named; input errors belong to the name.
 *
 * @param failed message of an error without a more specific one, in place of those of calls of an account
 */
export function describeCallFailure(error: unknown, i18n: I18n, failed?: string): AccountFailure {
  if (failed !== undefined) {
    return { field: null, message: failureMessage(error, i18n) ?? failed, needsSignIn: false }
  }
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
 * @param props.action another action that may resolve it
 */
export function FailureNotice(props: {
  failure: { readonly message: string; readonly needsSignIn: boolean } | null
  onSignIn: () => void
  action?: ReactNode
}) {
  const { openSignIn } = useSession()
  const { failure, onSignIn, action } = props
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
  return <Notice action={failure?.needsSignIn ? signIn : action}>{failure?.message}</Notice>
}

/**
 * The state of a query whose data is shown: a placeholder while it loads, or why it failed, with a button that tries again, or
 * signs in if the session has ended.
 *
 * @param props.failed message of an error without a more specific one, in place of those of calls of an account
 */
export function QueryState(props: {
  query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
  failed?: string
  placeholder?: ReactNode
}) {
  const { data, error, refetch } = props.query
  const { placeholder = <Skeleton shape="area" /> } = props
  const { i18n } = useLingui()
  if (data === undefined && !error) return placeholder
  return (
    <FailureNotice
      failure={error ? describeCallFailure(error, i18n, props.failed) : null}
      onSignIn={() => {}}
      action={<RetryButton onClick={() => void refetch()} />}
    />
  )
}
