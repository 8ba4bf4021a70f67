import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import type { ManagedUser } from '../../../shared/admin.ts'
import { dailyImagesMax } from '../../../shared/limits.ts'
import type { Role } from '../../../shared/viewer.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { isWholeNumber, RadioGroup, TextField } from '../../ui/form.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import type { UserAction, UserCache } from './users-section.tsx'

interface UserDialogProps {
  readonly user: ManagedUser
  /** True where a hosted service has the accounts. */
  readonly isHosted: boolean
  readonly cache: UserCache
  readonly onClosed: () => void
}

/** The dialog of an action on a user. */
export function UserDialog({ action, ...props }: UserDialogProps & { action: UserAction }) {
  switch (action) {
    case 'role':
      return <ChangeRole {...props} />
    case 'limit':
      return <ChangeLimit {...props} />
    case 'block':
    case 'unblock':
    case 'signOut':
      return <ConfirmAction {...props} action={action} />
    case 'delete':
      return <DeleteUser {...props} />
  }
}

/** Calls about a user, and what the dialog of each needs. */
function useUserCalls({ user: { id }, cache, onClosed }: UserDialogProps) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const { users } = api.client.admin
  const isRemoved = useRef(false)

  function remove() {
    isRemoved.current = true
    cache.remove(id)
  }

  async function run(call: () => Promise<unknown>): Promise<void> {
    try {
      await call()
    } catch (error) {
      if (describeFailure(error).reason === 'not_found') remove()
      throw error
    }
    // The log and the figures of other sections include it. The list of users is updated without loading its pages again.
    void api.admin.invalidate(undefined, {
      predicate: ({ queryKey: [path] }) => !(Array.isArray(path) && path[1] === 'users'),
    })
  }

  return {
    update: (changes: { blocked?: boolean; role?: Role; dailyImageLimit?: number | null }) =>
      run(async () => cache.replace(await users.update.mutate({ id, ...changes }))),
    delete: (posts: PostsOfDeleted) => run(() => users.delete.mutate({ id, posts }).then(remove)),
    signOut: () => run(() => users.signOut.mutate({ id })),
    dialog: {
      failed: t`The action failed. Try again in a moment.`,
      focusAfter: () => (isRemoved.current ? document.getElementById('user-count') : null),
      onClosed,
    },
  }
}

function ChangeRole(props: UserDialogProps) {
  const { t } = useLingui()
  const { user } = props
  const { update, dialog } = useUserCalls(props)
  const [role, setRole] = useState(user.role)
  return (
    <FormDialog
      {...dialog}
      title={
        <Trans>
          Role of <UserText text={user.name} />
        </Trans>
      }
      description={t`It applies from the next request, in every open window.`}
      submit={t`Save`}
      outcome={t`The role is saved.`}
      call={() => update({ role })}
    >
      <RadioGroup
        legend={t`Role`}
        name="role"
        value={role}
        options={[
          { value: 'member', label: t`Member`, hint: t`Generates images and shares them` },
          {
            value: 'moderator',
            label: t`Moderator`,
            hint: t`Also reviews reports, hides posts and marks them as sensitive`,
          },
          {
            value: 'administrator',
            label: t`Administrator`,
            hint: t`Also deletes posts of others, and manages users and the site`,
          },
        ]}
        onChange={setRole}
      />
    </FormDialog>
  )
}

function ChangeLimit(props: UserDialogProps) {
  const { t, i18n } = useLingui()
  const { user } = props
  const { update, dialog } = useUserCalls(props)
  const toast = useToast()
  const max = i18n.number(dailyImagesMax)
  return (
    <FormDialog
      {...dialog}
      title={
        <Trans>
          Daily image limit of <UserText text={user.name} />
        </Trans>
      }
      description={t`Images that the user may generate each day. Days begin at midnight UTC.`}
      submit={t`Save`}
      check={(text) => ({
        limit:
          text('limit') !== '' &&
          !isWholeNumber(text('limit'), 0, dailyImagesMax) &&
          t`Enter a whole number from 0 to ${max}, or nothing.`,
      })}
      call={async (text) => {
        const limit = text('limit')
        await update({ dailyImageLimit: limit === '' ? null : Number(limit) })
        toast(limit === '' ? t`The limit of the site applies again.` : t`The limit is saved.`)
      }}
    >
      <TextField
        label={t`Images per day`}
        hint={t`Leave it empty for the limit of the site.`}
        name="limit"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        defaultValue={user.dailyImageLimit ?? ''}
      />
    </FormDialog>
  )
}

/** Asks for confirmation of an action that needs no input. */
function ConfirmAction(props: UserDialogProps & { action: 'block' | 'unblock' | 'signOut' }) {
  const { t } = useLingui()
  const { update, signOut, dialog } = useUserCalls(props)
  const { action, user } = props
  const { name } = user
  const texts = {
    block: {
      title: (
        <Trans>
          Block <UserText text={name} />?
        </Trans>
      ),
      description: t`They are signed out everywhere and cannot sign in. Their API keys are revoked and their running generations canceled. Their posts stay.`,
      confirm: t({ message: 'Block', context: 'a user' }),
      outcome: t`The user is blocked.`,
    },
    unblock: {
      title: (
        <Trans>
          Unblock <UserText text={name} />?
        </Trans>
      ),
      description: t`They can sign in again, and create new API keys.`,
      confirm: t({ message: 'Unblock', context: 'a user' }),
      outcome: t`The user is no longer blocked.`,
    },
    signOut: {
      title: (
        <Trans>
          Sign <UserText text={name} /> out everywhere?
        </Trans>
      ),
      description: t`Every session ends at once. They can sign in again, and their API keys stay valid.`,
      confirm: t`Sign out`,
      outcome: t`The user is signed out everywhere.`,
    },
  }
  return (
    <ConfirmCall
      {...dialog}
      {...texts[action]}
      cancel={t`Cancel`}
      call={() => (action === 'signOut' ? signOut() : update({ blocked: action === 'block' }))}
    />
  )
}

function DeleteUser(props: UserDialogProps) {
  const { t } = useLingui()
  const calls = useUserCalls(props)
  const { user, isHosted } = props
  const [posts, setPosts] = useState<PostsOfDeleted>('keep')
  return (
    <FormDialog
      {...calls.dialog}
      variant="danger"
      title={
        <Trans>
          Delete <UserText text={user.name} />?
        </Trans>
      }
      description={
        isHosted
          ? t`Everything that this site stores about the user is deleted permanently. The account at Clerk stays: delete it in Clerk’s dashboard, or they can come back.`
          : t`The account and every image that was not shared are deleted permanently. This cannot be undone.`
      }
      submit={t({ message: 'Delete', context: 'a user' })}
      outcome={t`The user is deleted.`}
      call={() => calls.delete(posts)}
    >
      <RadioGroup
        legend={t`The posts they shared`}
        name="posts"
        value={posts}
        options={[
          { value: 'keep', label: t`Keep the posts under the names they show` },
          { value: 'remove', label: t`Delete the posts too`, hint: t`They leave the gallery for everyone.` },
        ]}
        onChange={setPosts}
      />
    </FormDialog>
  )
}
