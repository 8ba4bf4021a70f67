import { useLingui } from '@lingui/react/macro'
import { adminPath, pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { forgetSharedImage } from '../../browser/shared-image.ts'
import { toast } from '../../ui/announcer.tsx'
import { Count } from '../../ui/count.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Initial, UserText } from '../../ui/text.tsx'
import { useSession } from '../auth/session.ts'
import { forgetDevice } from '../../browser/device-notifications.ts'
import styles from './profile-menu.module.css'

/** The account menu, opened by the avatar or initial and first name. */
export function ProfileMenu({ viewer }: { viewer: Viewer }) {
  const session = useSession()
  const { client } = trpc.useUtils()
  const { t } = useLingui()

  async function signOut() {
    try {
      await forgetDevice((endpoint) => client.notifications.unsubscribePush.mutate({ endpoint }))
      await session.signOut()
      await forgetSharedImage()
      toast(t`You are signed out.`)
    } catch (cause) {
      console.error('could not sign out', cause)
      window.alert(t`You could not be signed out. Check your connection and try again.`)
    }
  }

  const isModerator = viewer.role !== 'member'
  const chip = (
    <>
      {/* The menu says how many reports wait. */}
      <span aria-hidden="true" className={`marked ${styles['picture']}`}>
        {viewer.imageUrl ? (
          <img src={viewer.imageUrl} alt="" width="32" height="32" className={styles['avatar']} />
        ) : (
          <Initial name={viewer.firstName} userId={viewer.id} />
        )}
        {isModerator && <WaitingCount />}
      </span>
      <UserText text={viewer.firstName} className={`ellipsis ${styles['name']}`} />
      <UnfoldIcon className={styles['arrow']} />
    </>
  )
  return (
    <Menu
      button={chip}
      buttonClass={`chip hoverable ${styles['chip']}`}
      items={[
        { label: t`Your images`, href: pagePaths.yourImages, detail: <HiddenCount /> },
        { label: t`Your account`, href: pagePaths.account },
        isModerator && { label: t`Reports`, href: adminPath('reports'), detail: <WaitingCount /> },
        viewer.role === 'administrator' && { label: t`Administration`, href: adminPath() },
        { label: t`Sign Out`, onSelect: () => void signOut() },
      ]}
    />
  )
}

/** Number of the posts that wait for a moderator. */
function WaitingCount() {
  const { data = 0 } = trpc.moderation.countReported.useQuery()
  return <Count count={data} meaning="waiting" />
}

/** Number of the user's hidden posts that can be appealed. */
function HiddenCount() {
  const { data = [] } = trpc.moderation.notices.useQuery()
  const hidden = data.filter(({ state, appeal }) => state === 'hidden' && !appeal)
  return <Count count={hidden.length} meaning="hidden" />
}
