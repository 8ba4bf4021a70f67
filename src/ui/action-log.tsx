import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Fragment } from 'react'
import type { ModerationAction, ModerationRecord } from '../../shared/moderation.ts'
import { DataTable, type Column } from './data-table.tsx'
import { DateTime } from './formats.tsx'
import { reasonLabels } from './post-options.ts'
import { Sentence } from './sentence.tsx'

/** An action of an administrator or moderator. */
export interface LoggedAction {
  readonly id: string | number
  readonly at: string
  readonly sentence: MessageDescriptor
  readonly details: readonly MessageDescriptor[]
}

/** Actions, newest first. @param props.label sets it apart from another log of the page */
export function ActionLog({ actions, label }: { actions: readonly LoggedAction[]; label?: string }) {
  const { t } = useLingui()
  const columns = useActionColumns()
  if (actions.length === 0) return <p className="quiet">{t`No actions yet.`}</p>
  return <DataTable label={label ?? t`Actions`} columns={columns} rows={actions} rowKey={({ id }) => id} />
}

function useActionColumns(): readonly Column<LoggedAction>[] {
  const { t } = useLingui()
  return [
    {
      title: t`Action`,
      cell: ({ sentence, details }) => (
        <>
          <p>
            <Sentence of={sentence} />
          </p>
          {details.length > 0 && (
            <p className="quiet small">
              {details.map((detail, index) => (
                <Fragment key={detail.id}>
                  {index > 0 && ' · '}
                  <Sentence of={detail} />
                </Fragment>
              ))}
            </p>
          )}
        </>
      ),
    },
    { title: t({ message: 'Time', context: 'of an action' }), cell: ({ at }) => <DateTime at={at} /> },
  ]
}

/** Describes a decision about a post, with the reasons and notes that belong to it. */
export function moderationAction(record: ModerationRecord, i18n: I18n): LoggedAction {
  const { createdAt: at, postId, action, reasons, note, authorId, postName } = record
  const listedReasons = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  const details = [
    ...(listedReasons ? [msg`Reported: ${listedReasons}`] : []),
    ...(note ? [msg`Note: “${note}”`] : []),
    // Of a post that is deleted or private.
    ...(postName === null && authorId !== null ? [msg`Author’s account: ${authorId}`] : []),
  ]
  return { id: `${at}-${postId}-${action}`, at, sentence: describeRecord(record), details }
}

function describeRecord(record: ModerationRecord): MessageDescriptor {
  const { administrator, action, postName: author, postId, reasons } = record
  const sentences: Readonly<Record<ModerationAction | 'dismiss_appeal', MessageDescriptor>> = {
    hide:
      author === null
        ? msg`${administrator} hid post ${postId}.`
        : msg`${administrator} hid a post of ${author}.`,
    unhide:
      author === null
        ? msg`${administrator} unhid post ${postId}.`
        : msg`${administrator} unhid a post of ${author}.`,
    dismiss:
      author === null
        ? msg`${administrator} dismissed the reports of post ${postId}.`
        : msg`${administrator} dismissed the reports of a post of ${author}.`,
    dismiss_appeal:
      author === null
        ? msg`${administrator} dismissed the appeal about post ${postId}.`
        : msg`${administrator} dismissed the appeal about a post of ${author}.`,
    delete: msg`${administrator} deleted post ${postId}.`,
    mark_sensitive:
      author === null
        ? msg`${administrator} set a sensitive mark on post ${postId}.`
        : msg`${administrator} set a sensitive mark on a post of ${author}.`,
    unmark_sensitive:
      author === null
        ? msg`${administrator} removed the sensitive mark from post ${postId}.`
        : msg`${administrator} removed the sensitive mark from a post of ${author}.`,
  }
  // Reports have reasons.
  return sentences[action === 'dismiss' && reasons.length === 0 ? 'dismiss_appeal' : action]
}
