import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { withOtherMessages } from '../../i18n/messages.ts'
import { bellPath, BellIcon } from '../../ui/icons.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { BarLink } from './bar-link.tsx'
import styles from './bell.module.css'

const LatestNotifications = lazyPart(
  async () => (await withOtherMessages(import('../notifications/notification-row.tsx'))).LatestNotifications,
  <Skeleton shape="area" />,
)

/** Time between two looks at the number of unread notifications while the page is visible. */
const pollIntervalMs = 60_000

const shownMax = 99

/** The button with the number of unread notifications, which opens the latest. The bar at the bottom of phones has a link instead. */
export function Bell() {
  const { t } = useLingui()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  trpc.viewer.useQuery(undefined, { refetchInterval: pollIntervalMs, refetchOnWindowFocus: 'always' })
  const { label, mark } = useUnread()
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        className={`iconButton hoverable ${styles['bell']}`}
      >
        <BellIcon />
        {mark}
      </button>
      <div
        ref={latest}
        id={id}
        popover="auto"
        // Only while it is open: the page asks for dialogs before it takes keys.
        role={isOpen ? 'dialog' : undefined}
        aria-label={t`Notifications`}
        className={`card raised ${styles['latest']}`}
        onBeforeToggle={({ currentTarget }) => {
          const bottom = button.current?.getBoundingClientRect().bottom ?? 0
          currentTarget.style.setProperty('--top', `${bottom}px`)
        }}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && <LatestNotifications onLeave={() => latest.current?.hidePopover()} />}
      </div>
    </>
  )
}

/** A name with the number of unread notifications, and that number as a mark; none for zero. */
function useUnread() {
  const { t } = useLingui()
  const { data } = trpc.viewer.useQuery()
  const count = data?.unreadNotifications ?? 0
  const shown = count > shownMax ? `${shownMax}+` : String(count)
  return {
    label:
      count === 0
        ? t`Notifications`
        : t`${plural(count, { one: `Notifications, ${shown} unread`, other: `Notifications, ${shown} unread` })}`,
    mark: count > 0 && (
      <span aria-hidden="true" className={styles['count']}>
        {shown}
      </span>
    ),
  }
}

/** The link to notifications in the bar at the bottom of phones. */
export function NotificationsLink() {
  const { t } = useLingui()
  const { label, mark } = useUnread()
  return (
    <BarLink
      href={pagePaths.notifications}
      label={t`Notifications`}
      name={label}
      icon={<path d={bellPath} />}
    >
      {mark}
    </BarLink>
  )
}
