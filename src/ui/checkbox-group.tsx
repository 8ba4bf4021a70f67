import { useId } from 'react'
import type { GroupOption } from './form.tsx'
import styles from './checkbox-group.module.css'
import formStyles from './form.module.css'

/** Checkboxes with a legend, of which any number can be checked. */
export function CheckboxGroup<Value extends string>(props: {
  legend: string
  hint?: string
  name: string
  values: readonly Value[]
  options: readonly GroupOption<Value>[]
  error?: string | undefined
  onChange: (values: readonly Value[]) => void
}) {
  const id = useId()

  function toggle(value: Value, isChecked: boolean) {
    const isIncluded = (one: Value) => (one === value ? isChecked : props.values.includes(one))
    props.onChange(props.options.map((option) => option.value).filter(isIncluded))
  }

  return (
    <fieldset className={formStyles['group']} aria-describedby={props.hint && `${id}-hint`}>
      <legend className={formStyles['legend']}>{props.legend}</legend>
      {props.error && (
        <p id={`${id}-error`} className={formStyles['error']}>
          {props.error}
        </p>
      )}
      <div className={styles['options']}>
        {props.options.map(({ value, label, hint }) => (
          <label key={value} className={styles['option']}>
            <input
              type="checkbox"
              name={props.name}
              value={value}
              checked={props.values.includes(value)}
              aria-labelledby={`${id}-${value}`}
              aria-describedby={props.error ? `${id}-error` : hint && `${id}-${value}-hint`}
              aria-invalid={props.error ? true : undefined}
              onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
            />
            <span className={formStyles['optionText']}>
              <span id={`${id}-${value}`} className={formStyles['optionLabel']}>
                {label}
              </span>
              {hint && (
                <span id={`${id}-${value}-hint`} className={formStyles['optionHint']}>
                  {hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {props.hint && (
        <p id={`${id}-hint`} className={formStyles['hint']}>
          {props.hint}
        </p>
      )}
    </fieldset>
  )
}
