import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { noteLimit, type ReportDecision, type ReportedPost } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { completeDeletion } from '../../api/failure.ts'
import { reloadLists, removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useDialog } from '../../ui/use-dialog.tsx'
import { TextArea } from '../../ui/form.tsx'
import { ActionEntry, ActionLog, RecordDetails, describeRecord } from '../../ui/moderation-record.tsx'
import { Notice } from '../../ui/notice.tsx'
import ui from '../../ui/primitives.module.css'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import styles from './moderation.module.css'
import { ReportedPostItem } from './reported-post-item.tsx'

/** Reported and hidden posts, and the audit log. @param props.canDelete false for moderators */
export function ModerationScreen({ canDelete }: { canDelete: boolean }) {
  const reported = trpc.moderation.listReported.useQuery()
  const { moderate, setSensitive, isBusy, failure } = useModeration()
  const [dialog, open] = useDialog()
  const { data } = reported
  const { t, i18n } = useLingui()
  return (
    <div className={`${ui['stack']} ${styles['screen']}`}>
      <QueryState query={reported} failed={t`The reports could not be loaded.`} />
      <Notice>{failure?.code !== 'not_found' && failure?.message}</Notice>
      {data && (
        <p className={ui['quiet']} tabIndex={-1} id="reported-count">
          {describeCount(data.entries.length, data.total, i18n)}
        </p>
      )}
      {data && data.entries.length > 0 && (
        <ul className={ui['stack']}>
          {data.entries.map((entry) => (
            <ReportedPostItem
              key={entry.post.id}
              entry={entry}
              isBusy={isBusy}
              onModerate={(action) => moderate(entry, action)}
              onHide={() =>
                open((onClosed) => (
                  <HidePost
                    post={entry.post}
                    onHide={(note) => moderate(entry, 'hide', note)}
                    onClosed={onClosed}
                  />
                ))
              }
              onSetSensitive={(isSensitive) => setSensitive(entry, isSensitive)}
              onDelete={
                canDelete
                  ? () => open((onClosed) => <DeleteReportedPost post={entry.post} onClosed={onClosed} />)
                  : null
              }
            />
          ))}
        </ul>
      )}
      <AuditLog />
      {dialog}
    </div>
  )
}

function describeCount(shown: number, total: number, i18n: I18n): string {
  if (total === 0) return i18n._(msg`Nothing to review.`)
  return shown < total
    ? i18n._(
        msg`${plural(total, { one: '# post is', other: '# posts are' })} reported or hidden. Showing the ${shown} most recent.`,
      )
    : i18n._(
        msg`${plural(total, { one: '# post is reported or hidden.', other: '# posts are reported or hidden.' })}`,
      )
}

/** Performs actions on reported posts, then reloads every list that shows them. */
function useModeration() {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const { t, i18n } = useLingui()
  const { run, isBusy, failure } = useCall(t`The action failed. Try again in a moment.`)

  function act(call: () => Promise<unknown>, outcome: string, changesLists = true) {
    run(async () => {
      try {
        await call()
      } finally {
        // A post deleted meanwhile disappears from the list.
        await api.moderation.invalidate()
        if (changesLists) reloadLists(queryClient)
      }
    }, outcome)
  }

  function moderate(entry: ReportedPost, action: ReportDecision, note = '') {
    const { id } = entry.post
    const { moderation } = api.client
    const call = () =>
      action === 'hide' ? moderation.hide.mutate({ id, note }) : moderation[action].mutate({ id })
    act(call, i18n._(describeOutcome(action, entry)), action !== 'dismiss')
  }

  function setSensitive({ post: { id } }: ReportedPost, isSensitive: boolean) {
    act(
      () => api.client.moderation.setSensitive.mutate({ id, isSensitive }),
      isSensitive ? t`The post is marked as sensitive.` : t`The post is no longer marked as sensitive.`,
    )
  }

  return { moderate, setSensitive, isBusy, failure }
}

function describeOutcome(
  action: ReportDecision,
  { isWithdrawn, reportCount }: ReportedPost,
): MessageDescriptor {
  switch (action) {
    case 'hide':
      return msg`The image is hidden.`
    case 'unhide':
      return isWithdrawn ? msg`The image is no longer hidden.` : msg`The post is in the gallery again.`
    case 'dismiss':
      return reportCount > 0 ? msg`The reports are dismissed.` : msg`The appeal is dismissed.`
  }
}

/** Asks for confirmation, then deletes a reported post. */
function DeleteReportedPost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const { client, moderation } = trpc.useUtils()
  const queryClient = useQueryClient()
  const { t } = useLingui()
  const { name } = post
  return (
    <ConfirmCall
      title={
        <Trans>
          Delete the post of <UserText text={name} />?
        </Trans>
      }
      description={t`The image is deleted permanently, with every post that shows it. Its author cannot share it again.`}
      confirm={t`Delete`}
      outcome={t`The post is deleted.`}
      call={async () => {
        await completeDeletion(client.posts.delete.mutate({ id: post.id }))
        removePosts(queryClient, ({ photo }) => photo === post.photo)
        await moderation.invalidate()
        return () => document.getElementById('reported-count')
      }}
      failed={t`The post could not be deleted. Try again in a moment.`}
      onClosed={onClosed}
    />
  )
}

/** The latest actions of administrators, newest first. */
function AuditLog() {
  const query = trpc.moderation.auditLog.useQuery()
  const { data } = query
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="audit-log" className={`${ui['stack']} ${styles['log']}`}>
      <h2 id="audit-log" className={ui['title']}>
        {t`Audit log`}
      </h2>
      <QueryState query={query} failed={t`The log could not be loaded.`} />
      {data?.length === 0 && <p className={ui['quiet']}>{t`No actions yet.`}</p>}
      {data && data.length > 0 && (
        <ActionLog>
          {data.map((record) => (
            <ActionEntry
              key={`${record.createdAt}-${record.postId}-${record.action}`}
              at={record.createdAt}
              sentence={i18n._(describeRecord(record))}
            >
              <RecordDetails record={record} />
            </ActionEntry>
          ))}
        </ActionLog>
      )}
    </section>
  )
}

/** Asks for a note to the author, then hides a post. */
export function HidePost(props: { post: Post; onHide: (note: string) => void; onClosed: () => void }) {
  const { t } = useLingui()
  const { name } = props.post
  return (
    <FormDialog
      title={
        <Trans>
          Hide the post of <UserText text={name} />?
        </Trans>
      }
      description={t`Only its author, moderators and administrators see the image then. You can unhide it at any time.`}
      submit={t`Hide`}
      call={async (text) => props.onHide(text('note'))}
      onClosed={props.onClosed}
    >
      <TextArea
        label={t`Note to the author (optional)`}
        hint={t`The author reads it with the reasons of the reports, and may appeal once. Your name is not shown.`}
        name="note"
        maxLength={noteLimit.characters}
      />
    </FormDialog>
  )
}
