import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import styles from './menu.module.css'

/** Something that can be picked from a menu. */
export interface MenuItem {
  readonly label: string
  readonly onPick: () => void
}

/**
 * A button that opens a short list of actions, used as the ARIA Authoring Practices describe it: arrows move,
 * Escape and leaving it close.
 */
export function Menu(props: {
  button: ReactNode
  buttonClass: string | undefined
  items: readonly MenuItem[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    if (isOpen) focusItem(list.current, 0)
  }, [isOpen])

  function close() {
    setIsOpen(false)
    button.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const items = list.current ? itemsIn(list.current) : []
    const index = items.findIndex((item) => item === document.activeElement)
    const moves: Record<string, (() => void) | undefined> = {
      ArrowDown: () => (isOpen ? focusItem(list.current, (index + 1) % items.length) : setIsOpen(true)),
      ArrowUp: () => isOpen && focusItem(list.current, (index - 1 + items.length) % items.length),
      Home: () => focusItem(list.current, 0),
      End: () => focusItem(list.current, items.length - 1),
      Escape: close,
    }
    const move = moves[event.key]
    if (!move || (!isOpen && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move()
  }

  return (
    <div
      role="presentation"
      className={styles['menu']}
      onKeyDown={onKeyDown}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setIsOpen(false)}
    >
      <button
        ref={button}
        id={id}
        type="button"
        className={props.buttonClass}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {props.button}
      </button>
      {isOpen && (
        <div ref={list} role="menu" aria-labelledby={id} className={styles['list']}>
          {props.items.map(({ label, onPick }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles['item']}
              onClick={() => {
                close()
                onPick()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function itemsIn(list: HTMLElement): HTMLElement[] {
  return Array.from(list.querySelectorAll<HTMLElement>('[role=menuitem]'))
}

function focusItem(list: HTMLElement | null, index: number): void {
  if (list) itemsIn(list)[index]?.focus()
}
