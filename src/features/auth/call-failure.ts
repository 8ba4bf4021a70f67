import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { unreachable, type AccountFailure } from './local/account-failure.ts'

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
