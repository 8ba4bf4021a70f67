import { useLayoutEffect, useRef } from 'react'
import type { ComponentProps } from 'react'
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'plain' | 'danger'

/** Class names of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant, wide = false): string {
  return [styles['button'], styles[variant], wide && styles['wide']].filter(Boolean).join(' ')
}

/** A styled button. `wide` fills the available width; `isBusy` disables it and restores its focus afterwards. */
export function Button({
  variant = 'plain',
  wide = false,
  isBusy = false,
  type = 'button',
  ...props
}: Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'ref'> & {
  variant?: ButtonVariant
  wide?: boolean
  isBusy?: boolean
}) {
  const button = useRef<HTMLButtonElement>(null)
  useReturnFocus(button, isBusy)
  return (
    <button {...props} ref={button} type={type} disabled={isBusy} className={buttonClass(variant, wide)} />
  )
}

/** Restores the focus that a button loses while it is disabled, unless the user has moved on. */
function useReturnFocus(button: { readonly current: HTMLButtonElement | null }, isBusy: boolean): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isBusy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) {
      hadFocus.current = false
      // Some browsers move the focus of a disabled button to an ancestor.
      if (document.activeElement?.contains(button.current)) button.current?.focus()
    }
  }, [button, isBusy])
}
