import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { fitUrl } from '../../../shared/image-files.ts'
import type { Appeal, Report, ReportDecision, ReportedPost } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { averageColor } from '../../images/image.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './moderation.module.css'
import { DateTime } from '../../ui/formats.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { reasonLabels } from '../../ui/post-options.ts'

/** A reported or hidden post with its reports and the actions on it. */
export function ReportedPostItem(props: {
  entry: ReportedPost
  isBusy: boolean
  onModerate: (action: Exclude<ReportDecision, 'hide'>) => void
  onHide: () => void
  onSetSensitive: (isSensitive: boolean) => void
  /** Null for moderators, who hide posts only. */
  onDelete: (() => void) | null
}) {
  const { post, isHidden, isWithdrawn, postsOfImage, reports, reportCount, appeal } = props.entry
  const promptId = useId()
  const { t, i18n } = useLingui()
  const notListed = reportCount - reports.length
  return (
    <li className={`${ui['card']} ${styles['post']}`}>
      <WholeImage post={post} />
      <div className={`${ui['stack']} ${styles['facts']}`}>
        <p id={promptId} className={styles['comment']}>
          {post.isPromptHidden ? (
            <em>{t`The author keeps the prompt private.`}</em>
          ) : (
            <UserText text={post.prompt}>
              <WrappedText text={post.prompt} />
            </UserText>
          )}
        </p>
        <div className={`${ui['line']} ${styles['byline']}`}>
          <p className={ui['small']}>
            <UserText text={post.name} /> · <DateTime at={post.createdAt} />
          </p>
          {isHidden && (
            <Badge tone="danger">{isWithdrawn ? t`Hidden, deleted by its author` : t`Hidden`}</Badge>
          )}
          {post.isSensitive && <Badge tone="accent">{t`Sensitive`}</Badge>}
        </div>
        {isWithdrawn && (
          <p className={ui['small']}>{t`The author’s deletion takes effect when you unhide it.`}</p>
        )}
        {postsOfImage > 1 && (
          <p className={ui['small']}>
            <Plural
              value={postsOfImage}
              one="# post shows this image. It is hidden, unhidden and deleted with it."
              other="# posts show this image. They are hidden, unhidden and deleted together."
            />
          </p>
        )}
        {appeal && <AppealQuote appeal={appeal} name={post.name} />}
        {reportCount > 0 && (
          <ul className={`${ui['stack']} ${styles['reports']}`} aria-label={t`Reports`}>
            {reports.map((report) => (
              <ReportItem key={report.id} report={report} />
            ))}
            {notListed > 0 && <li>{t`${plural(notListed, { one: 'and # more', other: 'and # more' })}`}</li>}
          </ul>
        )}
        <div className={ui['row']}>
          <Button
            aria-describedby={promptId}
            aria-disabled={props.isBusy}
            onClick={() => !props.isBusy && (isHidden ? props.onModerate('unhide') : props.onHide())}
          >
            {isHidden ? t`Unhide` : t`Hide`}
          </Button>
          {(reportCount > 0 || appeal) && (
            <Button
              aria-describedby={promptId}
              aria-disabled={props.isBusy}
              onClick={() => props.onModerate('dismiss')}
            >
              {i18n._(dismissLabel(props.entry))}
            </Button>
          )}
          <Button
            aria-describedby={promptId}
            aria-disabled={props.isBusy}
            onClick={() => !props.isBusy && props.onSetSensitive(!post.isSensitive)}
          >
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

/** The uncropped image, as a link to the original. */
function WholeImage({ post }: { post: Post }) {
  const { photo, width, height, placeholder } = post
  const { t } = useLingui()
  return (
    <a
      className={styles['image']}
      href={photo}
      target="_blank"
      rel="noreferrer"
      aria-label={t`Open the original image in a new tab`}
    >
      <img
        src={fitUrl(photo, 640)}
        width={width}
        height={height}
        alt=""
        loading="lazy"
        decoding="async"
        style={{ backgroundColor: averageColor(placeholder) }}
      />
    </a>
  )
}

function AppealQuote({ appeal, name }: { appeal: Appeal; name: string }) {
  return (
    <div className={`${ui['stack']} ${styles['reports']}`}>
      <p>
        <span className={ui['strong']}>
          <Trans>
            Appeal by <UserText text={name} />
          </Trans>
        </span>{' '}
        · <DateTime at={appeal.createdAt} />
        <UserText as="q" text={appeal.comment} className={styles['comment']}>
          <WrappedText text={appeal.comment} />
        </UserText>
      </p>
    </div>
  )
}

function ReportItem({ report }: { report: Report }) {
  const { i18n } = useLingui()
  return (
    <li>
      <span className={ui['strong']}>{i18n._(reasonLabels[report.reason])}</span> ·{' '}
      <DateTime at={report.createdAt} />
      {report.comment && (
        <UserText as="q" text={report.comment} className={styles['comment']}>
          <WrappedText text={report.comment} />
        </UserText>
      )}
    </li>
  )
}
