import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { changeName } from '../auth/local/accounts.ts'
import type { Profile } from '../auth/local/accounts.ts'
import { nameError, withoutNull } from '../auth/local/check-account.ts'
import { useRefreshSession } from '../auth/local/use-refresh-session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { Field, useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice } from './failure-notice.tsx'
import { Section } from './section.tsx'

/** What a user is called, and the address they sign in with. */
export function NameSection(props: {
  profile: Profile
  /** What stands in the field and is not saved; null where that is the name that they have. */
  typed: string | null
  onType: (name: string | null) => void
  onSaved: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const [isSaved, setIsSaved] = useState(false)
  const refreshSession = useRefreshSession()
  const name = props.typed ?? props.profile.name

  async function save(event: FormEvent) {
    event.preventDefault()
    setIsSaved(false)
    const wish = name.trim()
    const isTaken = await submit(withoutNull({ name: nameError(wish) }), async () => {
      const refusal = await changeName(wish)
      if (!refusal) await Promise.all([props.onSaved(), refreshSession()])
      return refusal
    })
    if (!isTaken) return
    props.onType(null)
    setIsSaved(true)
  }

  return (
    <Section
      title="Name and email"
      intro="Your first name is put on the images that you share from now on. Posts that are in the gallery already keep the names they show."
    >
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void save(event)}>
        <FailureNotice failure={failure} onSignIn={clear} />
        <dl className={styles['fact']}>
          <dt>Email</dt>
          <dd>{props.profile.email}</dd>
          <dd className={styles['hint']}>You sign in with it. Nobody else sees it.</dd>
        </dl>
        <Field label="Name" error={errors.name}>
          {(control) => (
            <input
              {...control}
              name="name"
              required
              autoComplete="name"
              readOnly={isBusy}
              value={name}
              onChange={(event) => {
                setIsSaved(false)
                props.onType(event.target.value)
              }}
            />
          )}
        </Field>
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? 'Saving…' : 'Save name'}
        </Button>
        <Confirmation>{isSaved && 'Your name is saved.'}</Confirmation>
      </form>
    </Section>
  )
}
