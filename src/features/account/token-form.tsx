import type { FormEvent } from 'react'
import { tokenLifetimes } from '../../../shared/api-keys.ts'
import type { MadeToken } from '../../../shared/api-keys.ts'
import { trpc } from '../../api/trpc.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { withoutNull } from '../auth/local/check-account.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { textIn, useForm } from '../../ui/use-form.ts'
import styles from './account.module.css'
import { FailureNotice } from './failure-notice.tsx'
import { tokenFailure } from './token-failure.ts'

/** What is chosen unless somebody chooses otherwise, in days. */
const usualLifetime = 90

/** Makes a token. */
export function TokenForm(props: {
  onMade: (token: MadeToken) => void
  /** Called where none came back: one may have been made all the same. */
  onFailed: () => Promise<void>
}) {
  const { form, faults, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const { client } = trpc.useUtils()

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = event.currentTarget
    const name = textIn(typed, 'name').trim()
    const lifetime = textIn(typed, 'lifetime')
    const expiresInDays = tokenLifetimes.find((days) => String(days) === lifetime) ?? null
    const known = withoutNull({ name: name ? null : 'Give the token a name.' })
    const isMade = await submit(known, async () => {
      try {
        props.onMade(await client.account.tokens.create.mutate({ name, expiresInDays }))
        return null
      } catch (error) {
        await props.onFailed()
        return tokenFailure(error)
      }
    })
    if (isMade) typed.reset()
  }

  return (
    <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void make(event)}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <Field label="Name of a new token" hint="What you will know it by later." error={faults.name}>
        {(control) => <input {...control} name="name" required autoComplete="off" readOnly={isBusy} />}
      </Field>
      <Field label="Expires">
        {(control) => (
          <Select {...control} name="lifetime" defaultValue={usualLifetime}>
            {tokenLifetimes.map((days) => (
              <option key={days} value={days}>{`In ${days} days`}</option>
            ))}
            <option value="">Never</option>
          </Select>
        )}
      </Field>
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? 'Making…' : 'Make token'}
      </Button>
    </form>
  )
}
