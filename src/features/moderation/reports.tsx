import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { fitUrl } from '../../../shared/image-files.ts'
import { noteLimit, type ReportDecision, type ReportedPost } from '../../../shared/moderation.ts'
import { completeDeletion } from '../../api/missing.ts'
import { reloadLists, removePosts } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { averageColor } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { TextArea } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Notice } from '../../ui/notice.tsx'
import { reasonLabels } from '../../ui/post-options.ts'
import { UserText } from '../../ui/text.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import { ActionLog, moderationAction } from '../../ui/action-log.tsx'
import styles from './reports.module.css'

/** Reported and hidden posts, and the audit log. */
export function Reports() {
  const canDelete = useSession().viewer?.role === 'administrator'
  const reported = trpc.moderation.listReported.useQuery()
  const [dialog, open] = useDialog()
  const { data } = reported
  const api = trpc.useUtils()
  const { moderation: calls } = api.client
  const queryClient = useQueryClient()
  const { t, i18n } = useLingui()
  const { run, isBusy, failure } = useCall(t`The action failed. Try again in a moment.`)

  /** Makes a call, then reloads every list that shows its post. */
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
    const call = () => (action === 'hide' ? calls.hide.mutate({ id, note }) : calls[action].mutate({ id }))
    act(call, i18n._(describeOutcome(action, entry)), action !== 'dismiss')
  }

  const hide = (entry: ReportedPost) =>
    open(
      <FormDialog
        title={
          <Trans>
            Hide the post of <UserText text={entry.post.name} />?
          </Trans>
        }
        description={t`Only its author, moderators and administrators see the image then. You can unhide it at any time.`}
        submit={t`Hide`}
        call={async (text) => moderate(entry, 'hide', text('note'))}
      >
        <TextArea
          label={t`Note to the author (optional)`}
          hint={t`The author reads it with the reasons of the reports, and may appeal once. Your name is not shown.`}
          name="note"
          maxLength={noteLimit.characters}
        />
      </FormDialog>,
    )

  const remove = ({ post }: ReportedPost) =>
    open(
      <ConfirmCall
        title={
          <Trans>
            Delete the post of <UserText text={post.name} />?
          </Trans>
        }
        description={t`The image is deleted permanently, with every post that shows it. Its author cannot share it again.`}
        confirm={t`Delete`}
        outcome={t`The post is deleted.`}
        call={async () => {
          await completeDeletion(api.client.posts.delete.mutate({ id: post.id }))
          removePosts(queryClient, ({ photo }) => photo === post.photo)
          await api.moderation.invalidate()
          return () => document.getElementById('reported-count')
        }}
        failed={t`The post could not be deleted. Try again in a moment.`}
      />,
    )

  const setSensitive = ({ post: { id } }: ReportedPost, isSensitive: boolean) =>
    act(
      () => calls.setSensitive.mutate({ id, isSensitive }),
      isSensitive ? t`The post is marked as sensitive.` : t`The post is no longer marked as sensitive.`,
    )

  return (
    <div className={`stack widest ${styles['screen']}`}>
      <QueryState query={reported} failed={t`The reports could not be loaded.`} />
      <Notice>{failure?.code !== 'not_found' && failure?.message}</Notice>
      {data && (
        <p className="quiet" tabIndex={-1} id="reported-count">
          {describeCount(data.entries.length, data.total, i18n)}
        </p>
      )}
      {data && data.entries.length > 0 && (
        <ul className="stack">
          {data.entries.map((entry) => (
            <ReportedPostItem
              key={entry.post.id}
              entry={entry}
              isBusy={isBusy}
              onModerate={(action) => (action === 'hide' ? hide(entry) : moderate(entry, action))}
              onSetSensitive={(isSensitive) => setSensitive(entry, isSensitive)}
              onDelete={canDelete ? () => remove(entry) : null}
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

/** The latest actions of administrators, newest first. */
function AuditLog() {
  const query = trpc.moderation.auditLog.useQuery()
  const { data } = query
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="audit-log" className={`stack ${styles['log']}`}>
      <h2 id="audit-log">{t`Audit log`}</h2>
      <QueryState query={query} failed={t`The log could not be loaded.`} />
      {data && <ActionLog actions={data.map((record) => moderationAction(record, i18n))} />}
    </section>
  )
}

/** A reported or hidden post with its reports and the actions on it. */
function ReportedPostItem(props: {
  entry: ReportedPost
  isBusy: boolean
  onModerate: (action: ReportDecision) => void
  onSetSensitive: (isSensitive: boolean) => void
  /** Null for moderators, who hide posts only. */
  onDelete: (() => void) | null
}) {
  const { post, isHidden, isWithdrawn, postsOfImage, reports, reportCount, appeal } = props.entry
  const promptId = useId()
  const { t, i18n } = useLingui()
  const notListed = reportCount - reports.length
  const action = { 'aria-describedby': promptId, isBusy: props.isBusy }
  return (
    <li className={`card padded ${styles['post']}`}>
      <a
        className={styles['image']}
        href={post.photo}
        target="_blank"
        rel="noreferrer"
        aria-label={t`Open the original image in a new tab`}
      >
        <img
          src={fitUrl(post.photo, 640)}
          width={post.width}
          height={post.height}
          alt=""
          loading="lazy"
          decoding="async"
          style={{ backgroundColor: averageColor(post.placeholder) }}
        />
      </a>
      <div className={`stack wider ${styles['facts']}`}>
        <p id={promptId} className={`breakable ${styles['comment']}`}>
          {post.isPromptHidden ? (
            <em>{t`The author keeps the prompt private.`}</em>
          ) : (
            <UserText text={post.prompt}>
              <WrappedText text={post.prompt} />
            </UserText>
          )}
        </p>
        <div className={`line ${styles['byline']}`}>
          <p className="quiet small breakable">
            <UserText text={post.name} /> · <DateTime at={post.createdAt} />
          </p>
          {isHidden && (
            <Badge tone="danger">{isWithdrawn ? t`Hidden, deleted by its author` : t`Hidden`}</Badge>
          )}
          {post.isSensitive && <Badge tone="accent">{t`Sensitive`}</Badge>}
        </div>
        {isWithdrawn && (
          <p className="quiet small breakable">{t`The author’s deletion takes effect when you unhide it.`}</p>
        )}
        {postsOfImage > 1 && (
          <p className="quiet small breakable">
            <Plural
              value={postsOfImage}
              one="# post shows this image. It is hidden, unhidden and deleted with it."
              other="# posts show this image. They are hidden, unhidden and deleted together."
            />
          </p>
        )}
        {appeal && (
          <p className={`small ${styles['reports']}`}>
            <span className="name">
              <Trans>
                Appeal by <UserText text={post.name} />
              </Trans>
            </span>{' '}
            · <Remark at={appeal.createdAt} comment={appeal.comment} />
          </p>
        )}
        {reportCount > 0 && (
          <ul className={`stack tight small ${styles['reports']}`} aria-label={t`Reports`}>
            {reports.map(({ id, reason, createdAt, comment }) => (
              <li key={id}>
                <span className="name">{i18n._(reasonLabels[reason])}</span> ·{' '}
                <Remark at={createdAt} comment={comment} />
              </li>
            ))}
            {notListed > 0 && <li>{t`${plural(notListed, { one: 'and # more', other: 'and # more' })}`}</li>}
          </ul>
        )}
        <div className="row wider">
          <Button {...action} onClick={() => props.onModerate(isHidden ? 'unhide' : 'hide')}>
            {isHidden ? t`Unhide` : t`Hide`}
          </Button>
          {(reportCount > 0 || appeal) && (
            <Button {...action} onClick={() => props.onModerate('dismiss')}>
              {i18n._(dismissLabel(props.entry))}
            </Button>
          )}
          <Button {...action} onClick={() => props.onSetSensitive(!post.isSensitive)}>
            {post.isSensitive ? t`Not sensitive` : t`Mark as sensitive`}
          </Button>
          {props.onDelete && (
            <Button variant="danger" aria-describedby={promptId} onClick={props.onDelete}>
              {t`Delete`}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

function dismissLabel({ reportCount, appeal }: ReportedPost): MessageDescriptor {
  if (reportCount === 0) return msg`Dismiss the appeal`
  if (appeal) return msg`Dismiss reports and appeal`
  return reportCount === 1 ? msg`Dismiss the report` : msg`Dismiss the reports`
}

/** The time of a report or appeal, and what its author wrote. */
function Remark({ at, comment }: { at: string; comment: string }) {
  return (
    <>
      <DateTime at={at} />
      {comment && (
        <UserText as="q" text={comment} className={`breakable ${styles['comment']}`}>
          <WrappedText text={comment} />
        </UserText>
      )}
    </>
  )
}
