import { useLingui } from '@lingui/react/macro'
import { notifyManager, useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { toast } from '../../ui/announcer.tsx'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { Dialog, DialogActions, type DialogProps } from '../../ui/dialog.tsx'
import { FormContext, type Check } from '../../ui/form.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { describeCallFailure, FailureNotice, type CallFailure } from './call-failure.tsx'

/** Reads the text of a field, without spaces around it unless it is a password; '' without such a field. */
type ReadText = (field: string) => string

type ReadAll = (field: string) => readonly FormDataEntryValue[]

function readAll(form: HTMLFormElement | null, field: string): readonly FormDataEntryValue[] {
  return form ? new FormData(form).getAll(field) : []
}

/** Reads the text of a field of a form, see `ReadText`. */
export function readText(form: HTMLFormElement | null, field: string): string {
  const [value] = readAll(form, field)
  if (typeof value !== 'string') return ''
  return /password/i.test(field) ? value : value.trim()
}

/** Returns the fields that were changed in a form: the others may have been changed elsewhere since it was opened. */
export function changesOf<Fields extends object>(before: Record<keyof Fields, unknown>, fields: Fields) {
  const textOf = (value: unknown) => JSON.stringify(value)
  const all = Object.entries(fields) as [keyof Fields, unknown][]
  return Object.fromEntries(
    all.filter(([name, value]) => textOf(value) !== textOf(before[name])),
  ) as Partial<Fields>
}

type Errors = Readonly<Record<string, string>>

interface FormCall {
  readonly call: (text: ReadText, all: ReadAll) => Promise<unknown>
  readonly failed?: string
  /** Field that input errors of the server belong to, `name` by default. */
  readonly inputField?: string
  /** Called also if no answer arrived, as the call may have worked nevertheless. */
  readonly onSettled?: () => unknown
  readonly submit: string
  readonly busy?: string
  readonly variant?: ButtonVariant
  /** False for a form that can't be sent at present. */
  readonly hasActions?: boolean
  readonly cancel?: string
  readonly children?: ReactNode
}

/** State of a form that makes one call at a time. After a failure, the first field with an error gets focus, or the notice is shown. */
function useCallForm({
  failed,
  inputField,
  onSettled,
}: Pick<FormCall, 'failed' | 'inputField' | 'onSettled'>) {
  const { i18n } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const mutation = useMutation({
    mutationFn: (make: () => Promise<unknown>) => make(),
    onSettled: () => onSettled?.(),
  })
  const { isPending: isBusy, isSuccess: isDone, error, reset } = mutation
  // A second submission may come before the state has changed.
  const isRunning = useRef(false)
  const describe = (cause: unknown) => describeCallFailure(cause, i18n, failed, inputField)
  const described = error && describe(error)
  const failure = described && errors[described.field ?? ''] === undefined ? described : null

  useEffect(() => {
    // After rendering the error, so that screen readers read it with the field.
    const controls = Array.from(form.current?.elements ?? [])
    const first = controls.find((control) => errors[control.getAttribute('name') ?? ''])
    if (first instanceof HTMLElement) first.focus()
    // Above the fields, of which a screen may show the last ones.
    else if (error) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' })
  }, [errors, error])

  const all: ReadAll = (field) => readAll(form.current, field)
  const text: ReadText = (field) => readText(form.current, field)

  function show(known: Errors) {
    setErrors(known)
    reset()
  }

  /** Makes a call, unless there are known errors. Resolves to whether it succeeded. */
  async function run(make: () => Promise<unknown>, known: Errors = {}): Promise<boolean> {
    if (isRunning.current) return false
    show(known)
    if (Object.keys(known).length > 0) return false
    isRunning.current = true
    try {
      await mutation.mutateAsync(make)
      return true
    } catch (cause) {
      const { field = '', message } = describe(cause)
      if (form.current?.elements.namedItem(field)) setErrors({ [field]: message })
      return false
    } finally {
      isRunning.current = false
    }
  }

  return { form, errors, failure, isBusy, isDone, text, all, run, clear: () => show({}), reset }
}

/**
 * A form that makes a call. An error that concerns no field is shown above, with a button to sign in if the session has ended.
 *
 * @param props.done says what the call did, until the next change
 * @param props.renderAction another action that resolves a failure
 * @param props.renderBefore content before the fields
 * @param props.renderAfter content after the buttons
 */
export function CallForm({
  call,
  variant = 'plain',
  hasActions = true,
  ...props
}: FormCall & {
  onDone?: (form: HTMLFormElement) => void
  done?: ReactNode
  renderAction?: (failure: CallFailure) => ReactNode
  onCancel?: () => void
  isWide?: boolean
  className?: string | undefined
  renderBefore?: (state: ReturnType<typeof useCallForm>) => ReactNode
  renderAfter?: (state: ReturnType<typeof useCallForm>) => ReactNode
}) {
  const { t, i18n } = useLingui()
  const state = useCallForm(props)
  const { form, errors, failure, isBusy, isDone, text, all, run, clear, reset } = state
  const [checks] = useState(() => new Map<string, Check>())

  async function send(element: HTMLFormElement) {
    const known = Array.from(checks).flatMap(([field, check]) => {
      const wrong = check(text(field), text)
      return wrong ? [[field, typeof wrong === 'string' ? wrong : i18n._(wrong)]] : []
    })
    if (await run(() => call(text, all), Object.fromEntries(known))) props.onDone?.(element)
  }

  const submit = (
    <Button variant={variant} type="submit" isBusy={isBusy} wide={props.isWide ?? false}>
      {isBusy ? (props.busy ?? props.submit) : props.submit}
    </Button>
  )
  return (
    <FormContext value={useMemo(() => ({ errors, checks, isBusy }), [errors, checks, isBusy])}>
      <form
        ref={form}
        noValidate
        className={`stack form ${props.className ?? ''}`}
        onChange={() => isDone && reset()}
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget)
        }}
      >
        {props.renderBefore?.(state)}
        <FailureNotice failure={failure} onSignIn={clear} action={failure && props.renderAction?.(failure)} />
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
        {props.renderAfter?.(state)}
      </form>
    </FormContext>
  )
}

/** A dialog that closes when its call has succeeded, together with what `onDone` closes. `outcome` says what the call did. */
type CallDialog = DialogProps & { readonly outcome?: string; readonly onDone?: () => void }

/** A dialog with a form, which closes when its call has succeeded, and not while it is made. */
export function FormDialog({
  title,
  description,
  outcome,
  isAlert = false,
  focusAfter,
  onClosed,
  onDone,
  ...form
}: FormCall & CallDialog & { isAlert?: boolean }) {
  const [open, setOpen] = useState(true)
  const isSending = useRef(false)
  const close = () => setOpen(false)

  async function call(...input: Parameters<FormCall['call']>) {
    isSending.current = true
    try {
      await form.call(...input)
    } finally {
      isSending.current = false
    }
  }

  return (
    <Dialog
      open={open}
      isAlert={isAlert}
      title={title}
      description={description}
      focusAfter={focusAfter}
      onClose={() => !isSending.current}
      onClosed={onClosed}
    >
      <CallForm
        variant="primary"
        {...form}
        call={call}
        // After the page shows what the call has changed: the focus returns to what is left then.
        onDone={() =>
          notifyManager.schedule(() => {
            if (outcome !== undefined) toast(outcome)
            onDone?.()
            close()
          })
        }
        onCancel={close}
      />
    </Dialog>
  )
}

/**
 * Asks for confirmation, then makes a call, and closes when it has succeeded. If it fails, the dialog stays open and says why.
 *
 * @param props.cancel `Keep it` by default
 */
export function ConfirmCall({
  confirm,
  cancel,
  ...dialog
}: CallDialog & Pick<FormCall, 'call' | 'failed' | 'cancel' | 'onSettled'> & { confirm: string }) {
  const { t } = useLingui()
  return <FormDialog {...dialog} isAlert variant="danger" submit={confirm} cancel={cancel ?? t`Keep it`} />
}
