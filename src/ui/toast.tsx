import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { ToastAction } from './announcer.tsx'
import { buttonClass, Button, closeButtonClass } from './button.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './toast.module.css'

/** Time for which a message is shown, in milliseconds. Starts again after the pointer and the focus have left it. */
const visibleMs = 5_000

/** The same for a message with an action, which takes longer to decide about. */
const visibleWithActionMs = 10_000

/** A message at the bottom of the page. The live region announces it, so its text is hidden from screen readers. */
export function Toast(props: { message: string; action: ToastAction | null; onClose: () => void }) {
  const { message, action, onClose } = props
  const { t } = useLingui()
  const [isHovered, setIsHovered] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const isHeld = isHovered || hasFocus
  const hasAction = action !== null

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onClose, hasAction ? visibleWithActionMs : visibleMs)
    return () => clearTimeout(timer)
  }, [hasAction, isHeld, onClose])

  return (
    <div
      className={`row wider card raised ${styles['toast']}`}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <p aria-hidden="true" className="strong breakable">
        {message}
      </p>
      {action &&
        ('href' in action ? (
          <Link href={action.href} className={buttonClass('plain')} onClick={onClose}>
            {action.label}
          </Link>
        ) : (
          <Button
            onClick={() => {
              action.onClick()
              onClose()
            }}
          >
            {action.label}
          </Button>
        ))}
      <button
        type="button"
        className={closeButtonClass}
        aria-label={t`Dismiss message`}
        onClick={() => {
          // Focus would be lost with the button.
          document.getElementById('main')?.focus({ preventScroll: true })
          onClose()
        }}
      >
        <CloseIcon />
      </button>
    </div>
  )
}
