import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Mutation } from '@tanstack/react-query'
import type { AccountSettings } from '../../../shared/account.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { FailureNotice } from '../auth/failure-notice.tsx'

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

/** Says that the settings could not be loaded or saved, or that a change is saved. */
export function SettingOutcome({
  settings,
  update,
}: {
  settings: Pick<ReturnType<typeof trpc.account.settings.useQuery>, 'isLoadingError' | 'refetch'>
  update: Pick<ReturnType<typeof trpc.account.updateSettings.useMutation>, 'error' | 'isSuccess' | 'reset'>
}) {
  const { t, i18n } = useLingui()
  const { error } = update
  const failure = error && {
    message: failureMessage(error, i18n) ?? t`The setting could not be saved. Try again in a moment.`,
    needsSignIn: describeFailure(error).reason === 'not_signed_in',
  }
  return (
    <>
      <Notice action={<RetryButton onClick={() => void settings.refetch()} />}>
        {settings.isLoadingError && t`This setting could not be loaded.`}
      </Notice>
      <FailureNotice failure={failure} onSignIn={update.reset} />
      <Confirmation>{update.isSuccess && t`Saved.`}</Confirmation>
    </>
  )
}
