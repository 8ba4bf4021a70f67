import { reasonLabels } from '../../../shared/moderation.ts'
import type { ModerationAction, ModerationRecord } from '../../../shared/moderation.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './moderation.module.css'
import { DateTime } from '../../ui/text.tsx'

const did: Readonly<Record<ModerationAction, string>> = {
  hide: 'hid',
  unhide: 'unhid',
  dismiss: 'dismissed the reports of',
  delete: 'deleted',
}

/** Who did what, newest first. */
export function ModerationLog() {
  const { data, error } = trpc.moderation.auditLog.useQuery()
  return (
    <section aria-labelledby="moderation-log" className={styles['log']}>
      <h2 id="moderation-log" className={styles['heading']}>
        What was done
      </h2>
      <Notice>{error && (describeFailure(error).message ?? 'The log could not be loaded.')}</Notice>
      {data?.length === 0 && <p className={styles['quiet']}>Nothing yet.</p>}
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

/** What the post was reported as and, where the post no longer says it, whose it was. */
function RecordDetails({ record: { reasons, authorId, postName } }: { record: ModerationRecord }) {
  const facts = [
    ...(reasons.length > 0 ? [`Reported: ${reasons.map((reason) => reasonLabels[reason]).join('; ')}`] : []),
    ...(postName === null && authorId !== null ? [`Author’s account: ${authorId}`] : []),
  ]
  return facts.length > 0 && <p className={styles['details']}>{facts.join(' · ')}</p>
}

function describeRecord({ administrator, action, postName, postId }: ModerationRecord): string {
  const post = postName === null ? `post ${postId}, which is gone` : `a post of ${postName}`
  return `${administrator} ${did[action]} ${action === 'delete' ? `post ${postId}` : post}.`
}
