import { providerErrorKey, providerErrors } from '../../../../shared/provider-sign-in.ts'
import type { AccountDialog } from './local-session-provider.tsx'

/** Opens the dialog that says with which error the user came back from the provider, and removes the error from the address. */
export function openAfterReturn(open: (dialog: AccountDialog) => void): void {
  const code = new URLSearchParams(location.hash.slice(1)).get(providerErrorKey)
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const error = providerErrors.find((known) => known === code) ?? 'failed'
  open({ isOpen: true, mode: 'sign-in', invitation: '', error })
}
