import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { noteLimit, type ReportDecision, type ReportedPost } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure, failureMessage, completeDeletion } from '../../api/failure.ts'
import { reloadLists, removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, Form, textIn } from '../../ui/form.tsx'
import { ActionEntry, ActionLog, RecordDetails, describeRecord } from '../../ui/moderation-record.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import styles from './moderation.module.css'
import { ReportedPostItem } from './reported-post-item.tsx'

/** Reported and hidden posts, and the audit log. @param props.canDelete false for moderators */
export function ModerationScreen({ canDelete }: { canDelete: boolean }) {
  const reported = trpc.moderation.listReported.useQuery()
  const { moderate, setSensitive, isBusy, failure } = useModeration()
  const [hiding, setHiding] = useState<ReportedPost | null>(null)
  const [deleting, setDeleting] = useState<Post | null>(null)
  const { data } = reported
  const { t, i18n } = useLingui()
  return (
    <div className={styles['screen']}>
      <QueryState query={reported} failed={t`The reports could not be loaded.`} />
      <Notice>{failure}</Notice>
      {data && (
        <p className={styles['count']} tabIndex={-1} id="reported-count">
          {describeCount(data.entries.length, data.total, i18n)}
        </p>
      )}
      {data && data.entries.length > 0 && (
        <ul className={styles['posts']}>
          {data.entries.map((entry) => (
            <ReportedPostItem
              key={entry.post.id}
              entry={entry}
              isBusy={isBusy}
              onModerate={(action) => void moderate(entry, action)}
              onHide={() => setHiding(entry)}
              onSetSensitive={(isSensitive) => void setSensitive(entry, isSensitive)}
              onDelete={canDelete ? () => setDeleting(entry.post) : null}
            />
          ))}
        </ul>
      )}
      <AuditLog />
      {hiding && (
        <HidePost
          key={hiding.post.id}
          post={hiding.post}
          onHide={(note) => void moderate(hiding, 'hide', note)}
          onClosed={() => setHiding(null)}
        />
      )}
      {deleting && (
        <DeleteReportedPost key={deleting.id} post={deleting} onClosed={() => setDeleting(null)} />
      )}
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
  const toast = useToast()
  const { t, i18n } = useLingui()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function act(call: () => Promise<unknown>, outcome: string, changesLists: boolean): Promise<void> {
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    try {
      await call()
      toast(outcome)
    } catch (error) {
      // A post deleted meanwhile disappears from the reloaded list.
      if (describeFailure(error).reason !== 'not_found')
        setFailure(failureMessage(error, i18n) ?? t`The action failed. Try again in a moment.`)
    }
    await api.moderation.invalidate()
    if (changesLists) reloadLists(queryClient)
    setIsBusy(false)
  }

  function moderate(entry: ReportedPost, action: ReportDecision, note = ''): Promise<void> {
    const { id } = entry.post
    const { moderation } = api.client
    const call = () =>
      action === 'hide' ? moderation.hide.mutate({ id, note }) : moderation[action].mutate({ id })
    return act(call, i18n._(describeOutcome(action, entry)), action !== 'dismiss')
  }

  function setSensitive({ post: { id } }: ReportedPost, isSensitive: boolean): Promise<void> {
    const call = () => api.client.moderation.setSensitive.mutate({ id, isSensitive })
    const outcome = isSensitive
      ? t`The post is marked as sensitive.`
      : t`The post is no longer marked as sensitive.`
    return act(call, outcome, true)
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
  const toast = useToast()
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
      call={async () => {
        await completeDeletion(client.posts.delete.mutate({ id: post.id }))
        removePosts(queryClient, ({ photo }) => photo === post.photo)
        await moderation.invalidate()
        toast(t`The post is deleted.`)
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
    <section aria-labelledby="audit-log" className={styles['log']}>
      <h2 id="audit-log" className={styles['heading']}>
        <Trans>Audit log</Trans>
      </h2>
      <QueryState query={query} failed={t`The log could not be loaded.`} />
      {data?.length === 0 && (
        <p className={styles['quiet']}>
          <Trans>No actions yet.</Trans>
        </p>
      )}
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
  const [open, setOpen] = useState(true)
  const { t } = useLingui()
  const { name } = props.post
  function hide(form: HTMLFormElement) {
    props.onHide(textIn(form, 'note'))
    setOpen(false)
  }
  return (
    <Dialog
      open={open}
      title={
        <Trans>
          Hide the post of <UserText text={name} />?
        </Trans>
      }
      description={t`Only its author, moderators and administrators see the image then. You can unhide it at any time.`}
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={props.onClosed}
    >
      <Form onSubmit={hide}>
        <Field
          label={t`Note to the author (optional)`}
          hint={t`The author reads it with the reasons of the reports, and may appeal once. Your name is not shown.`}
        >
          {(control) => <textarea {...control} name="note" rows={3} maxLength={noteLimit.characters} />}
        </Field>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit">
            <Trans>Hide</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
