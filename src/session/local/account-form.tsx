import { passwordMinLength } from '../../../shared/limits.ts'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './account-form.module.css'
import { checkAccount } from './check-account.ts'
import type { AccountFaults } from './check-account.ts'
import { signIn, signUp } from './accounts.ts'

export type AccountMode = 'sign-in' | 'sign-up'

/** Name, email and password, sent to the server and answered beside the field that is at fault. */
export function AccountForm(props: {
  mode: AccountMode
  /** Null where the site takes no new accounts. */
  onSwitch: ((mode: AccountMode) => void) | null
  onSuccess: () => Promise<void>
}) {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<AccountFaults>({})
  const [isBusy, setIsBusy] = useState(false)
  const isSignUp = props.mode === 'sign-up'
  const shown = useRef(props.mode)

  useEffect(() => {
    if (shown.current === props.mode) return
    shown.current = props.mode
    // What is new stands above the switch: whoever pressed it goes on at the first field.
    const hasFocus = form.current?.contains(document.activeElement)
    if (hasFocus) form.current?.querySelector('input')?.focus()
  }, [props.mode])

  function show(found: AccountFaults) {
    setFaults(found)
    const first = (['name', 'email', 'password'] as const).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const account = readAccount(new FormData(event.currentTarget))
    const found = checkAccount(account, props.mode)
    show(found)
    if (Object.keys(found).length > 0) return
    setIsBusy(true)
    const failure = await (isSignUp ? signUp(account) : signIn(account))
    if (failure) show({ [failure.field ?? 'form']: failure.message })
    else await props.onSuccess()
    setIsBusy(false)
  }

  return (
    <form ref={form} className={styles['form']} noValidate onSubmit={(event) => void submit(event)}>
      <Notice>{faults.form}</Notice>
      {isSignUp && (
        <Field
          label="Name"
          error={faults.name}
          hint="Shown with the pictures you share. You can change it each time."
        >
          {(control) => <input {...control} name="name" required autoComplete="name" />}
        </Field>
      )}
      <Field label="Email" error={faults.email}>
        {(control) => (
          <input {...control} name="email" type="email" required autoComplete="email" spellCheck={false} />
        )}
      </Field>
      <Field
        label="Password"
        error={faults.password}
        hint={isSignUp ? `At least ${passwordMinLength} characters.` : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type="password"
            required
            autoComplete={isSignUp ? 'new-password' : 'current-password'}
          />
        )}
      </Field>
      <Button variant="primary" type="submit" isBusy={isBusy} wide>
        {isSignUp ? 'Sign up' : 'Sign in'}
      </Button>
      {props.onSwitch && (
        <p className={styles['switch']}>
          {isSignUp ? 'Been here before?' : 'New here?'}{' '}
          <button
            type="button"
            className={styles['switchButton']}
            onClick={() => {
              setFaults({})
              props.onSwitch?.(isSignUp ? 'sign-in' : 'sign-up')
            }}
          >
            {isSignUp ? 'I have an account' : 'Create an account'}
          </button>
        </p>
      )}
    </form>
  )
}

function readAccount(form: FormData) {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { name: text('name').trim(), email: text('email').trim(), password: text('password') }
}
