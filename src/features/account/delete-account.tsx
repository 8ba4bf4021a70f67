import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import { removePosts } from '../../api/post-lists.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { deleteAccount } from '../auth/local/accounts.ts'
import { passwordError, withoutNull } from '../auth/local/check-account.ts'
import { useRefreshSession } from '../auth/local/use-refresh-session.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, RadioGroup, textIn, useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice } from './failure-notice.tsx'
import { UsernameForManagers } from './username-for-managers.tsx'

/** Asks for the password and for what becomes of the posts, then deletes the account and leaves for the gallery. */
export function DeleteAccount(props: {
  open: boolean
  viewerId: string
  email: string
  onClose: () => void
  onDeleted: () => void
}) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'currentPassword', AccountFailure>([
    'currentPassword',
  ])
  const [posts, setPosts] = useState<PostsOfDeleted>('keep')
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const refreshSession = useRefreshSession()
  const announce = useAnnounce()

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = textIn(event.currentTarget, 'currentPassword')
    const known = withoutNull({ currentPassword: passwordError(password) })
    const isMissing = await submit(known, () => deleteAccount({ password, posts }))
    if (!isMissing) return
    if (posts === 'remove') removePosts(queryClient, (post) => post.authorId === props.viewerId)
    navigate('/')
    await refreshSession()
    props.onDeleted()
    announce('Your account is deleted.')
  }

  return (
    <Dialog
      open={props.open}
      title="Delete your account?"
      description="Your name, your email and every image that you did not share are deleted. Nobody can bring them back."
      // The button that opened it, or, where the account was deleted, the page that stands there now.
      focusAfter={() => null}
      onClose={() => !isBusy && props.onClose()}
      onClosed={() => {
        clear()
        setPosts('keep')
      }}
    >
      <form ref={form} noValidate className={styles['form']} onSubmit={(event) => void confirm(event)}>
        <FailureNotice
          failure={failure}
          onSignIn={() => {
            clear()
            props.onClose()
          }}
        />
        <RadioGroup
          legend="The posts you shared"
          name="posts"
          value={posts}
          options={[
            {
              value: 'keep',
              label: 'Keep my posts under the names they show',
              hint: 'Later, only the users who run this site can remove them.',
            },
            { value: 'remove', label: 'Delete my posts too', hint: 'They leave the gallery for everyone.' },
          ]}
          onChange={setPosts}
        />
        <UsernameForManagers email={props.email} />
        <Field label="Your password" error={errors.currentPassword}>
          {(control) => (
            <input
              {...control}
              name="currentPassword"
              type="password"
              required
              autoComplete="current-password"
            />
          )}
        </Field>
        <DialogActions>
          <Button isBusy={isBusy} onClick={props.onClose}>
            Keep my account
          </Button>
          <Button variant="danger" type="submit" isBusy={isBusy}>
            {isBusy ? 'Deleting…' : 'Delete my account'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
