import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ModerationAction, ModerationRecord } from '../../shared/moderation.ts'
import { DateTime } from './formats.tsx'
import { reasonLabels } from './post-options.ts'
import styles from './moderation-record.module.css'

/** Actions of administrators and moderators, newest first. */
export function ActionLog({ children }: { children: ReactNode }) {
  return <ol className="lined">{children}</ol>
}

/**
 * An action in a log, with its time.
 *
 * @param props.children details, as `p`
 */
export function ActionEntry(props: { at: string; sentence: string; children: ReactNode }) {
  return (
    <li className={styles['entry']}>
      <DateTime at={props.at} />
      <div className={`breakable ${styles['words']}`}>
        <p dir="auto">{props.sentence}</p>
        {props.children}
      </div>
    </li>
  )
}

/** Describes an action on a post in a sentence. */
export function describeRecord({
  administrator,
  action,
  postName,
  postId,
  reasons,
}: ModerationRecord): MessageDescriptor {
  // Reports have reasons.
  const isAboutAppeal = action === 'dismiss' && reasons.length === 0
  const sentences = postName === null ? ofUnnamedPost : ofPost
  return sentences[isAboutAppeal ? 'dismiss_appeal' : action](administrator, postName ?? postId, postId)
}

type Sentences = Readonly<
  Record<
    ModerationAction | 'dismiss_appeal',
    (administrator: string, post: string, postId: string) => MessageDescriptor
  >
>

const deleted: Sentences['delete'] = (administrator, _, postId) =>
  msg`${administrator} deleted post ${postId}.`

const ofPost: Sentences = {
  hide: (administrator, author) => msg`${administrator} hid a post of ${author}.`,
  unhide: (administrator, author) => msg`${administrator} unhid a post of ${author}.`,
  dismiss: (administrator, author) => msg`${administrator} dismissed the reports of a post of ${author}.`,
  dismiss_appeal: (administrator, author) =>
    msg`${administrator} dismissed the appeal about a post of ${author}.`,
  delete: deleted,
  mark_sensitive: (administrator, author) =>
    msg`${administrator} set a sensitive mark on a post of ${author}.`,
  unmark_sensitive: (administrator, author) =>
    msg`${administrator} removed the sensitive mark from a post of ${author}.`,
}

const ofUnnamedPost: Sentences = {
  hide: (administrator, postId) => msg`${administrator} hid post ${postId}.`,
  unhide: (administrator, postId) => msg`${administrator} unhid post ${postId}.`,
  dismiss: (administrator, postId) => msg`${administrator} dismissed the reports of post ${postId}.`,
  dismiss_appeal: (administrator, postId) => msg`${administrator} dismissed the appeal about post ${postId}.`,
  delete: deleted,
  mark_sensitive: (administrator, postId) => msg`${administrator} set a sensitive mark on post ${postId}.`,
  unmark_sensitive: (administrator, postId) =>
    msg`${administrator} removed the sensitive mark from post ${postId}.`,
}

/** Reasons of the reports, the note to the author and, if the post is deleted or private, its author. */
export function RecordDetails({
  record: { reasons, note, authorId, postName },
}: {
  record: ModerationRecord
}) {
  const { t, i18n } = useLingui()
  const listedReasons = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  const details = [
    ...(listedReasons ? [t`Reported: ${listedReasons}`] : []),
    ...(note ? [t`Note: “${note}”`] : []),
    ...(postName === null && authorId !== null ? [t`Author’s account: ${authorId}`] : []),
  ]
  return details.length > 0 && <p>{details.join(' · ')}</p>
}
