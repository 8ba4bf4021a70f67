import { useLingui } from '@lingui/react/macro'
import { lazy } from 'react'
import type { ReactNode } from 'react'
import { adminPath, pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { forgetSharedImage } from '../../browser/shared-image.ts'
import { useSession } from '../auth/session.ts'
import { useToast } from '../../ui/announcer.tsx'
import { LazyPart } from '../../ui/loading.tsx'
import { Initial } from '../../ui/text.tsx'
import { Menu } from '../../ui/menu.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import styles from './profile-menu.module.css'
import { UserText } from '../../ui/user-text.tsx'

const MenuCount = lazy(() => import('./menu-counts.tsx').then((module) => ({ default: module.MenuCount })))

/** The account menu, opened by the avatar or initial and first name. */
export function ProfileMenu({ viewer }: { viewer: Viewer }) {
  const session = useSession()
  const { t } = useLingui()
  const toast = useToast()

  async function signOut() {
    try {
      await session.signOut()
      await forgetSharedImage()
      toast(t`You are signed out.`)
    } catch (cause) {
      console.error('could not sign out', cause)
      window.alert(t`You could not be signed out. Check your connection and try again.`)
    }
  }

  const chip = (
    <>
      {viewer.imageUrl ? (
        <img src={viewer.imageUrl} alt="" width="28" height="28" className={styles['avatar']} />
      ) : (
        <Initial name={viewer.firstName} />
      )}
      <UserText text={viewer.firstName} className={styles['name']} />
      <UnfoldIcon className={styles['arrow']} />
    </>
  )
  return (
    <Menu
      button={chip}
      buttonClass={styles['chip']}
      items={[
        { label: t`Your images`, href: pagePaths.yourImages, detail: count('hidden') },
        { label: t`Your account`, href: pagePaths.account },
        ...(viewer.role === 'member'
          ? []
          : [{ label: t`Reports`, href: pagePaths.moderation, detail: count('waiting') }]),
        ...(viewer.role === 'administrator' ? [{ label: t`Administration`, href: adminPath() }] : []),
        { label: t`Sign Out`, onSelect: () => void signOut() },
      ]}
    />
  )
}

function count(of: 'hidden' | 'waiting'): ReactNode {
  return (
    <LazyPart fallback={null}>
      <MenuCount of={of} />
    </LazyPart>
  )
}
