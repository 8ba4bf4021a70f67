import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { ReactNode } from 'react'
import type { ManagedUser, SignInWay } from '../../../shared/admin-users.ts'
import type { Role } from '../../../shared/viewer.ts'
import { buttonClass } from '../../ui/button.tsx'
import { MoreIcon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import styles from './users-section.module.css'

/** Something that an administrator does to a user. */
export type UserAction = 'role' | 'limit' | 'block' | 'unblock' | 'signOut' | 'delete'

const roleLabels: Readonly<Record<Role, MessageDescriptor | null>> = {
  member: null,
  moderator: msg`Moderator`,
  administrator: msg`Administrator`,
}

const signInLabels: Readonly<Record<SignInWay, MessageDescriptor>> = {
  password: msg({ message: 'Password', context: 'way to sign in' }),
  passkey: msg({ message: 'Passkey', context: 'way to sign in' }),
  oidc: msg({ message: 'Single sign-on', context: 'way to sign in' }),
}

/** A user with a menu of actions. */
export function UserItem(props: {
  user: ManagedUser
  isOwn: boolean
  /** False where a hosted service has the sessions. */
  canSignOut: boolean
  onAction: (action: UserAction) => void
}) {
  const { t, i18n } = useLingui()
  const { user, isOwn, onAction } = props
  const { name, email, role, fixedRole, blocked } = user
  const nameId = useId()
  const roleLabel = roleLabels[role]
  const act = (label: string, action: UserAction): MenuItem => ({ label, onSelect: () => onAction(action) })
  const items: MenuItem[] = [
    ...(isOwn || fixedRole !== null ? [] : [act(t`Change role`, 'role')]),
    act(t`Daily image limit`, 'limit'),
    ...(isOwn
      ? []
      : [
          blocked
            ? act(t({ message: 'Unblock', context: 'a user' }), 'unblock')
            : act(t({ message: 'Block', context: 'a user' }), 'block'),
        ]),
    ...(props.canSignOut ? [act(t`Sign out everywhere`, 'signOut')] : []),
    ...(isOwn ? [] : [act(t({ message: 'Delete', context: 'a user' }), 'delete')]),
  ]
  return (
    <li className={styles['user']} data-blocked={blocked || undefined}>
      <div className={styles['who']}>
        <p id={nameId} className={styles['name']}>
          <UserText text={name || user.id} />
          {isOwn && (
            <Badge>
              <Trans comment="Next to the user's own name">You</Trans>
            </Badge>
          )}
          {roleLabel && <Badge isStrong>{i18n._(roleLabel)}</Badge>}
          {blocked && (
            <Badge isDanger>
              <Trans comment="State of a user">Blocked</Trans>
            </Badge>
          )}
        </p>
        <p className={styles['address']} dir="ltr">
          {email ?? user.id}
        </p>
      </div>
      <UserFacts user={user} />
      <Menu
        button={<MoreIcon />}
        buttonClass={buttonClass('plain')}
        buttonLabel={t`More actions`}
        describedBy={nameId}
        items={items}
      />
    </li>
  )
}

function Badge(props: { isStrong?: boolean; isDanger?: boolean; children: ReactNode }) {
  const className = props.isDanger ? 'danger' : props.isStrong ? 'strong' : 'plain'
  return <span className={`${styles['badge']} ${styles[className]}`}>{props.children}</span>
}

function UserFacts({ user }: { user: ManagedUser }) {
  const { t, i18n } = useLingui()
  const { dailyImageLimit: limit, images, posts, storedBytes, fixedRole, signIn, lastSeenAt } = user
  const day = (at: string) => i18n.date(at, { dateStyle: 'medium' })
  const since = day(user.createdAt)
  const lastSeen = lastSeenAt && day(lastSeenAt)
  const imageCount = t`${plural(images, { one: '# image', other: '# images' })}`
  const postCount = t`${plural(posts, { one: '# post', other: '# posts' })}`
  return (
    <ul className={styles['facts']}>
      <li>{t`Since ${since}`}</li>
      <li>{lastSeen ? t`Last seen ${lastSeen}` : t`Not seen yet`}</li>
      <li>{imageCount}</li>
      <li>{postCount}</li>
      {storedBytes > 0 && <li>{formatBytes(storedBytes, i18n)}</li>}
      {limit !== null && (
        <li className={styles['own']}>
          {t`${plural(limit, { 0: 'No images allowed', one: '# image a day', other: '# images a day' })}`}
        </li>
      )}
      {signIn.length > 0 && <li>{signIn.map((way) => i18n._(signInLabels[way])).join(', ')}</li>}
      {fixedRole !== null && <li>{t`Role set by ${fixedRole}`}</li>}
    </ul>
  )
}
