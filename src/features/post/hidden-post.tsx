import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { noteLimit, type HiddenNotice } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { adminPath } from '../../../shared/routes.ts'
import { pageKeys } from '../../api/page-data.ts'
import { reloadLists } from '../../api/post-changes.ts'
import { trpc } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Notice } from '../../ui/notice.tsx'
import { reasonLabels } from '../../ui/post-options.ts'
import { UserText } from '../../ui/text.tsx'
import { useCall } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import styles from './post-view.module.css'

/** Says that a post is hidden and why, to its author with the appeal, and to moderators with what they can do. */
export function HiddenPost({ post, notice }: { post: Post; notice: HiddenNotice }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  const queryClient = useQueryClient()
  const { client } = trpc.useUtils()
  const isOwn = viewer?.id === post.authorId
  return (
    <HiddenNoticeCard
      notice={notice}
      sentence={
        isOwn
          ? t`This post was hidden. Only you, moderators and administrators see its image.`
          : t`This post is hidden. Only its author, moderators and administrators see it.`
      }
      unhidden={t`The post is in the gallery again.`}
      unhide={async () => {
        await client.moderation.unhide.mutate({ id: post.id })
        reloadLists(queryClient)
        await queryClient.invalidateQueries({ queryKey: pageKeys.everyPost(post.id) })
      }}
      renderAppeal={(sentenceId) =>
        isOwn &&
        !notice.appeal && <AppealForm postId={post.id} sentenceId={sentenceId} className="stack wider" />
      }
    />
  )
}

/** Says why something is hidden, with Unhide for moderators. */
export function HiddenNoticeCard(props: {
  notice: Omit<HiddenNotice, 'postId'>
  sentence: string
  /** Outcome of `unhide`. */
  unhidden: string
  unhide: () => Promise<void>
  renderAppeal?: (sentenceId: string) => ReactNode
}) {
  const { t } = useLingui()
  const { notice } = props
  const sentenceId = useId()
  const { viewer } = useSession()
  const { run, isBusy, failure } = useCall(t`The action failed. Try again in a moment.`)
  return (
    <section aria-labelledby={sentenceId} className={`stack wider card padded ${styles['hidden']}`}>
      <div className="stack tight breakable">
        <h2 id={sentenceId} tabIndex={-1} className="strong">
          {props.sentence}
        </h2>
        <p className="quiet small">
          <DateTime at={notice.createdAt} />
        </p>
        <NoticeFacts notice={notice} />
      </div>
      {props.renderAppeal?.(sentenceId)}
      {viewer && viewer.role !== 'member' && (
        <div className="row">
          <Button isBusy={isBusy} onClick={() => run(props.unhide, props.unhidden)}>{t`Unhide`}</Button>
          <Link href={adminPath('reports')} className={buttonClass('plain')}>{t`Reports`}</Link>
        </div>
      )}
      <Notice>{failure?.message}</Notice>
    </section>
  )
}

/** Reasons, note and appeal of a decision about a post or collection. @param props.className class of the note */
export function NoticeFacts(props: { notice: Omit<HiddenNotice, 'postId'>; className?: string | undefined }) {
  const { i18n, t } = useLingui()
  const { state, reasons, note, appeal } = props.notice
  const causes = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  return (
    <>
      {state !== 'restored' && reasons.length > 0 && <p>{t`Reported because: ${causes}`}</p>}
      {note && (
        <p className={props.className}>
          <Trans>
            Note on the decision: <UserText as="q" text={note} />
          </Trans>
        </p>
      )}
      {state === 'hidden' && appeal && (
        <p className="quiet small">
          {appeal.isDismissed ? (
            <Trans>
              Your appeal was dismissed: <UserText as="q" text={appeal.comment} />
            </Trans>
          ) : (
            <Trans>
              You have appealed, and there is no decision yet. <UserText as="q" text={appeal.comment} />
            </Trans>
          )}
        </p>
      )}
    </>
  )
}

/** A button that unfolds the form. */
export function AppealForm(props: {
  postId: string
  /** Element that says what was decided, which gets the focus afterwards. */
  sentenceId: string
  className: string
}) {
  const { className, sentenceId } = props
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  if (!isOpen) {
    return (
      <div className={`form ${className}`}>
        <Button aria-describedby={sentenceId} onClick={() => setIsOpen(true)}>
          <Trans comment="Button that opens a form">Appeal</Trans>
        </Button>
      </div>
    )
  }
  return (
    <CallForm
      className={className}
      variant="primary"
      submit={t`Send appeal`}
      busy={t`Sending…`}
      failed={t`The appeal could not be sent. Try again in a moment.`}
      call={async (text) => {
        await api.client.moderation.appeal.mutate({ postId: props.postId, comment: text('comment') })
        toast(t`Your appeal is sent.`)
        // The form, which has the focus, is removed.
        document.getElementById(sentenceId)?.focus()
        await Promise.all([
          api.moderation.notices.invalidate(),
          queryClient.invalidateQueries({ queryKey: pageKeys.everyPost(props.postId) }),
        ])
      }}
    >
      <TextArea
        label={t`Why should the post be shown?`}
        hint={t`You can appeal once. Moderators and administrators see your words and the post.`}
        name="comment"
        check={(comment) => comment === '' && t`Please say why the post should be shown.`}
        maxLength={noteLimit.codeUnits}
        // The button that unfolded it is gone.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </CallForm>
  )
}
