import { useId } from 'react'
import { reasonLabels } from '../../../shared/moderation.ts'
import type { Report, ReportDecision, ReportedPost } from '../../../shared/moderation.ts'
import { SmallImage } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './moderation.module.css'
import { DateTime, WrappedText } from '../../ui/text.tsx'

/** A reported or hidden post with its reports and the actions on it. */
export function ReportedPostItem(props: {
  entry: ReportedPost
  isBusy: boolean
  onModerate: (action: ReportDecision) => void
  onDelete: () => void
}) {
  const { post, isHidden, isWithdrawn, postsOfImage, reports, reportCount } = props.entry
  const promptId = useId()
  const notListed = reportCount - reports.length
  return (
    <li className={styles['post']}>
      <SmallImage image={post} className={styles['image']} />
      <div className={styles['facts']}>
        <p id={promptId} className={styles['prompt']}>
          <WrappedText text={post.prompt} />
        </p>
        <p className={styles['byline']}>
          {post.name} · <DateTime at={post.createdAt} /> {isHidden && <strong>· Hidden</strong>}
          {isWithdrawn && <strong>, deleted by its author</strong>}
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
            onClick={() => props.onModerate(isHidden ? 'unhide' : 'hide')}
          >
            {isHidden ? 'Unhide' : 'Hide'}
          </Button>
          {reportCount > 0 && (
            <Button
              aria-describedby={promptId}
              aria-disabled={props.isBusy}
              onClick={() => props.onModerate('dismiss')}
            >
              {reportCount === 1 ? 'Dismiss the report' : 'Dismiss the reports'}
            </Button>
          )}
          <Button variant="danger" aria-describedby={promptId} onClick={props.onDelete}>
            Delete
          </Button>
        </div>
      </div>
    </li>
  )
}

function ReportItem({ report }: { report: Report }) {
  return (
    <li>
      <span className={styles['reason']}>{reasonLabels[report.reason]}</span> ·{' '}
      <DateTime at={report.createdAt} />
      {report.comment && (
        <q className={styles['comment']}>
          <WrappedText text={report.comment} />
        </q>
      )}
    </li>
  )
}
