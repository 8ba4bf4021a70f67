import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { noteLimit, type ModerationNotice } from '../../../../shared/moderation.ts'
import { trpc } from '../../../api/trpc.ts'
import { SmallImage } from '../../../images/image.tsx'
import { useToast } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form.tsx'
import { DateTime } from '../../../ui/formats.tsx'
import { shorten, UserText } from '../../../ui/text.tsx'
import { reasonLabels } from '../../../ui/post-options.ts'
import { CallForm } from '../../auth/call-form.tsx'
import styles from './moderation-notices.module.css'

/** Decisions of moderators and administrators about the viewer's posts, with their reasons; nothing without any. */
export function ModerationNotices() {
  const { data } = trpc.moderation.notices.useQuery()
  const headingId = useId()
  if (!data || data.length === 0) return null
  return (
    <section aria-labelledby={headingId} className={`stack wider ${styles['section']}`}>
      <h2 id={headingId}>
        <Trans>Decisions about your posts</Trans>
      </h2>
      <ul className="stack wider">
        {data.map((notice) => (
          <NoticeItem key={notice.postId} notice={notice} />
        ))}
      </ul>
    </section>
  )
}

const stateSentences: Readonly<Record<ModerationNotice['state'], MessageDescriptor>> = {
  hidden: msg`This post was hidden. Only you, moderators and administrators see its image.`,
  restored: msg`This post is visible again.`,
  deleted: msg`An administrator has deleted a post of yours with its image.`,
}

function NoticeItem({ notice }: { notice: ModerationNotice }) {
  const { i18n, t } = useLingui()
  const { post, state, reasons, note, appeal } = notice
  const sentenceId = useId()
  const causes = reasons.map((reason) => i18n._(reasonLabels[reason])).join('; ')
  return (
    <li className={`stack card ${styles['notice']}`}>
      {post && <SmallImage image={post} className={styles['image']} />}
      <div className={`stack tight breakable ${styles['facts']}`}>
        <p id={sentenceId} tabIndex={-1} className="strong">
          {i18n._(stateSentences[state])}
        </p>
        <p className="quiet small">
          {post && (
            <>
              “
              <UserText text={shorten(post.prompt)} />” ·{' '}
            </>
          )}
          <DateTime at={notice.createdAt} />
        </p>
        {state !== 'restored' && reasons.length > 0 && <p>{t`Reported because: ${causes}`}</p>}
        {note && (
          <p>
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
      </div>
      {state === 'hidden' && !appeal && <AppealForm notice={notice} sentenceId={sentenceId} />}
    </li>
  )
}

/** A button that unfolds the form. */
function AppealForm({ notice, sentenceId }: { notice: ModerationNotice; sentenceId: string }) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const api = trpc.useUtils()
  const toast = useToast()
  if (!isOpen) {
    return (
      <div className={`stack wider ${styles['form']}`}>
        <Button aria-describedby={sentenceId} onClick={() => setIsOpen(true)}>
          <Trans comment="Button that opens a form">Appeal</Trans>
        </Button>
      </div>
    )
  }
  return (
    <CallForm
      className={`stack wider ${styles['form']}`}
      variant="primary"
      submit={t`Send appeal`}
      busy={t`Sending…`}
      failed={t`The appeal could not be sent. Try again in a moment.`}
      check={(text) => ({ comment: text('comment') === '' && t`Please say why the post should be shown.` })}
      call={async (text) => {
        await api.client.moderation.appeal.mutate({ postId: notice.postId, comment: text('comment') })
        toast(t`Your appeal is sent.`)
        // The form, which has the focus, is removed.
        document.getElementById(sentenceId)?.focus()
        await api.moderation.notices.invalidate()
      }}
    >
      <TextArea
        label={t`Why should the post be shown?`}
        hint={t`You can appeal once. Moderators and administrators see your words and the post.`}
        name="comment"
        maxLength={noteLimit.characters}
        // The button that unfolded it is gone.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </CallForm>
  )
}
