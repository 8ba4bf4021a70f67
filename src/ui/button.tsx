import { useLayoutEffect, useRef } from 'react'
import type { ComponentProps } from 'react'
import styles from './button.module.css'

export type ButtonVariant = 'primary' | 'plain' | 'danger'

/** The look of a button, for links that stand beside buttons. */
export function buttonClass(variant: ButtonVariant, wide = false): string {
  return [styles['button'], styles[variant], wide && styles['wide']].filter(Boolean).join(' ')
}

/**
 * A button of ours. `wide` fills the line it stands on; `isBusy` disables it while what it started goes on,
 * and keeps the place of those who pressed it by keyboard.
 */
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

/** A button that is disabled loses focus; gives it back afterwards, unless the user went elsewhere. */
function useReturnFocus(button: { readonly current: HTMLButtonElement | null }, isBusy: boolean): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isBusy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) {
      hadFocus.current = false
      // Browsers pass the focus of a disabled button to something around it, if to anything.
      if (document.activeElement?.contains(button.current)) button.current?.focus()
    }
  }, [button, isBusy])
}
