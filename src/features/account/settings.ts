import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Mutation } from '@tanstack/react-query'
import type { AccountSettings } from '../../../shared/account.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'

const scope = { id: 'account-settings' }

/**
 * Returns the options of the mutation that changes settings. Changes are sent one after the other, so that the last one wins.
 *
 * @param onSettled called after the last one, when the settings of the server are shown again
 */
export function useSettingsMutation(onSettled: () => void) {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  return {
    scope,
    onSuccess: (saved: AccountSettings) => api.account.settings.setData(undefined, saved),
    onSettled() {
      const isOfSettings = (mutation: Mutation) => mutation.options.scope?.id === scope.id
      // The settled one is still counted.
      if (queryClient.isMutating({ predicate: isOfSettings }) <= 1) onSettled()
    },
  }
}

/** Describes why settings could not be saved. */
export function describeUpdateFailure(error: unknown, i18n: I18n) {
  return {
    message:
      failureMessage(error, i18n) ?? i18n._(msg`The setting could not be saved. Try again in a moment.`),
    needsSignIn: describeFailure(error).reason === 'not_signed_in',
  }
}
