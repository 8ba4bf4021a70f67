import { useState } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DeleteReportedPost } from './delete-reported-post.tsx'
import { ModerationLog } from './moderation-log.tsx'
import styles from './moderation.module.css'
import { ReportedPostItem } from './reported-post-item.tsx'
import { useJudgement } from './use-judgement.ts'

/** What visitors reported, what is hidden, and what was done about it. */
export function ModerationScreen() {
  const queue = trpc.moderation.listReported.useQuery()
  const judgement = useJudgement()
  const [deleting, setDeleting] = useState<Post | null>(null)
  const { data } = queue
  return (
    <div className={styles['screen']}>
      <Notice action={queue.isError && <Button onClick={() => void queue.refetch()}>Try again</Button>}>
        {queue.error && (describeFailure(queue.error).message ?? 'The reports could not be loaded.')}
      </Notice>
      <Notice>{judgement.failure}</Notice>
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
              isBusy={judgement.isBusy}
              onJudge={(action) => void judgement.judge(entry, action)}
              onDelete={() => setDeleting(entry.post)}
            />
          ))}
        </ul>
      )}
      <ModerationLog />
      {deleting && (
        <DeleteReportedPost key={deleting.id} post={deleting} onClosed={() => setDeleting(null)} />
      )}
    </div>
  )
}

function describeCount(shown: number, total: number): string {
  if (total === 0) return 'Nothing waits for you.'
  const posts = total === 1 ? '1 post is' : `${total.toLocaleString('en')} posts are`
  return shown < total
    ? `${posts} reported or hidden; these are the ${shown} reported last.`
    : `${posts} reported or hidden.`
}
