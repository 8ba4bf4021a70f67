import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { bellPath, Icon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { useSession } from '../auth/session.ts'
import { useCreationActivity } from './header.tsx'
import marks from './header.module.css'
import styles from './bottom-bar.module.css'

const UnreadCount = lazyPart(async () => (await import('./bell.tsx')).UnreadCount)

/** Links to the main pages, in reach of the thumb. Shown on phones only. */
export function BottomBar() {
  const { t } = useLingui()
  const { activity, title } = useCreationActivity()
  const { viewer } = useSession()
  return (
    <nav aria-label={t`Main pages`} className={styles['bar']}>
      <BarLink
        href={pagePaths.gallery}
        label={t`Gallery`}
        icon="M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z"
      />
      <BarLink href={pagePaths.create} label={t`Create`} title={title} icon="M10 4v12M4 10h12" isPrimary>
        {activity !== 'none' && <span className={marks[activity]} />}
      </BarLink>
      <BarLink
        href={pagePaths.collections}
        label={t`Collections`}
        icon="M6.5 6.5h10v10h-10zM3.5 13.5v-10h10"
      />
      <BarLink
        href={pagePaths.yourImages}
        label={t`Your images`}
        icon="M3.5 3.5h13v13h-13zM4 14l4-4 3 3 2-2 3 3M13 6.75h0"
      />
      {viewer && (
        <BarLink href={pagePaths.notifications} label={t`Notifications`} icon={bellPath}>
          <UnreadCount />
        </BarLink>
      )}
    </nav>
  )
}

/** A link of the bar at the bottom of phones. */
function BarLink(props: {
  href: string
  label: string
  title?: string | undefined
  /** Path of the icon. */
  icon: string
  isPrimary?: boolean
  children?: ReactNode
}) {
  const isCurrent = useLocation()[0] === props.href
  return (
    <Link
      href={props.href}
      className={`insetFocus ${styles['link']}`}
      data-primary={props.isPrimary}
      title={props.title}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span className={`marked ${styles['icon']}`}>
        <Icon path={props.icon} />
        {!isCurrent && props.children}
      </span>
      <span className="ellipsis">{props.label}</span>
    </Link>
  )
}
