import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui, Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { notificationPath, type Notification } from '../../../shared/notifications.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { SmallImage } from '../../images/image.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { VisuallyHidden, shorten } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import styles from './notifications.module.css'

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
export function useMarkRead(page: RouterOutputs['notifications']['list'] | undefined): void {
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

/** Length of a title within a sentence, in characters. */
const titleLength = 80

/** What happened, with the names of users and the words of what it is about. The quotes of a title have the direction of the sentence. */
function NotificationSentence({ notification }: { notification: Notification }) {
  const { i18n } = useLingui()
  const sentence = describeNotification(notification, i18n)
  const words: unknown = sentence.values?.['title']
  const title =
    typeof words === 'string' && words !== i18n._(untitled) ? <Sentence of={msg`“${{ words }}”`} /> : words
  return <Sentence of={{ ...sentence, values: { ...sentence.values, title } }} />
}

const untitled = msg({
  message: 'your image',
  comment: 'In place of the title of an image within a sentence',
})

/** Describes a notification by a sentence with the texts `name` and `title`. */
export function describeNotification(
  { kind, count, actorNames, text, hasEnded }: Notification,
  i18n: I18n,
): MessageDescriptor {
  const name = actorNames[0] ?? i18n._(msg`A user`)
  const isByOne = actorNames.length < 2
  const others = count - 1
  const title = text ? shorten(text, titleLength) : i18n._(untitled)
  switch (kind) {
    case 'like':
      return msg`${plural(others, {
        0: `${name} liked ${title}`,
        one: `${name} and # other liked ${title}`,
        other: `${name} and # others liked ${title}`,
      })}`
    case 'remix':
      return isByOne
        ? msg`${plural(count, { one: `${name} remixed ${title}`, other: `${name} remixed ${title} # times` })}`
        : msg`${plural(count, {
            one: `${name} and others remixed ${title}`,
            other: `${name} and others remixed ${title} # times`,
          })}`
    case 'collection':
      return isByOne
        ? msg`${plural(count, {
            one: `${name} added an image to ${title}`,
            other: `${name} added # images to ${title}`,
          })}`
        : msg`${plural(count, {
            one: `${name} and others added an image to ${title}`,
            other: `${name} and others added # images to ${title}`,
          })}`
    case 'generation':
      return msg`${plural(count, {
        one: `${title} is ready`,
        other: `# images are ready, the latest is ${title}`,
      })}`
    case 'theme':
      return hasEnded
        ? msg`The theme ${title} has ended. See its most liked images.`
        : msg`The gallery has a theme: ${title}`
    case 'decision':
      return msg`There is a decision of the moderators about ${title}`
    case 'appeal':
      return text ? msg`The author of ${title} appeals` : msg`An author appeals`
  }
}

const shownMax = 6

/** The latest notifications, which the bell opens. @param props.onLeave called when the user follows a link */
export function LatestNotifications({ onLeave }: { onLeave: () => void }) {
  const { t } = useLingui()
  const query = trpc.notifications.list.useQuery({ limit: shownMax }, { staleTime: 0 })
  useMarkRead(query.data)
  return (
    <div className="stack padded">
      <p className="strong">{t`Notifications`}</p>
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
