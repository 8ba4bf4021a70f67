import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './field.module.css'

/** What a control needs to belong to its label, hint and error. */
interface ControlProps {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A labelled control with a hint or, where it is wrong, with what is wrong. */
export function Field(props: {
  /** The control's; one is made up where none is given. */
  id?: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Stands at the end of the label's line. */
  action?: ReactNode
  children: (control: ControlProps) => ReactNode
}) {
  const ownId = useId()
  const id = props.id ?? ownId
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  return (
    <div className={styles['field']}>
      <div className={styles['line']}>
        <label className={styles['label']} htmlFor={id}>
          {props.label}
        </label>
        {props.action}
      </div>
      {props.children({
        id,
        className: styles['control'],
        'aria-describedby': props.error ? errorId : props.hint ? hintId : undefined,
        'aria-invalid': props.error ? true : undefined,
      })}
      {props.error && (
        <p id={errorId} className={styles['error']}>
          {props.error}
        </p>
      )}
      {props.hint && !props.error && (
        <p id={hintId} className={styles['hint']}>
          {props.hint}
        </p>
      )}
    </div>
  )
}
