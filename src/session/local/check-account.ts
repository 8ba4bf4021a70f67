import { passwordMinLength } from '../../../shared/limits.ts'
import type { AccountMode } from './account-form.tsx'

/** What is wrong, by field; `form` is about none of them alone. */
export type AccountFaults = Partial<Record<'name' | 'email' | 'password' | 'form', string>>

/** Finds what can be told to be wrong without asking the server. */
export function checkAccount(
  account: { readonly name: string; readonly email: string; readonly password: string },
  mode: AccountMode,
): AccountFaults {
  const faults: AccountFaults = {}
  if (mode === 'sign-up' && !account.name) faults.name = 'Tell us what to call you.'
  if (!account.email) faults.email = 'Enter your email.'
  else if (!/^\S+@\S+$/.test(account.email)) faults.email = 'This does not look like an email address.'
  if (!account.password) faults.password = 'Enter your password.'
  else if (mode === 'sign-up' && account.password.length < passwordMinLength) {
    faults.password = `Use at least ${passwordMinLength} characters.`
  }
  return faults
}
