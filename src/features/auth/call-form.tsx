import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button, DialogActions, type ButtonVariant } from '../../ui/button.tsx'
import { FormContext, formClass } from '../../ui/form.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { describeCallFailure, FailureNotice, type CallFailure } from './call-failure.tsx'

/** Reads the text of a field, without spaces around it unless it is a password; '' without such a field. */
type ReadText = (field: string) => string

/** Resolves to nothing if a call succeeded, and may reject with its error. */
type CallResult = Promise<CallFailure | null | void>

type Errors = Readonly<Record<string, string>>

/**
 * State of a form that makes one call at a time. After a failure, the first field with an error gets focus.
 *
 * @param failed message of an error without a more specific one, in place of those of calls of an account
 */
export function useCallForm(failed?: string) {
  const { i18n } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [isDone, setIsDone] = useState(false)
  // A second submission may come before the state has changed.
  const isRunning = useRef(false)

  useEffect(() => {
    // After rendering the error, so that screen readers read it with the field.
    const controls = Array.from(form.current?.elements ?? [])
    const first = controls.find((control) => errors[control.getAttribute('name') ?? ''])
    if (first instanceof HTMLElement) first.focus()
  }, [errors])

  function show(found: Errors, general: CallFailure | null) {
    setErrors(found)
    setFailure(general)
    setIsDone(false)
  }

  const text: ReadText = (field) => {
    const value = form.current && new FormData(form.current).get(field)
    if (typeof value !== 'string') return ''
    return /password/i.test(field) ? value : value.trim()
  }

  /** Makes a call, unless there are known errors. Resolves to whether it succeeded. */
  async function run(call: () => CallResult, known: Errors = {}): Promise<boolean> {
    if (isRunning.current) return false
    show(known, null)
    if (Object.keys(known).length > 0) return false
    isRunning.current = true
    setIsBusy(true)
    const found = await call().catch((error: unknown) => describeCallFailure(error, i18n, failed))
    isRunning.current = false
    setIsBusy(false)
    if (!found) setIsDone(true)
    else if (found.field !== undefined && form.current?.elements.namedItem(found.field)) {
      show({ [found.field]: found.message }, null)
    } else setFailure(found)
    return !found
  }

  return {
    form,
    /** For its controls. */
    shared: useMemo(() => ({ errors, isBusy }), [errors, isBusy]),
    failure,
    isBusy,
    /** True from a successful call until the next change. */
    isDone,
    text,
    run,
    clear: () => show({}, null),
    change: () => setIsDone(false),
  }
}

export interface FormCall {
  /** Returns errors by the names of fields. With any, no call is made. */
  readonly check?: (text: ReadText) => Readonly<Record<string, MessageDescriptor | string | false | null>>
  readonly call: (text: ReadText, form: HTMLFormElement) => CallResult
  /** Message of an error without a more specific one, in place of those of calls of an account. */
  readonly failed?: string
  /** Label of the button, and while the call is made. */
  readonly submit: string
  readonly busy?: string
  readonly variant?: ButtonVariant
  /** False for a form that can't be sent at present. */
  readonly hasActions?: boolean
  /** Fields. */
  readonly children?: ReactNode
}

/**
 * A form that makes a call. An error that concerns no field is shown above, with a button to sign in if the session has ended.
 *
 * @param props.onDone called after the call has succeeded
 * @param props.done says what the call did, until the next change
 * @param props.action another action that resolves a failure
 * @param props.onSignIn called before the sign-in dialog opens
 * @param props.onCancel adds a button before the one that submits
 * @param props.after content after the buttons
 */
export function CallForm({
  check,
  call,
  variant = 'plain',
  hasActions = true,
  ...props
}: FormCall & {
  state?: ReturnType<typeof useCallForm>
  onDone?: (form: HTMLFormElement) => void
  done?: ReactNode
  action?: ReactNode
  onSignIn?: () => void
  onCancel?: () => void
  cancel?: string
  isWide?: boolean
  className?: string | undefined
  after?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const ownState = useCallForm(props.failed)
  const { form, shared, failure, isBusy, isDone, text, run, clear, change } = props.state ?? ownState

  async function send(element: HTMLFormElement) {
    const known = Object.entries(check?.(text) ?? {}).flatMap(([field, error]) =>
      error ? [[field, typeof error === 'string' ? error : i18n._(error)]] : [],
    )
    if (await run(() => call(text, element), Object.fromEntries(known))) props.onDone?.(element)
  }

  const submit = (
    <Button variant={variant} type="submit" isBusy={isBusy} wide={props.isWide ?? false}>
      {isBusy ? (props.busy ?? props.submit) : props.submit}
    </Button>
  )
  return (
    <FormContext value={shared}>
      <form
        ref={form}
        noValidate
        className={formClass(props.className)}
        onChange={change}
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget)
        }}
      >
        <FailureNotice
          failure={failure}
          onSignIn={() => {
            clear()
            props.onSignIn?.()
          }}
          action={props.action}
        />
        {props.children}
        {!hasActions ? null : props.onCancel ? (
          <DialogActions>
            <Button isBusy={isBusy} onClick={props.onCancel}>
              {props.cancel ?? t`Cancel`}
            </Button>
            {submit}
          </DialogActions>
        ) : (
          submit
        )}
        {props.done !== undefined && <Confirmation>{isDone && props.done}</Confirmation>}
        {props.after}
      </form>
    </FormContext>
  )
}
