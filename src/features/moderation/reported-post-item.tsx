import { useId } from 'react'
import { fitUrl } from '../../../shared/image-files.ts'
import { reasonLabels } from '../../../shared/moderation.ts'
import type { Appeal, Report, ReportDecision, ReportedPost } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { averageColor } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './moderation.module.css'
import { DateTime } from '../../ui/date-time.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** A reported or hidden post with its reports and the actions on it. */
export function ReportedPostItem(props: {
  entry: ReportedPost
  isBusy: boolean
  onModerate: (action: Exclude<ReportDecision, 'hide'>) => void
  onHide: () => void
  onSetSensitive: (isSensitive: boolean) => void
  onDelete: () => void
}) {
  const { post, isHidden, isWithdrawn, postsOfImage, reports, reportCount, appeal } = props.entry
  const promptId = useId()
  const notListed = reportCount - reports.length
  return (
    <li className={styles['post']}>
      <WholeImage post={post} />
      <div className={styles['facts']}>
        <p id={promptId} className={styles['prompt']}>
          {post.isPromptHidden ? (
            <em>The author keeps the prompt private.</em>
          ) : (
            <UserText text={post.prompt}>
              <WrappedText text={post.prompt} />
            </UserText>
          )}
        </p>
        <p className={styles['byline']}>
          <UserText text={post.name} /> · <DateTime at={post.createdAt} />{' '}
          {isHidden && <strong>· Hidden</strong>}
          {isWithdrawn && <strong>, deleted by its author</strong>}{' '}
          {post.isSensitive && <strong>· Sensitive</strong>}
        </p>
        {isWithdrawn && (
          <p className={styles['quiet']}>The author’s deletion takes effect when you unhide it.</p>
        )}
        {postsOfImage > 1 && (
          <p className={styles['quiet']}>
            {postsOfImage.toLocaleString('en')} posts show this image. They are hidden, unhidden and deleted
            together.
          </p>
        )}
        {appeal && <AppealQuote appeal={appeal} name={post.name} />}
        {reportCount > 0 && (
          <ul className={styles['reports']} aria-label="Reports">
            {reports.map((report) => (
              <ReportItem key={report.id} report={report} />
            ))}
            {notListed > 0 && <li>{notListed === 1 ? 'and 1 more' : `and ${notListed} more`}</li>}
          </ul>
        )}
        <div className={styles['actions']}>
          <Button
            aria-describedby={promptId}
            aria-disabled={props.isBusy}
            onClick={() => !props.isBusy && (isHidden ? props.onModerate('unhide') : props.onHide())}
          >
            {isHidden ? 'Unhide' : 'Hide'}
          </Button>
          {(reportCount > 0 || appeal) && (
            <Button
              aria-describedby={promptId}
              aria-disabled={props.isBusy}
              onClick={() => props.onModerate('dismiss')}
            >
              {dismissLabel(props.entry)}
            </Button>
          )}
          <Button
            aria-describedby={promptId}
            aria-disabled={props.isBusy}
            onClick={() => !props.isBusy && props.onSetSensitive(!post.isSensitive)}
          >
            {post.isSensitive ? 'Not sensitive' : 'Mark as sensitive'}
          </Button>
          <Button variant="danger" aria-describedby={promptId} onClick={props.onDelete}>
            Delete
          </Button>
        </div>
      </div>
    </li>
  )
}

function dismissLabel({ reportCount, appeal }: ReportedPost): string {
  if (reportCount === 0) return 'Dismiss the appeal'
  if (appeal) return 'Dismiss reports and appeal'
  return reportCount === 1 ? 'Dismiss the report' : 'Dismiss the reports'
}

/** The uncropped image, as a link to the original. */
function WholeImage({ post }: { post: Post }) {
  const { photo, width, height, placeholder } = post
  return (
    <a
      className={styles['image']}
      href={photo}
      target="_blank"
      rel="noreferrer"
      aria-label="Open the original image in a new tab"
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
    <div className={styles['reports']}>
      <p className={styles['appeal']}>
        <span className={styles['reason']}>
          Appeal by <UserText text={name} />
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
  return (
    <li>
      <span className={styles['reason']}>{reasonLabels[report.reason]}</span> ·{' '}
      <DateTime at={report.createdAt} />
      {report.comment && (
        <UserText as="q" text={report.comment} className={styles['comment']}>
          <WrappedText text={report.comment} />
        </UserText>
      )}
    </li>
  )
}
