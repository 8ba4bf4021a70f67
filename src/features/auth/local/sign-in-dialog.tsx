import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { AccountForm } from './account-form.tsx'
import type { AccountMode } from './account-form.tsx'

/** The modal for signing in and, where the site takes new accounts, for making one. */
export function SignInDialog(props: {
  open: boolean
  signUpOpen: boolean
  siteName: string
  focusAfter: () => HTMLElement | null
  onClose: () => void
  onSignedIn: () => Promise<void>
}) {
  const [mode, setMode] = useState<AccountMode>('sign-in')
  return (
    <Dialog
      open={props.open}
      title={mode === 'sign-in' ? `Welcome back to ${props.siteName}` : `Join ${props.siteName}`}
      description={
        mode === 'sign-in'
          ? 'With an account you can make images and share them.'
          : 'An account lets you make images and share them. Your email is never shown.'
      }
      focusAfter={props.focusAfter}
      onClose={props.onClose}
      onClosed={() => setMode('sign-in')}
    >
      <AccountForm
        mode={mode}
        onSwitch={props.signUpOpen ? setMode : null}
        onSuccess={async () => {
          await props.onSignedIn()
          props.onClose()
        }}
      />
    </Dialog>
  )
}
