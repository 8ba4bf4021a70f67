import { useLingui } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { withOtherMessages } from '../../i18n/messages.ts'
import { Count } from '../../ui/count.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import styles from './bell.module.css'

const LatestNotifications = lazyPart(
  async () => (await withOtherMessages(import('../notifications/notification-row.tsx'))).LatestNotifications,
  <Skeleton shape="area" />,
)

/** Time between two looks at the number of unread notifications while the page is visible. */
const pollIntervalMs = 60_000

/** The button with the number of unread notifications, which opens the latest. The bar at the bottom of phones has a link instead. */
export function Bell() {
  const { t } = useLingui()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  trpc.viewer.useQuery(undefined, { refetchInterval: pollIntervalMs, refetchOnWindowFocus: 'always' })
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={`iconButton hoverable marked ${styles['bell']}`}
      >
        <BellIcon />
        <VisuallyHidden>{t`Notifications`}</VisuallyHidden>
        <UnreadCount />
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

export function UnreadCount() {
  const { data } = trpc.viewer.useQuery()
  return <Count count={data?.unreadNotifications ?? 0} meaning="unread" />
}
