import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { NotificationRow, useMarkRead } from './notification-row.tsx'

const shownMax = 6

/** The latest notifications, which the bell opens. @param props.onLeave called when the user follows a link */
export function LatestNotifications({ onLeave }: { onLeave: () => void }) {
  const { t } = useLingui()
  const query = trpc.notifications.list.useQuery({ limit: shownMax }, { staleTime: 0 })
  useMarkRead(query.data)
  return (
    <div className="stack padded">
      <p className="strong">
        <Trans>Notifications</Trans>
      </p>
      {query.data && (
        <EntryList label={t`Notifications`} empty={t`Nothing is new.`}>
          {query.data.notifications.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} onClick={onLeave} />
            </li>
          ))}
        </EntryList>
      )}
      <QueryState query={query} />
      <Link href={pagePaths.notifications} className={buttonClass('plain', true)} onClick={onLeave}>
        <Trans>All notifications</Trans>
      </Link>
    </div>
  )
}
