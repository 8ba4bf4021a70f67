import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { useLocation } from 'wouter'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import { removePosts } from '../../api/post-lists.ts'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { deleteAccount } from '../auth/local/accounts.ts'
import { fieldErrors, passwordError } from '../auth/local/check-account.ts'
import { useRefreshSession } from '../auth/local/local-session.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, RadioGroup, textIn, useForm } from '../../ui/form.tsx'
import styles from './account.module.css'
import { FailureNotice, Section, UsernameField } from './section.tsx'

/** Opens the dialog that deletes the account. */
export function DeleteSection(props: { viewerId: string; email: string; onDeleted: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const { t } = useLingui()
  return (
    <Section
      title={t`Delete account`}
      intro={t`Delete your account permanently. You choose whether your posts stay in the gallery.`}
    >
      <Button onClick={() => setIsOpen(true)}>
        <Trans>Delete my account…</Trans>
      </Button>
      <DeleteAccountDialog {...props} open={isOpen} onClose={() => setIsOpen(false)} />
    </Section>
  )
}

/** Asks for the password and whether to keep the posts, deletes the account and opens the gallery. */
function DeleteAccountDialog(props: {
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
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = textIn(event.currentTarget, 'currentPassword')
    const known = fieldErrors({ currentPassword: passwordError(password) }, i18n)
    const isDeleted = await submit(known, () => deleteAccount({ password, posts }, i18n))
    if (!isDeleted) return
    if (posts === 'remove') removePosts(queryClient, (post) => post.authorId === props.viewerId)
    navigate('/')
    await refreshSession()
    props.onDeleted()
    toast(t`Your account is deleted.`)
  }

  return (
    <Dialog
      open={props.open}
      title={t`Delete your account?`}
      description={t`Your name, your email and every image you did not share are deleted permanently.`}
      // Focus returns to the button that opened the dialog or, after deletion, to the new page.
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
          legend={t`The posts you shared`}
          name="posts"
          value={posts}
          options={[
            {
              value: 'keep',
              label: t`Keep my posts under the names they show`,
              hint: t`Later, only administrators of this site can remove them.`,
            },
            { value: 'remove', label: t`Delete my posts too`, hint: t`They leave the gallery for everyone.` },
          ]}
          onChange={setPosts}
        />
        <UsernameField email={props.email} />
        <Field label={t`Your password`} error={errors.currentPassword}>
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
            <Trans>Keep my account</Trans>
          </Button>
          <Button variant="danger" type="submit" isBusy={isBusy}>
            {isBusy ? t`Deleting…` : t`Delete my account`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
