import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { reasonLabels } from '../../../shared/moderation.ts'
import type {
  ModerationAction,
  ModerationRecord,
  ReportDecision,
  ReportedPost,
} from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure, isDeletionDone } from '../../api/failure.ts'
import { reloadLists, removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { HidePost } from './hide-post.tsx'
import styles from './moderation.module.css'
import { ReportedPostItem } from './reported-post-item.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** Reported and hidden posts, and the audit log. */
export function ModerationScreen() {
  const reported = trpc.moderation.listReported.useQuery()
  const { moderate, setSensitive, isBusy, failure } = useModeration()
  const [hiding, setHiding] = useState<ReportedPost | null>(null)
  const [deleting, setDeleting] = useState<Post | null>(null)
  const { data } = reported
  return (
    <div className={styles['screen']}>
      <Notice action={reported.isError && <Button onClick={() => void reported.refetch()}>Try again</Button>}>
        {reported.error && (describeFailure(reported.error).message ?? 'The reports could not be loaded.')}
      </Notice>
      <Notice>{failure}</Notice>
      {data && (
        <p className={styles['count']} tabIndex={-1} id="reported-count">
          {describeCount(data.entries.length, data.total)}
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
              onDelete={() => setDeleting(entry.post)}
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

function describeCount(shown: number, total: number): string {
  if (total === 0) return 'Nothing to review.'
  const posts = total === 1 ? '1 post is' : `${total.toLocaleString('en')} posts are`
  return shown < total
    ? `${posts} reported or hidden. Showing the ${shown} most recent.`
    : `${posts} reported or hidden.`
}

/** Performs actions on reported posts, then reloads every list that shows them. */
function useModeration() {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const toast = useToast()
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
      const { reason, message } = describeFailure(error)
      // A post deleted meanwhile disappears from the reloaded list.
      if (reason !== 'not_found') setFailure(message ?? 'The action failed. Try again in a moment.')
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
    return act(call, describeOutcome(action, entry), action !== 'dismiss')
  }

  function setSensitive({ post: { id } }: ReportedPost, isSensitive: boolean): Promise<void> {
    const call = () => api.client.moderation.setSensitive.mutate({ id, isSensitive })
    const outcome = isSensitive
      ? 'The post is marked as sensitive.'
      : 'The post is no longer marked as sensitive.'
    return act(call, outcome, true)
  }

  return { moderate, setSensitive, isBusy, failure }
}

function describeOutcome(action: ReportDecision, { isWithdrawn, reportCount }: ReportedPost): string {
  switch (action) {
    case 'hide':
      return 'The image is hidden.'
    case 'unhide':
      return isWithdrawn ? 'The image is no longer hidden.' : 'The post is in the gallery again.'
    case 'dismiss':
      return reportCount > 0 ? 'The reports are dismissed.' : 'The appeal is dismissed.'
  }
}

/** Asks for confirmation, then deletes a reported post. */
function DeleteReportedPost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const isDeleted = useRef(false)
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const toast = useToast()
  const remove = trpc.posts.delete.useMutation()

  async function confirm() {
    if (!(await isDeletionDone(remove.mutateAsync({ id: post.id })))) return
    isDeleted.current = true
    removePosts(queryClient, ({ photo }) => photo === post.photo)
    await api.moderation.invalidate()
    toast('The post is deleted.')
    setOpen(false)
  }

  return (
    <ConfirmDialog
      open={open}
      title={
        <>
          Delete the post of <UserText text={post.name} />?
        </>
      }
      description="The image is deleted permanently, with every post that shows it. Its author cannot share it again."
      confirm="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      failure={
        remove.error &&
        (describeFailure(remove.error).message ?? 'The post could not be deleted. Try again in a moment.')
      }
      focusAfter={() => (isDeleted.current ? document.getElementById('reported-count') : null)}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={onClosed}
    />
  )
}

const actionVerbs: Readonly<Record<ModerationAction, string>> = {
  hide: 'hid',
  unhide: 'unhid',
  dismiss: 'dismissed the reports of',
  delete: 'deleted',
  mark_sensitive: 'set a sensitive mark on',
  unmark_sensitive: 'removed the sensitive mark from',
}

/** The latest actions of administrators, newest first. */
function AuditLog() {
  const { data, error } = trpc.moderation.auditLog.useQuery()
  return (
    <section aria-labelledby="audit-log" className={styles['log']}>
      <h2 id="audit-log" className={styles['heading']}>
        Audit log
      </h2>
      <Notice>{error && (describeFailure(error).message ?? 'The log could not be loaded.')}</Notice>
      {data?.length === 0 && <p className={styles['quiet']}>No actions yet.</p>}
      {data && data.length > 0 && (
        <ol className={styles['records']}>
          {data.map((record) => (
            <li key={`${record.createdAt}-${record.postId}-${record.action}`}>
              <DateTime at={record.createdAt} /> {describeRecord(record)}
              <RecordDetails record={record} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function describeRecord({ administrator, action, postName, postId, reasons }: ModerationRecord): string {
  const post = postName === null ? `post ${postId}, which no longer exists` : `a post of ${postName}`
  // Reports have reasons.
  const verb =
    action === 'dismiss' && reasons.length === 0 ? 'dismissed the appeal about' : actionVerbs[action]
  return `${administrator} ${verb} ${action === 'delete' ? `post ${postId}` : post}.`
}

/** Reasons of the reports, the note to the author and, if the post no longer exists, its author. */
function RecordDetails({ record: { reasons, note, authorId, postName } }: { record: ModerationRecord }) {
  const details = [
    ...(reasons.length > 0 ? [`Reported: ${reasons.map((reason) => reasonLabels[reason]).join('; ')}`] : []),
    ...(note ? [`Note: “${note}”`] : []),
    ...(postName === null && authorId !== null ? [`Author’s account: ${authorId}`] : []),
  ]
  return details.length > 0 && <p className={styles['details']}>{details.join(' · ')}</p>
}
