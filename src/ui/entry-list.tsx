import { Children, useId, useLayoutEffect, useRef, type ReactNode, type Ref } from 'react'
import { announce } from './announcer.tsx'
import { Button } from './button.tsx'
import styles from './entry-list.module.css'
import { DateTime } from './formats.tsx'

/** A list with lines between its entries. `empty` replaces a list without entries. */
export function EntryList(props: {
  label?: string
  empty?: string
  ref?: Ref<HTMLUListElement>
  className?: string | undefined
  children: ReactNode
}) {
  const { label, empty, ref, className = 'lined', children } = props
  if (Children.count(children) === 0) return empty && <p className="quiet">{empty}</p>
  return (
    <ul ref={ref} className={className} aria-label={label}>
      {children}
    </ul>
  )
}

/**
 * An entry with its name, its state and facts about it.
 *
 * @param props.actions labels of buttons, and what they do
 */
export function Entry(props: {
  name: ReactNode
  badge?: ReactNode
  actions: readonly (readonly [label: string, act: () => void, isBusy?: boolean])[]
  children: ReactNode
}) {
  const nameId = useId()
  return (
    <li className={styles['entry']}>
      <div className="line">
        <p id={nameId} className="name">
          {props.name}
        </p>
        {props.badge}
      </div>
      <div className={`row ${styles['actions']}`}>
        {props.actions.map(([label, act, isBusy = false]) => (
          <Button key={label} aria-describedby={nameId} isBusy={isBusy} onClick={act}>
            {label}
          </Button>
        ))}
      </div>
      <Facts>{props.children}</Facts>
    </li>
  )
}

/** Facts in columns, or a line each on phones. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={`row small breakable ${styles['facts']}`}>{children}</dl>
}

/** A short label next to a name, such as a role or a state. */
export function Badge({ tone, children }: { tone?: 'accent' | 'danger' | undefined; children: ReactNode }) {
  return (
    <span className={`quiet small strong ${styles['badge']} ${tone ? styles[tone] : ''}`}>{children}</span>
  )
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
  const className = [isWide && styles['wide'], isBad && styles['bad']].filter(Boolean).join(' ')
  return (
    <div className={className || undefined}>
      <dt>{label}</dt>
      <dd>
        {at === null ? never : at && <DateTime at={at} />}
        {children}
      </dd>
    </div>
  )
}

/** Loads the next page of a list, and announces the number of new entries. */
export function useShowMore<List extends HTMLElement = HTMLUListElement>(
  query: {
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>
  },
  shown: number,
  describe: (added: number) => string,
) {
  const list = useRef<List>(null)
  /** Number of entries before the next page was requested. */
  const before = useRef<number | null>(null)

  useLayoutEffect(() => {
    const first = before.current
    if (first === null || shown <= first) return
    before.current = null
    announce(describe(shown - first))
    // The button disappears with the last page: focus moves to the first new entry.
    const hasLostFocus = document.activeElement === document.body
    if (hasLostFocus) list.current?.children[first]?.querySelector<HTMLElement>('a, button, input')?.focus()
  }, [shown, describe])

  function showMore() {
    if (query.isFetchingNextPage) return
    before.current = shown
    void query.fetchNextPage({ cancelRefetch: false })
  }

  return { list, showMore }
}
