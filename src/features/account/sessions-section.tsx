import type { FormEvent } from 'react'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { signOutEverywhere } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/use-refresh-session.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice } from './failure-notice.tsx'
import { Section } from './section.tsx'

/** Ends every session of the user. */
export function SessionsSection() {
  const { form, failure, isBusy, submit, clear } = useForm<never, AccountFailure>([])
  const refreshSession = useRefreshSession()
  const announce = useAnnounce()

  async function leave(event: FormEvent) {
    event.preventDefault()
    const isTaken = await submit({}, async () => {
      const refusal = await signOutEverywhere()
      if (!refusal) await refreshSession()
      return refusal
    })
    if (isTaken) announce('You are signed out everywhere.')
  }

  return (
    <Section
      title="Sign out everywhere"
      intro="Ends your session on every device, this one too: for a phone that is lost, or a computer that is not yours."
    >
      <form ref={form} className={styles['form']} onSubmit={(event) => void leave(event)}>
        <FailureNotice failure={failure} onSignIn={clear} />
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? 'Signing out…' : 'Sign out everywhere'}
        </Button>
      </form>
    </Section>
  )
}
