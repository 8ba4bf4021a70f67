import type { MessageDescriptor } from '@lingui/core'
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react'
import styles from './form.module.css'
import { UnfoldIcon } from './icons.tsx'

/** Returns the error of what is entered in a field, if it has one. `read` returns the text of another field. */
export type Check = (
  text: string,
  read: (field: string) => string,
) => MessageDescriptor | string | false | null | undefined

/** State of the form around a control: errors and checks by the names of controls, and whether it is being sent. */
export const FormContext = createContext<{
  readonly errors: Readonly<Record<string, string | undefined>>
  readonly checks: Map<string, Check>
  readonly isBusy: boolean
}>({ errors: {}, checks: new Map(), isBusy: false })

/** Attributes that associate a control with its label, hint and error. */
interface ControlProps {
  readonly id: string
  readonly className: string
  /** Users write in their own language. */
  readonly dir: 'auto'
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Returns the lines of a text that are not empty, without spaces around them. */
export function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

function useCheck(name: string | undefined, check: Check | undefined): void {
  const { checks } = useContext(FormContext)
  useEffect(() => {
    if (name === undefined || !check) return
    checks.set(name, check)
    return () => void checks.delete(name)
  }, [checks, name, check])
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly id?: string | undefined
  /** Next to the label. */
  readonly action?: ReactNode
  /** Checks it before its form is sent. */
  readonly check?: Check | undefined
}

/** A control with a label and a hint, after an error, which may say the same. */
export function Field(
  props: FieldProps & { name?: string | undefined; children: (control: ControlProps) => ReactNode },
) {
  const generatedId = useId()
  const { errors } = useContext(FormContext)
  const { id = generatedId, name } = props
  const error = props.error ?? (name && errors[name])
  useCheck(name, props.check)
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const hint = props.hint !== error && props.hint
  return (
    <div className="stack tightest">
      <div className="ends centered">
        <label className="strong" htmlFor={id}>
          {props.label}
        </label>
        {props.action}
      </div>
      {props.children({
        id,
        ...(name !== undefined && { name }),
        className: 'control',
        dir: 'auto',
        'aria-describedby': [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="alarming small strong">
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="quiet small">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Splits props into those of a field, and the attributes of its control. */
function split<Props extends FieldProps & { name?: string | undefined }>(props: Props) {
  const { label, hint, error, action, check, id, ...control } = props
  return [{ label, hint, error, action, check, id, name: props.name }, control] as const
}

/** A field with one line of text. Takes the attributes of the control, which is read-only while its form is sent. */
export function TextField(props: Omit<ComponentProps<'input'>, 'className'> & FieldProps) {
  const { isBusy } = useContext(FormContext)
  const [field, input] = split(props)
  return <Field {...field}>{(control) => <input readOnly={isBusy} {...control} {...input} />}</Field>
}

export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'name' | 'type'>) {
  return <TextField name="email" type="email" required spellCheck={false} {...props} />
}

/** A field for a password. @param props.isShown true if it is readable */
export function PasswordField({
  isShown = false,
  ...props
}: Omit<ComponentProps<typeof TextField>, 'type'> & { isShown?: boolean }) {
  return (
    <TextField
      required
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
    />
  )
}

/** A field with several lines of text, whose form is sent by Ctrl and Enter. */
export function TextArea(props: Omit<ComponentProps<'textarea'>, 'className'> & FieldProps) {
  const [field, control] = split(props)
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={3}
          {...control}
          onKeyDown={(event) => {
            const { key, ctrlKey, metaKey, currentTarget } = event
            if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit()
            control.onKeyDown?.(event)
          }}
        />
      )}
    </Field>
  )
}

/** A field with a native select. `options` are values with their labels, and whether they can't be chosen. */
export function SelectField({
  options,
  ...props
}: Omit<ComponentProps<'select'>, 'className'> &
  FieldProps & { options: readonly (readonly [value: string, label: string, isDisabled?: boolean])[] }) {
  const [field, select] = split(props)
  return (
    <Field {...field}>
      {(control) => (
        <span className={styles['select']}>
          {/* Its options are texts of the page. */}
          <select
            {...control}
            {...select}
            dir={undefined}
            className={`${control.className} ${styles['dropdown']}`}
          >
            {options.map(([value, text, isDisabled]) => (
              <option key={value} value={value} disabled={isDisabled}>
                {text}
              </option>
            ))}
          </select>
          <UnfoldIcon className={styles['arrow']} />
        </span>
      )}
    </Field>
  )
}

/** A slider, with its value as a text next to it. */
export function RangeField({
  valueText,
  ...props
}: Omit<ComponentProps<'input'>, 'className'> & FieldProps & { valueText: string }) {
  const [field, input] = split(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles['range']}>
          <input {...control} {...input} className={undefined} type="range" aria-valuetext={valueText} />
          <output className="tabular" htmlFor={control.id}>
            {valueText}
          </output>
        </div>
      )}
    </Field>
  )
}

/** A group of controls with a legend, and a hint below them. */
export function Fieldset({
  legend,
  hint,
  className = 'tightest',
  children,
  ...fieldset
}: ComponentProps<'fieldset'> & { legend: ReactNode; hint?: ReactNode }) {
  const hintId = useId()
  return (
    <fieldset {...fieldset} className={`stack ${className}`} aria-describedby={hint ? hintId : undefined}>
      <legend className={`strong ${styles['legend']}`}>{legend}</legend>
      {children}
      {hint && (
        <p id={hintId} className="quiet small tabular">
          {hint}
        </p>
      )}
    </fieldset>
  )
}

/** An option of a group; `hint` describes its consequences. */
export interface GroupOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

interface GroupProps<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly options: readonly GroupOption<Value>[]
  readonly hint?: ReactNode
  /** Gets the value that is checked, of several the first one, '' for none. */
  readonly check?: Check
  readonly isDisabled?: boolean
  /** True for options without hints in two columns. */
  readonly isCompact?: boolean
}

/** Radio buttons or checkboxes with a legend. An error of the form is shown while none is checked. */
function Group<Value extends string>(
  props: GroupProps<Value> & {
    type: 'radio' | 'checkbox'
    /** Undefined if the browser keeps which are checked, starting with `initial`. */
    value?: Value | null
    initial: readonly Value[]
    onChange?: (value: Value) => void
  },
) {
  const { type, name, value: checked, initial, onChange } = props
  const id = useId()
  const [isAnyChecked, setIsAnyChecked] = useState(initial.length > 0)
  const { errors } = useContext(FormContext)
  useCheck(name, props.check)
  const error = !isAnyChecked && !checked && errors[name]
  return (
    <Fieldset
      legend={props.legend}
      hint={props.hint}
      className={`tight ${props.isCompact ? styles['compact'] : ''}`}
      disabled={props.isDisabled ?? false}
      onChange={({ currentTarget }) => setIsAnyChecked(currentTarget.querySelector(':checked') !== null)}
    >
      {error && (
        <p id={`${id}-error`} className="alarming small strong">
          {error}
        </p>
      )}
      {props.options.map(({ value, label, hint }) => (
        <label key={value} className={type === 'radio' ? `hoverable ${styles['radio']}` : styles['checkbox']}>
          <input
            type={type}
            name={name}
            value={value}
            {...(checked === undefined
              ? { defaultChecked: initial.includes(value) }
              : { checked: checked === value, onChange: () => onChange?.(value) })}
            aria-labelledby={`${id}-${value}`}
            aria-describedby={error ? `${id}-error` : hint && `${id}-${value}-hint`}
            aria-invalid={error && type === 'checkbox' ? true : undefined}
          />
          <span className={styles['optionText']}>
            <span id={`${id}-${value}`} className={styles['optionLabel']}>
              {label}
            </span>
            {hint && (
              <span id={`${id}-${value}-hint`} className="quiet small">
                {hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </Fieldset>
  )
}

/** Radio buttons with a legend. Without `value`, the browser keeps which one is checked. */
export function RadioGroup<Value extends string>(
  props: GroupProps<Value> & {
    value?: Value | null
    defaultValue?: Value
    onChange?: (value: Value) => void
  },
) {
  const { defaultValue } = props
  return <Group {...props} type="radio" initial={defaultValue === undefined ? [] : [defaultValue]} />
}

/** Checkboxes with a legend, of which any number can be checked. */
export function CheckboxGroup<Value extends string>(
  props: GroupProps<Value> & { defaultValues: readonly Value[] },
) {
  return <Group {...props} type="checkbox" initial={props.defaultValues} />
}

export function Checkbox(props: {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  children: ReactNode
}) {
  return (
    <label className={`check ${styles['alone']}`}>
      <input
        type="checkbox"
        checked={props.isChecked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.children}
    </label>
  )
}
