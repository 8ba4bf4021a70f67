import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import type { SignInMethods } from '../../../shared/provider-sign-in.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { removePosts } from '../../api/post-lists.ts'
import { useSite } from '../../api/site.tsx'
import { FailureNotice, type AccountFailure } from '../auth/call-failure.tsx'
import { deleteAccount } from '../auth/local/accounts.ts'
import { fieldErrors, passwordError } from '../auth/local/account-errors.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { ProviderButton } from '../auth/local/provider-sign-in.tsx'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form, RadioGroup, textIn, useForm } from '../../ui/form.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Fragment of the page that opens the dialog, after signing in at the provider again. */
const returnHash = '#delete-account'

/** Opens the dialog that deletes the account. */
export function DeleteSection(props: {
  viewerId: string
  email: string
  methods: SignInMethods
  onDeleted: () => void
  /** Called if the sign-in at the provider was too long ago. */
  onUnconfirmed: () => Promise<unknown>
}) {
  // The provider returns to the dialog.
  const [isOpen, setIsOpen] = useState(() => location.hash === returnHash && props.methods.isConfirmed)
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
  methods: SignInMethods
  onClose: () => void
  onDeleted: () => void
  onUnconfirmed: () => Promise<unknown>
}) {
  const { hasPassword, isConfirmed } = props.methods
  const { auth } = useSite()
  const provider = auth.kind === 'local' ? auth.provider?.name : undefined
  const { form, errors, failure, isBusy, submit, clear } = useForm<'currentPassword', AccountFailure>([
    'currentPassword',
  ])
  const [posts, setPosts] = useState<PostsOfDeleted>('keep')
  const [providerFailure, setProviderFailure] = useState<AccountFailure | null>(null)
  const canDelete = hasPassword || isConfirmed
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const refreshSession = useRefreshSession()
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function confirm(element: HTMLFormElement) {
    const password = hasPassword ? textIn(element, 'currentPassword') : null
    const known = password === null ? {} : fieldErrors({ currentPassword: passwordError(password) }, i18n)
    const isDeleted = await submit(known, () => deleteAccount({ password, posts }, i18n))
    if (!isDeleted) {
      if (!hasPassword) await props.onUnconfirmed()
      return
    }
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
      <Form ref={form} onSubmit={confirm}>
        <FailureNotice
          failure={failure ?? providerFailure}
          onSignIn={() => {
            clear()
            props.onClose()
          }}
        />
        {canDelete && (
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
              {
                value: 'remove',
                label: t`Delete my posts too`,
                hint: t`They leave the gallery for everyone.`,
              },
            ]}
            onChange={setPosts}
          />
        )}
        {hasPassword && (
          <>
            <UsernameField email={props.email} />
            <YourPasswordField error={errors.currentPassword} />
          </>
        )}
        {canDelete ? (
          <DialogActions>
            <Button isBusy={isBusy} onClick={props.onClose}>
              <Trans>Keep my account</Trans>
            </Button>
            <Button variant="danger" type="submit" isBusy={isBusy}>
              {isBusy ? t`Deleting…` : t`Delete my account`}
            </Button>
          </DialogActions>
        ) : (
          <>
            <p>
              {provider === undefined
                ? t`Your account has no password. Ask the operator of this site to delete it.`
                : t`To confirm that it is you, sign in with ${provider} again. You then return here.`}
            </p>
            {provider !== undefined && (
              <ProviderButton
                provider={provider}
                request={{ confirm: true, callbackURL: pagePaths.account + returnHash }}
                variant="primary"
                onFailure={setProviderFailure}
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  )
}
