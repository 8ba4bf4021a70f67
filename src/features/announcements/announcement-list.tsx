import { useLingui } from '@lingui/react/macro'
import { useRef, useSyncExternalStore } from 'react'
import type { Announcement } from '../../../shared/announcements.ts'
import { readStored, store } from '../../browser/apis.ts'
import { dismissedKey } from '../../browser/dismissed-script.ts'
import { closeButtonClass } from '../../ui/button.tsx'
import { CloseIcon, Icon } from '../../ui/icons.tsx'
import { UserText, VisuallyHidden } from '../../ui/text.tsx'
import styles from './announcement-list.module.css'

/** The announcements that this browser has not dismissed. */
export function AnnouncementList({ announcements }: { announcements: readonly Announcement[] }) {
  const { t } = useLingui()
  const section = useRef<HTMLElement>(null)
  const dismissed = useDismissed()
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
  const textId = `announcement-${id}`
  return (
    <div className={styles['announcement']} data-announcement={id} data-level={level}>
      <div className={styles['inner']}>
        <Icon className={styles['icon']}>
          <path
            d={
              level === 'warning'
                ? 'M10 2.5 18.5 17h-17zM10 8v4M10 14.5h0'
                : 'M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM10 9v5M10 6h0'
            }
          />
        </Icon>
        <div className={`breakable ${styles['words']}`}>
          {level === 'warning' && <VisuallyHidden>{t`Warning:`} </VisuallyHidden>}
          <UserText as="span" text={text} id={textId} className="lines" />{' '}
          {link !== null && (
            <a href={link} aria-describedby={textId} className={styles['link']}>
              {t`Read more`}
            </a>
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

const listeners = new Set<() => void>()

/** Kept here as well, for browsers that block storage. */
let dismissed: readonly string[] | null = null

const none: readonly string[] = []

function parseDismissed(value: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : none
  } catch {
    return none
  }
}

function current(): readonly string[] {
  return (dismissed ??= parseDismissed(readStored('localStorage', dismissedKey)))
}

/** Hides an announcement in this browser from now on. */
export function dismiss(id: string): void {
  dismissed = [id, ...current().filter((one) => one !== id)].slice(0, rememberedMax)
  store('localStorage', dismissedKey, JSON.stringify(dismissed))
  for (const listener of listeners) listener()
}

function onStorage({ key, newValue }: StorageEvent): void {
  if (key !== dismissedKey) return
  dismissed = parseDismissed(newValue)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

/** Ids of the dismissed announcements. None on the server and during hydration, while a rule of the head hides them. */
export function useDismissed(): readonly string[] {
  return useSyncExternalStore(subscribe, current, () => none)
}
