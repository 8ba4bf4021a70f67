import { useEffect, useRef } from 'react'
import type { FormEvent } from 'react'
import { passwordMinLength } from '../../../../shared/limits.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, textIn, useForm } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { AccountFailure } from './account-failure.ts'
import styles from './account-form.module.css'
import { signIn, signUp } from './accounts.ts'
import { checkAccount } from './check-account.ts'

export type AccountMode = 'sign-in' | 'sign-up'

/** Name, email and password, sent to the server and answered beside the field that is at fault. */
export function AccountForm(props: {
  mode: AccountMode
  /** Null where the site takes no new accounts. */
  onSwitch: ((mode: AccountMode) => void) | null
  onSuccess: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<
    'name' | 'email' | 'password',
    AccountFailure
  >(['name', 'email', 'password'])
  const isSignUp = props.mode === 'sign-up'
  const shown = useRef(props.mode)

  useEffect(() => {
    if (shown.current === props.mode) return
    shown.current = props.mode
    // What is new stands above the switch: whoever pressed it goes on at the first field.
    const hasFocus = form.current?.contains(document.activeElement)
    if (hasFocus) form.current?.querySelector('input')?.focus()
  }, [form, props.mode])

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const account = readAccount(event.currentTarget)
    await submit(checkAccount(account, props.mode), async () => {
      const refusal = await (isSignUp ? signUp(account) : signIn(account))
      if (!refusal) await props.onSuccess()
      return refusal
    })
  }

  return (
    <form ref={form} className={styles['form']} noValidate onSubmit={(event) => void send(event)}>
      <Notice>{failure?.message}</Notice>
      {isSignUp && (
        <Field
          label="Name"
          error={errors.name}
          hint="Shown with the images you share. You can change it each time."
        >
          {(control) => <input {...control} name="name" required autoComplete="name" />}
        </Field>
      )}
      <Field label="Email" error={errors.email}>
        {(control) => (
          <input {...control} name="email" type="email" required autoComplete="email" spellCheck={false} />
        )}
      </Field>
      <Field
        label="Password"
        error={errors.password}
        hint={
          isSignUp
            ? `At least ${passwordMinLength} characters.`
            : 'Forgot your password? Ask whoever runs this site for a new one.'
        }
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
              clear()
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

function readAccount(form: HTMLFormElement) {
  return {
    name: textIn(form, 'name').trim(),
    email: textIn(form, 'email').trim(),
    password: textIn(form, 'password'),
  }
}
