import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { changeName } from '../auth/local/accounts.ts'
import type { Profile } from '../auth/local/accounts.ts'
import { fieldErrors, nameError } from '../auth/local/check-account.ts'
import { useRefreshSession } from '../auth/local/local-session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { Field, useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { Section } from './section.tsx'

/** Changes the name, and shows the email unless a section of its own does. */
export function NameSection(props: {
  profile: Profile
  showsEmail: boolean
  /** Unsaved text of the field; null if unchanged. */
  typed: string | null
  onType: (name: string | null) => void
  onSaved: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const [isSaved, setIsSaved] = useState(false)
  const refreshSession = useRefreshSession()
  const { t, i18n } = useLingui()
  const name = props.typed ?? props.profile.name

  async function save(event: FormEvent) {
    event.preventDefault()
    setIsSaved(false)
    const newName = name.trim()
    const isAccepted = await submit(fieldErrors({ name: nameError(newName) }, i18n), async () => {
      const error = await changeName(newName, i18n)
      if (!error) await Promise.all([props.onSaved(), refreshSession()])
      return error
    })
    if (!isAccepted) return
    props.onType(null)
    setIsSaved(true)
  }

  return (
    <Section
      title={props.showsEmail ? t`Name and email` : t`Name`}
      intro={t`Your first name appears on the images you share from now on. Existing posts keep the name they show.`}
    >
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void save(event)}>
        <FailureNotice failure={failure} onSignIn={clear} />
        {props.showsEmail && (
          <dl className={styles['fact']}>
            <dt>
              <Trans>Email</Trans>
            </dt>
            <dd>{props.profile.email}</dd>
            <dd className={styles['hint']}>
              <Trans>It is not shown to others.</Trans>
            </dd>
          </dl>
        )}
        <Field label={t`Name`} error={errors.name}>
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
          {isBusy ? t`Saving…` : t`Save name`}
        </Button>
        <Confirmation>{isSaved && t`Your name is saved.`}</Confirmation>
      </form>
    </Section>
  )
}
