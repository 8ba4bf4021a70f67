import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState, type ReactNode } from 'react'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import type { ManagedUser } from '../../../shared/admin.ts'
import { dailyImagesMax } from '../../../shared/limits.ts'
import type { Role } from '../../../shared/viewer.ts'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx'
import {
  TextField,
  Form,
  RadioGroup,
  textIn,
  useForm,
  type FormError,
  type GroupOption,
} from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
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

/** State of a dialog whose confirmation makes one call at a time. */
function useUserCall({ user, cache }: UserDialogProps) {
  const { t, i18n } = useLingui()
  const toast = useToast()
  const api = trpc.useUtils()
  const [open, setOpen] = useState(true)
  const { form, errors, failure, isBusy, submit } = useForm<'limit', FormError>(['limit'])
  const isRemoved = useRef(false)

  /** Makes a call, closes the dialog and says what was done, unless `errors` has any. */
  async function run(call: () => Promise<unknown>, outcome: string, limit?: string): Promise<void> {
    const isDone = await submit(limit === undefined ? {} : { limit }, async () => {
      try {
        await call()
        return null
      } catch (error) {
        if (describeFailure(error).reason === 'not_found') {
          isRemoved.current = true
          cache.remove(user.id)
        }
        const message = failureMessage(error, i18n) ?? t`The action failed. Try again in a moment.`
        return { field: null, message }
      }
    })
    if (!isDone) return
    // The log and the figures of other sections include it.
    void api.admin.invalidate(undefined, { predicate: ({ queryKey }) => !isUserList(queryKey) })
    toast(outcome)
    setOpen(false)
  }

  return {
    open,
    close: () => setOpen(false),
    form,
    errors,
    failure: failure?.message ?? null,
    isBusy,
    run,
    update: async (changes: { blocked?: boolean; role?: Role; dailyImageLimit?: number | null }) =>
      cache.replace(await api.client.admin.users.update.mutate({ id: user.id, ...changes })),
    remove: async (posts: PostsOfDeleted) => {
      await api.client.admin.users.delete.mutate({ id: user.id, posts })
      isRemoved.current = true
      cache.remove(user.id)
    },
    focusAfter: () => (isRemoved.current ? document.getElementById('user-count') : null),
  }
}

/** The list is updated without loading its pages again. */
function isUserList(queryKey: readonly unknown[]): boolean {
  const [path] = queryKey
  return Array.isArray(path) && path[1] === 'users'
}

function useRoleOptions(): readonly GroupOption<Role>[] {
  const { t } = useLingui()
  return [
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
  ]
}

function ChangeRole(props: UserDialogProps) {
  const { t } = useLingui()
  const { user } = props
  const call = useUserCall(props)
  const options = useRoleOptions()
  const [role, setRole] = useState(user.role)
  return (
    <FormDialog
      call={call}
      title={
        <Trans>
          Role of <UserText text={user.name} />
        </Trans>
      }
      description={t`It applies from the next request, in every open window.`}
      submit={t`Save`}
      onClosed={props.onClosed}
      onSubmit={() => void call.run(() => call.update({ role }), t`The role is saved.`)}
    >
      <RadioGroup legend={t`Role`} name="role" value={role} options={options} onChange={setRole} />
    </FormDialog>
  )
}

function ChangeLimit(props: UserDialogProps) {
  const { t, i18n } = useLingui()
  const { user } = props
  const call = useUserCall(props)
  const max = i18n.number(dailyImagesMax)

  function save(form: HTMLFormElement) {
    const text = textIn(form, 'limit').trim()
    const limit = text === '' ? null : Number(text)
    const isValid = limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= dailyImagesMax)
    void call.run(
      () => call.update({ dailyImageLimit: limit }),
      limit === null ? t`The limit of the site applies again.` : t`The limit is saved.`,
      isValid && /^\d*$/.test(text) ? undefined : t`Enter a whole number from 0 to ${max}, or nothing.`,
    )
  }

  return (
    <FormDialog
      call={call}
      title={
        <Trans>
          Daily image limit of <UserText text={user.name} />
        </Trans>
      }
      description={t`Images that the user may generate each day. Days begin at midnight UTC.`}
      submit={t`Save`}
      onClosed={props.onClosed}
      onSubmit={save}
    >
      <TextField
        label={t`Images per day`}
        hint={t`Leave it empty for the limit of the site.`}
        error={call.errors.limit}
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
  const call = useUserCall(props)
  const api = trpc.useUtils()
  const { id, name } = props.user
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
  const { outcome, ...shown } = texts[props.action]
  const act = () =>
    props.action === 'signOut'
      ? api.client.admin.users.signOut.mutate({ id })
      : call.update({ blocked: props.action === 'block' })
  return (
    <ConfirmDialog
      {...shown}
      open={call.open}
      cancel={t`Cancel`}
      isBusy={call.isBusy}
      failure={call.failure}
      focusAfter={call.focusAfter}
      onConfirm={() => void call.run(act, outcome)}
      onCancel={call.close}
      onClosed={props.onClosed}
    />
  )
}

function DeleteUser(props: UserDialogProps) {
  const { t } = useLingui()
  const call = useUserCall(props)
  const { user, isHosted } = props
  const [posts, setPosts] = useState<PostsOfDeleted>('keep')
  return (
    <FormDialog
      call={call}
      isDangerous
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
      onClosed={props.onClosed}
      onSubmit={() => void call.run(() => call.remove(posts), t`The user is deleted.`)}
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

/** A dialog with a form, which closes only by its buttons while it is sent. */
function FormDialog(props: {
  call: ReturnType<typeof useUserCall>
  title: ReactNode
  description: string
  submit: string
  isDangerous?: boolean
  onSubmit: (form: HTMLFormElement) => void
  onClosed: () => void
  children: ReactNode
}) {
  const { form, open, close, focusAfter, failure, isBusy } = props.call
  return (
    <Dialog
      open={open}
      title={props.title}
      description={props.description}
      focusAfter={focusAfter}
      onClose={() => !isBusy && close()}
      onClosed={props.onClosed}
    >
      <Form ref={form} onSubmit={props.onSubmit}>
        <Notice>{failure}</Notice>
        {props.children}
        <DialogActions>
          <Button isBusy={isBusy} onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant={props.isDangerous ? 'danger' : 'primary'} type="submit" isBusy={isBusy}>
            {props.submit}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
