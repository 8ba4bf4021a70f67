import { Children, useId, useLayoutEffect, useRef, type ReactNode, type Ref } from 'react'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'
import styles from './entry-list.module.css'
import { DateTime } from './formats.tsx'
import ui from './primitives.module.css'
import { UserText } from './user-text.tsx'

/**
 * A list with lines between its entries. `empty` replaces a list without entries.
 *
 * @param props.id for a list that gets the focus
 * @param props.className in place of the lines
 */
export function EntryList(props: {
  label?: string
  empty?: string
  isBusy?: boolean
  id?: string
  ref?: Ref<HTMLUListElement>
  className?: string | undefined
  children: ReactNode
}) {
  const { label, empty, isBusy, id, ref, className = styles['list'], children } = props
  if (Children.count(children) === 0) return empty && <p className={ui['quiet']}>{empty}</p>
  return (
    <ul
      ref={ref}
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      className={className}
      aria-label={label}
      aria-busy={isBusy}
    >
      {children}
    </ul>
  )
}

/**
 * An entry with the name that the user gave it, its actions and its facts.
 *
 * @param props.actions labels of buttons, and what they do
 */
export function Entry(props: {
  id: string
  name: string
  actions: readonly (readonly [label: string, act: () => void])[]
  children: ReactNode
}) {
  const nameId = useId()
  return (
    <li id={props.id} className={styles['entry']}>
      <p id={nameId} className={styles['name']}>
        <UserText text={props.name} />
      </p>
      <div className={styles['actions']}>
        {props.actions.map(([label, act]) => (
          <Button key={label} aria-describedby={nameId} onClick={act}>
            {label}
          </Button>
        ))}
      </div>
      <Facts>{props.children}</Facts>
    </li>
  )
}

/** Facts about an entry of a list, in columns where there is space. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles['facts']}>{children}</dl>
}

/**
 * A fact with its label.
 *
 * @param props.at a time in ISO 8601 as the value, followed by the children; null for `never`
 * @param props.isWide true if its value is long, such as a list
 * @param props.isBad true if it is a reason to act
 */
export function Fact(props: {
  label: string
  at?: string | null
  never?: string
  isWide?: boolean
  isBad?: boolean
  children?: ReactNode
}) {
  const { label, at, never, isWide, isBad, children } = props
  return (
    <div
      className={[isWide && styles['wide'], isBad && styles['bad']].filter(Boolean).join(' ') || undefined}
    >
      <dt>{label}</dt>
      <dd>
        {at === null ? never : at && <DateTime at={at} />}
        {children}
      </dd>
    </div>
  )
}

/**
 * Loads the next page of a list, and announces the number of new entries.
 *
 * @param shown number of entries in the list
 * @param describe returns the announcement for a number of new entries
 * @returns `list`, a ref for the list's element
 */
export function useShowMore(
  { isLoadingMore, loadMore }: { readonly isLoadingMore: boolean; readonly loadMore: () => Promise<unknown> },
  shown: number,
  describe: (added: number) => string,
) {
  const announce = useAnnounce()
  const list = useRef<HTMLUListElement>(null)
  /** Number of entries before the next page was requested. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    announce(describe(shown - first))
    // The button disappears with the last page: focus moves to the first new entry.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector<HTMLElement>('button, input')?.focus()
  }, [announce, shown, describe])

  function showMore() {
    if (isLoadingMore) return
    before.current = shown
    void loadMore()
  }

  return { list, showMore }
}
