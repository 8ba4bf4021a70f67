import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import type { Announcement } from '../../../shared/announcements.ts'
import { closeButtonClass } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { UserText } from '../../ui/user-text.tsx'
import styles from './announcement-list.module.css'
import { dismiss, useDismissed } from './dismissed.ts'

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
  const { id, text, level, link } = announcement
  const textId = `announcement-${id}`
  return (
    <div className={styles['announcement']} data-announcement={id} data-level={level}>
      <div className={styles['inner']}>
        <svg viewBox="0 0 20 20" aria-hidden="true" className={styles['icon']}>
          <path
            d={
              level === 'warning'
                ? 'M10 2.5 18.5 17h-17zM10 8v4M10 14.5h0'
                : 'M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM10 9v5M10 6h0'
            }
          />
        </svg>
        <div className={styles['words']}>
          {level === 'warning' && (
            <VisuallyHidden>
              <Trans>Warning:</Trans>{' '}
            </VisuallyHidden>
          )}
          <UserText as="span" text={text} id={textId} className={styles['text']} />{' '}
          {link !== null && (
            <a href={link} aria-describedby={textId} className={styles['link']}>
              <Trans>Read more</Trans>
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
