import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { Announcement } from '../../../shared/announcements.ts'
import { readStored, store } from '../../browser/apis.ts'
import { dismissedKey } from '../../browser/dismissed-script.ts'
import { closeButtonClass } from '../../ui/button.tsx'
import { CloseIcon, Icon } from '../../ui/icons.tsx'
import { UserText, VisuallyHidden } from '../../ui/text.tsx'
import styles from './announcement-list.module.css'
import { useHydrated } from '../../browser/hydration.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'

/** The announcements that this browser has not dismissed. */
export function AnnouncementList({ announcements }: { announcements: readonly Announcement[] }) {
  const { t } = useLingui()
  const section = useRef<HTMLElement>(null)
  const [dismissed, dismiss] = useDismissed()
  const shown = announcements.filter(({ id }) => !dismissed.includes(id))
  if (shown.length === 0) return null

  function close(id: string) {
    const others = section.current?.querySelectorAll<HTMLElement>(
      `[data-announcement]:not([data-announcement="${id}"]) button`,
    )
    // The button disappears with its announcement.
    const next = others?.[0] ?? document.getElementById('main')
    next?.focus({ preventScroll: true })
    dismiss(id)
  }

  return (
    <section ref={section} aria-label={t`Messages of this site`}>
      {shown.map((announcement) => (
        <AnnouncementItem
          key={announcement.id}
          announcement={announcement}
          onClose={() => close(announcement.id)}
        />
      ))}
    </section>
  )
}

function AnnouncementItem({ announcement, onClose }: { announcement: Announcement; onClose: () => void }) {
  const { t } = useLingui()
  const { id, endedTheme, level, link } = announcement
  const text =
    endedTheme === undefined
      ? announcement.text
      : t`The theme “${endedTheme}” has ended. See its most liked images.`
  const icon =
    level === 'warning'
      ? 'M10 2.5 18.5 17h-17zM10 8v4M10 14.5h0'
      : 'M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM10 9v5M10 6h0'
  const textId = `announcement-${id}`
  return (
    <div className={styles['announcement']} data-announcement={id} data-level={level}>
      <div className={`beside ${styles['inner']}`}>
        <Icon className={styles['icon']} path={icon} />
        <div className={`breakable ${styles['words']}`}>
          {level === 'warning' && <VisuallyHidden>{t`Warning:`} </VisuallyHidden>}
          <UserText as="span" text={text} id={textId} className="lines" />{' '}
          {link !== null && (
            <a href={link} aria-describedby={textId} className={styles['link']}>{t`Read more`}</a>
          )}
        </div>
        <button
          type="button"
          className={closeButtonClass}
          aria-label={t`Dismiss`}
          aria-describedby={textId}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
    </div>
  )
}

/** Number of dismissed announcements that are remembered. Those of years ago have been removed. */
const rememberedMax = 20

function readDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(readStored('localStorage', dismissedKey) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/**
 * Ids of the announcements that this browser has dismissed, and a function that adds one. None on the server and during
 * hydration, while a rule of the head hides them.
 */
function useDismissed(): [ids: readonly string[], dismiss: (id: string) => void] {
  const isHydrated = useHydrated()
  /** Kept here as well, for browsers that block storage. */
  const [known, setKnown] = useState<readonly string[] | null>(null)
  const dismissed = known ?? (isHydrated ? readDismissed() : [])
  useWindowEvent('storage', ({ key }) => key === dismissedKey && setKnown(readDismissed()))
  function dismiss(id: string) {
    const ids = [id, ...(known ?? readDismissed()).filter((one) => one !== id)].slice(0, rememberedMax)
    setKnown(ids)
    store('localStorage', dismissedKey, JSON.stringify(ids))
  }
  return [dismissed, dismiss]
}
