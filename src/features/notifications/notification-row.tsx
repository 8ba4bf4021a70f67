import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { notificationPath, type Notification, type NotificationPage } from '../../../shared/notifications.ts'
import { trpc } from '../../api/trpc.ts'
import { SmallImage } from '../../images/image.tsx'
import { RelativeTime } from '../../ui/formats.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import styles from './notifications.module.css'
import { NotificationSentence } from './sentence.tsx'

/** A notification, which links to what it is about. */
export function NotificationRow(props: { notification: Notification; onClick?: () => void }) {
  const { notification, onClick } = props
  const { t } = useLingui()
  const { image, createdAt, readAt } = notification
  return (
    <Link
      href={notificationPath(notification)}
      {...(onClick && { onClick })}
      className={`hoverable insetFocus ${styles['row']}`}
    >
      {image ? (
        <SmallImage image={image} className={`thumb ${styles['picture']}`} />
      ) : (
        <span className={`thumb ${styles['picture']}`}>
          <BellIcon />
        </span>
      )}
      <span className="breakable">
        <span className={readAt === null ? 'strong' : undefined}>
          <NotificationSentence notification={notification} />
        </span>{' '}
        <span className={`quiet small ${styles['time']}`}>
          <RelativeTime at={createdAt} />
        </span>
      </span>
      {readAt === null && (
        <span className={styles['unread']}>
          <VisuallyHidden>{t({ message: 'Unread', context: 'notification' })}</VisuallyHidden>
        </span>
      )}
    </Link>
  )
}

/** Marks what is shown as read, on all devices and in the other tabs. The rows stay marked until they are loaded again. */
export function useMarkRead(page: NotificationPage | undefined): void {
  const { client } = trpc.useUtils()
  const refresh = useRefreshSession()
  const until = page && page.unreadCount > 0 ? page.notifications[0]?.createdAt : undefined
  useEffect(() => {
    if (until === undefined) return
    client.notifications.markRead.mutate({ until }).then(
      () => refresh(),
      (error: unknown) => {
        // The next look at them tries again.
        console.info('Notifications could not be marked as read.', error)
      },
    )
  }, [client, refresh, until])
}
