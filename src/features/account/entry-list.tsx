import { Children, useRef } from 'react'
import type { ReactNode } from 'react'
import { completeDeletion } from '../../api/failure.ts'
import { findNeighborButton } from '../../browser/apis.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Facts } from '../../ui/facts.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
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
      <Facts>{props.children}</Facts>
    </li>
  )
}

/**
 * Asks for confirmation, then deletes an entry. Focus moves to a button of its neighbor, or to the form of the section if it
 * was the last.
 *
 * @param props.id id of the entry's element
 * @param props.remove deletes it on the server
 * @param props.onRemoved called when it is deleted, also if it was before
 */
export function DeleteEntry(props: {
  id: string
  title: ReactNode
  description: string
  confirm: string
  outcome: string
  remove: () => Promise<unknown>
  onRemoved: () => Promise<void>
  onClosed: () => void
}) {
  const focusAfter = useRef<HTMLElement | null>(null)
  const toast = useToast()

  async function remove() {
    await completeDeletion(props.remove())
    focusAfter.current =
      findNeighborButton(props.id) ??
      document.getElementById(props.id)?.closest('section')?.querySelector<HTMLElement>('form input') ??
      null
    await props.onRemoved()
    toast(props.outcome)
  }

  return (
    <ConfirmCall
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      call={remove}
      focusAfter={() => focusAfter.current}
      onClosed={props.onClosed}
    />
  )
}
