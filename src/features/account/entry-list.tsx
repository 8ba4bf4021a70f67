import { Children } from 'react'
import type { ReactNode } from 'react'
import { UserText } from '../../ui/user-text.tsx'
import styles from './entry-list.module.css'

/** A list of what belongs to an account, such as its API keys. `empty` replaces a list without entries. */
export function EntryList(props: { label: string; empty: string; children: ReactNode }) {
  if (Children.count(props.children) === 0) return <p className={styles['quiet']}>{props.empty}</p>
  return (
    <ul className={styles['list']} aria-label={props.label}>
      {props.children}
    </ul>
  )
}

/**
 * An entry with the name that the user gave it, its actions and its facts.
 *
 * @param props.nameId id of the name, which describes the actions
 */
export function Entry(props: {
  id: string
  nameId: string
  name: string
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <li id={props.id} className={styles['entry']}>
      <p id={props.nameId} className={styles['name']}>
        <UserText text={props.name} />
      </p>
      <div className={styles['actions']}>{props.actions}</div>
      <dl className={styles['facts']}>{props.children}</dl>
    </li>
  )
}

export function Fact(props: { label: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className={props.isBad ? styles['bad'] : undefined}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
