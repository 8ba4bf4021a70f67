import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { trpc } from '../../api/trpc.ts'
import { EntryList, useShowMore } from '../../ui/entry-list.tsx'
import { Page, Panel } from '../../ui/framed-page.tsx'
import { NextPage } from '../auth/call-failure.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { NotificationRow, useMarkRead } from './notification-row.tsx'
import { NotificationSettings, settingsId } from './notification-settings.tsx'
import styles from './notifications.module.css'

/** Number of notifications per page. */
const pageSize = 20

/** The viewer's notifications, and which ones they want. */
export function NotificationsPage() {
  const { t } = useLingui()
  return (
    <Page
      isText
      title={t`Notifications`}
      intro={
        <Trans>
          What happened since your last visit. You choose <a href={`#${settingsId}`}>what reaches you</a>.
        </Trans>
      }
    >
      <SignedInOnly
        why={t`Notifications are about your own posts and images, so you need to be signed in to see them.`}
        unavailable={t`Sign-in is unavailable, so your notifications can’t be shown right now.`}
      >
        {(viewer) => (
          <div key={viewer.id} className="stack widest">
            <NotificationList />
            <NotificationSettings viewer={viewer} />
          </div>
        )}
      </SignedInOnly>
    </Page>
  )
}

function NotificationList() {
  const { t, i18n } = useLingui()
  const query = trpc.notifications.list.useInfiniteQuery(
    { limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, refetchOnMount: 'always', refetchOnWindowFocus: false },
  )
  const { data } = query
  useMarkRead(data?.pages[0])
  const notifications = data?.pages.flatMap((page) => page.notifications) ?? []
  const { list, showMore } = useShowMore(
    query,
    notifications.length,
    (added) => t`${plural(added, { one: '# more notification', other: '# more notifications' })}`,
  )
  const days = notifications.map(({ createdAt }) => dayName(createdAt, i18n))
  return (
    <div className="stack">
      {data && notifications.length === 0 && (
        <Panel>
          <p>
            <Trans>Nothing yet. When others like or remix your posts, you read it here.</Trans>
          </p>
        </Panel>
      )}
      {notifications.length > 0 && (
        <EntryList ref={list} label={t`Notifications`} className="full">
          {notifications.map((notification, index) => (
            <li key={notification.id}>
              {days[index] !== days[index - 1] && <h2 className={styles['day']}>{days[index]}</h2>}
              <NotificationRow notification={notification} />
            </li>
          ))}
        </EntryList>
      )}
      <NextPage query={query} label={t`Show more`} onMore={showMore} />
    </div>
  )
}

/** Names the day of a time in the viewer's time zone. */
function dayName(at: string, i18n: I18n): string {
  const day = new Date(at).toDateString()
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === new Date().toDateString()) return i18n._(msg`Today`)
  if (day === yesterday.toDateString()) return i18n._(msg`Yesterday`)
  return i18n.date(at, { dateStyle: 'full' })
}
