import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ModerationNotice } from '../../../../shared/moderation.ts'
import { postPath } from '../../../../shared/routes.ts'
import { trpc } from '../../../api/trpc.ts'
import { SmallImage } from '../../../images/image.tsx'
import { DateTime } from '../../../ui/formats.tsx'
import { shorten, UserText } from '../../../ui/text.tsx'
import { AppealForm, NoticeFacts } from '../../post/hidden-post.tsx'
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
  const { i18n } = useLingui()
  const { post, state, appeal } = notice
  const sentenceId = useId()
  return (
    <li className={`stack card padded ${styles['notice']}`}>
      {post && <SmallImage image={post} className={styles['image']} />}
      <div className={`stack tight breakable ${styles['facts']}`}>
        <p id={sentenceId} tabIndex={-1} className="strong">
          {i18n._(stateSentences[state])}
        </p>
        <p className="quiet small">
          {post && (
            <>
              “
              <Link href={postPath(post.id)}>
                <UserText text={shorten(post.prompt)} />
              </Link>
              ” ·{' '}
            </>
          )}
          <DateTime at={notice.createdAt} />
        </p>
        {/* The page of a hidden post has the rest. */}
        <NoticeFacts notice={notice} className={post && state === 'hidden' ? 'clamp' : undefined} />
      </div>
      {state === 'hidden' && !appeal && (
        <AppealForm
          postId={notice.postId}
          sentenceId={sentenceId}
          className={`stack wider ${styles['form']}`}
        />
      )}
    </li>
  )
}
