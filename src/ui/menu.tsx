import { useCallback, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { useStable } from '../browser/use-stable.ts'
import { buttonClass } from './button.tsx'
import { MoreIcon } from './icons.tsx'
import styles from './menu.module.css'

/**
 * Closes something on the system's Back, on Android. Not in every browser.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/API/CloseWatcher
 */
declare const CloseWatcher: (new () => EventTarget & { destroy(): void }) | undefined

/** A menu item: an action or a link. */
export type MenuItem = { readonly label: string; readonly detail?: ReactNode } & (
  | { readonly onSelect: () => void }
  | { readonly href: string }
)

/** Items of a menu. Falsy ones are left out, for conditions. */
export type MenuItems = readonly (MenuItem | false | null | undefined)[]

/**
 * A menu button after the ARIA Authoring Practices Guide: arrow keys move the focus, Escape and leaving it close the menu.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 */
export function Menu(props: {
  button: ReactNode
  buttonClass: string | undefined
  buttonLabel?: string
  /** Id of what the menu is about. */
  describedBy?: string
  /** A function is called while the menu is open, with one that renders items. */
  items: MenuItems | ((render: (items: MenuItems) => ReactNode) => ReactNode)
}) {
  const { items } = props
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    const opened = isOpen ? list.current : null
    if (!opened) return
    // Opens upward where it would end below the viewport, unless the header would cover it.
    const { bottom, height, left, right } = opened.getBoundingClientRect()
    const above = button.current?.getBoundingClientRect().top ?? 0
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    opened.toggleAttribute('data-up', bottom > window.innerHeight && above - height > header)
    // Grows toward the end of the line where it would begin outside the viewport.
    opened.toggleAttribute('data-toward-end', left < 0 || right > window.innerWidth)
    focusItem(opened, 0)
  }, [isOpen])

  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen || typeof CloseWatcher === 'undefined') return
    const watcher = new CloseWatcher()
    watcher.addEventListener('close', () => onBack())
    return () => watcher.destroy()
  }, [isOpen])

  function close() {
    setIsOpen(false)
    button.current?.focus()
  }

  const render = (shown: MenuItems) =>
    shown.map(
      (item) =>
        item && <Item key={item.label} item={item} close={close} onGone={() => focusItem(list.current, 0)} />,
    )

  function onKeyDown(event: KeyboardEvent) {
    const shown = list.current ? itemsIn(list.current) : []
    const index = shown.findIndex((item) => item === document.activeElement)
    const moves: Record<string, (() => void) | undefined> = {
      ArrowDown: () => (isOpen ? focusItem(list.current, (index + 1) % shown.length) : setIsOpen(true)),
      ArrowUp: () => isOpen && focusItem(list.current, (index - 1 + shown.length) % shown.length),
      Home: () => focusItem(list.current, 0),
      End: () => focusItem(list.current, shown.length - 1),
      Escape: close,
      // The space key does not activate links.
      ' ': document.activeElement instanceof HTMLAnchorElement ? () => shown[index]?.click() : undefined,
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
        aria-label={props.buttonLabel}
        aria-describedby={props.describedBy}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {props.button}
      </button>
      {isOpen && (
        <div ref={list} role="menu" aria-labelledby={id} className={`card raised ${styles['list']}`}>
          {typeof items === 'function' ? items(render) : render(items)}
        </div>
      )}
    </div>
  )
}

/** A menu behind three dots, or nothing for a list without items. */
export function MoreMenu(
  props: Omit<Parameters<typeof Menu>[0], 'button' | 'buttonClass' | 'buttonLabel'> & {
    buttonClass?: string
  },
) {
  const { t } = useLingui()
  const { items, buttonClass: className = buttonClass('plain') } = props
  if (typeof items !== 'function' && !items.some(Boolean)) return null
  return <Menu {...props} button={<MoreIcon />} buttonClass={className} buttonLabel={t`More actions`} />
}

function Item({ item, close, onGone }: { item: MenuItem; close: () => void; onGone: () => void }) {
  const leave = useStable(onGone)
  // An item with the focus can be removed while the menu is open.
  const ref = useCallback(
    (node: HTMLElement | null) => () => {
      if (node === document.activeElement) queueMicrotask(leave)
    },
    [leave],
  )
  const shared = {
    ref,
    role: 'menuitem',
    tabIndex: -1,
    className: `insetFocus beside ${styles['item']}`,
  } as const
  if ('href' in item) {
    return (
      <Link {...shared} href={item.href} onClick={close}>
        {item.label} {item.detail}
      </Link>
    )
  }
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        close()
        item.onSelect()
      }}
    >
      {item.label}
    </button>
  )
}

function itemsIn(list: HTMLElement): HTMLElement[] {
  return Array.from(list.querySelectorAll<HTMLElement>('[role=menuitem]'))
}

function focusItem(list: HTMLElement | null, index: number): void {
  if (list) itemsIn(list)[index]?.focus()
}
