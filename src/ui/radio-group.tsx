import { useId } from 'react'
import styles from './radio-group.module.css'

/** One of a few answers to a question; a `hint` says what follows from it. */
export interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

/** A question with a few answers, of which one holds, or none yet. */
export function RadioGroup<Value extends string>(props: {
  legend: string
  name: string
  value: Value | null
  options: readonly RadioOption<Value>[]
  /** What is wrong with the answer. */
  error?: string | undefined
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['legend']}>{props.legend}</legend>
      {props.error && (
        <p id={`${id}-error`} className={styles['error']}>
          {props.error}
        </p>
      )}
      {props.options.map(({ value, label, hint }) => (
        <label key={value} className={styles['option']}>
          <input
            type="radio"
            name={props.name}
            value={value}
            checked={value === props.value}
            aria-labelledby={`${id}-${value}`}
            aria-describedby={props.error ? `${id}-error` : hint && `${id}-${value}-hint`}
            onChange={() => props.onChange(value)}
          />
          <span className={styles['words']}>
            <span id={`${id}-${value}`} className={styles['label']}>
              {label}
            </span>
            {hint && (
              <span id={`${id}-${value}-hint`} className={styles['hint']}>
                {hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
