import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

/** Class name of the button that closes a dialog or a message. */
export const closeButtonClass = `iconButton hoverable quiet ${styles['close']}`

/** Class names of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant, wide = false): string {
  return [styles['button'], styles[variant], wide && 'full'].filter(Boolean).join(' ')
}

/**
 * A styled button. `wide` fills the available width. `isBusy` and `aria-disabled` disable it without the attribute `disabled`,
 * which would take its focus.
 */
export function Button({
  variant = 'plain',
  wide = false,
  isBusy = false,
  type = 'button',
  onClick,
  ...props
}: Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'ref'> & {
  variant?: ButtonVariant
  wide?: boolean
  isBusy?: boolean
}) {
  const isDisabled = isBusy || props['aria-disabled'] === true
  return (
    <button
      {...props}
      type={type}
      aria-disabled={isDisabled || undefined}
      className={buttonClass(variant, wide)}
      // The default action of a submit button is prevented too.
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
    />
  )
}

/** The button of a message about something that has failed. */
export function RetryButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return <Button onClick={onClick}>{t`Try again`}</Button>
}
