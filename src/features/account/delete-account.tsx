import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { PostsOfDeleted } from '../../../shared/account.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { removePosts } from '../../api/post-lists.ts'
import { useSite } from '../../api/site.tsx'
import { FailureNotice, type CallFailure } from '../auth/call-failure.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { callAccount, type Profile } from '../auth/local/accounts.ts'
import { passwordError } from '../auth/local/account-errors.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { ProviderButton } from '../auth/local/provider-sign-in.tsx'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/form.tsx'
import { Section, UsernameField, YourPasswordField } from './section.tsx'

/** Fragment of the page that opens the dialog, after signing in at the provider again. */
const returnHash = '#delete-account'

interface DeletionProps {
  readonly viewerId: string
  readonly profile: Profile
  readonly onDeleted: () => void
  /** Called if the sign-in at the provider was too long ago. */
  readonly onUnconfirmed: () => Promise<unknown>
}

/** Opens the dialog that deletes the account. */
export function DeleteSection(props: DeletionProps) {
  // The provider returns to the dialog.
  const [isOpen, setIsOpen] = useState(
    () => location.hash === returnHash && props.profile.methods.isConfirmed,
  )
  const { t } = useLingui()
  return (
    <Section
      title={t`Delete account`}
      intro={t`Delete your account permanently. You choose whether your posts stay in the gallery.`}
    >
      <Button onClick={() => setIsOpen(true)}>{t`Delete my account…`}</Button>
      {isOpen && <DeleteAccountDialog {...props} onClosed={() => setIsOpen(false)} />}
    </Section>
  )
}

/** Asks for the password and whether to keep the posts, deletes the account and opens the gallery. */
function DeleteAccountDialog(props: DeletionProps & { onClosed: () => void }) {
  const { hasPassword, isConfirmed } = props.profile.methods
  const { auth } = useSite()
  const provider = auth.kind === 'local' ? auth.provider?.name : undefined
  const [posts, setPosts] = useState<PostsOfDeleted>('keep')
  const [providerFailure, setProviderFailure] = useState<CallFailure | null>(null)
  const canDelete = hasPassword || isConfirmed
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const refreshSession = useRefreshSession()
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function remove(password: string): Promise<CallFailure | null> {
    const body = hasPassword ? { password } : {}
    const failure = await callAccount(`/delete-user?posts=${posts}`, body, i18n)
    if (failure) {
      if (!hasPassword) await props.onUnconfirmed()
      // The form has a single field for a password.
      return failure.field === 'password' ? { ...failure, field: 'currentPassword' } : failure
    }
    if (posts === 'remove') removePosts(queryClient, (post) => post.authorId === props.viewerId)
    navigate('/')
    await refreshSession()
    props.onDeleted()
    toast(t`Your account is deleted.`)
    return null
  }

  return (
    <FormDialog
      title={t`Delete your account?`}
      description={t`Your name, your email and every image you did not share are deleted permanently.`}
      variant="danger"
      cancel={t`Keep my account`}
      submit={t`Delete my account`}
      busy={t`Deleting…`}
      hasActions={canDelete}
      check={(text) => ({ currentPassword: hasPassword && passwordError(text('currentPassword')) })}
      call={(text) => remove(text('currentPassword'))}
      onClosed={props.onClosed}
    >
      <FailureNotice failure={providerFailure} />
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
          <UsernameField email={props.profile.email} />
          <YourPasswordField />
        </>
      )}
      {!canDelete && (
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
    </FormDialog>
  )
}
