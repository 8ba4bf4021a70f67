import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { passwordMinLength } from '../../../shared/limits.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { completeDeletion } from '../../api/missing.ts'
import { removePosts } from '../../api/post-changes.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { clearLocalData } from '../../browser/apis.ts'
import { toast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import { Checkbox, EmailField, PasswordField, RadioGroup, TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm, ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import {
  callAccount,
  continueWithProvider,
  emailError,
  nameError,
  newPasswordError,
  passwordError,
  type Profile,
} from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { addPasskey, offersPasskeys } from '../auth/local/passkeys.ts'
import { ProviderButton } from '../auth/local/sign-in-dialog.tsx'
import { Section } from './section.tsx'
import { useWindowEvent } from '../../browser/use-window-event.ts'

/** Field for the password of the account, by the name `currentPassword`, which confirms a change. */
function YourPasswordField({ email }: { email: string }) {
  const { t } = useLingui()
  return (
    <>
      <UsernameField email={email} />
      <PasswordField
        label={t`Your password`}
        name="currentPassword"
        check={passwordError}
        autoComplete="current-password"
        enterKeyHint="send"
      />
    </>
  )
}

/** Hidden field from which password managers know the account of a password. */
function UsernameField({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** Changes the name, and shows the email unless a section of its own does. */
export function NameSection(props: {
  profile: Profile
  showsEmail: boolean
  /** Unsaved text of the field; null if unchanged. */
  typed: string | null
  onType: (name: string | null) => void
  onSaved: () => Promise<unknown>
}) {
  const refreshSession = useRefreshSession()
  const { t } = useLingui()
  return (
    <Section
      title={props.showsEmail ? t`Name and email` : t`Name`}
      intro={t`Your first name appears on the images you share from now on. Existing posts keep the name they show.`}
    >
      <CallForm
        submit={t`Save name`}
        busy={t`Saving…`}
        call={async (text) => {
          await callAccount('/update-user', { name: text('name') })
          await Promise.all([props.onSaved(), refreshSession()])
        }}
        onDone={() => props.onType(null)}
        done={t`Your name is saved.`}
      >
        {props.showsEmail && (
          <dl className="stack tightest">
            <dt className="name">{t`Email`}</dt>
            <dd className="breakable">{props.profile.email}</dd>
            <dd className="quiet small">{t`It is not shown to others.`}</dd>
          </dl>
        )}
        <TextField
          label={t`Name`}
          name="name"
          required
          autoComplete="name"
          check={(name) => nameError(name)}
          value={props.typed ?? props.profile.name}
          onChange={({ target }) => props.onType(target.value)}
        />
      </CallForm>
    </Section>
  )
}

/** Shows whether the email is confirmed, and changes it. Only on a site that sends mails. */
export function EmailSection({ profile, onReturn }: { profile: Profile; onReturn: () => void }) {
  const { email, methods } = profile
  const [isWaiting, setIsWaiting] = useState(false)
  const [sentTo, setSentTo] = useState('')
  const { t } = useLingui()
  // Without a password, the change needs a recent sign-in.
  const { hasPassword } = methods

  // The user has opened the link in another tab.
  useWindowEvent('focus', () => isWaiting && onReturn())

  return (
    <Section
      title={t`Email`}
      intro={t`You can reset a forgotten password only with an email that is yours. A new email is used once you confirm it.`}
    >
      <p>
        <Sentence
          className="name"
          of={
            profile.emailVerified
              ? msg`${email} is confirmed.`
              : msg`${email} is not confirmed yet. Open the link that we sent to it, or send another.`
          }
        />
      </p>
      {!profile.emailVerified && (
        <CallForm
          submit={t`Send a link to confirm it`}
          busy={t`Sending…`}
          call={() => callAccount('/send-verification-email', { email })}
          onDone={() => setIsWaiting(true)}
          done={t`The link is on its way. Look into your spam folder too.`}
        />
      )}
      <CallForm
        submit={t`Change email`}
        busy={t`Sending…`}
        call={(text) => {
          const newEmail = text('email')
          setSentTo(newEmail)
          const body = { newEmail, ...(hasPassword && { password: text('currentPassword') }) }
          return callAccount('/change-email', body)
        }}
        onDone={(form) => {
          form.reset()
          setIsWaiting(true)
        }}
        done={
          <Sentence
            className="name"
            of={msg`We sent a link to ${sentTo}. Open it to confirm the change. Nothing arrives if another account has this email.`}
          />
        }
      >
        <EmailField label={t`New email`} check={emailError} autoComplete="off" enterKeyHint="next" />
        {hasPassword && <YourPasswordField email={email} />}
      </CallForm>
    </Section>
  )
}

export function PasswordSection({ email }: { email: string }) {
  const [isShown, setIsShown] = useState(false)
  const [endsPrograms, setEndsPrograms] = useState(true)
  const { data: keys, refetch } = trpc.account.apiKeys.list.useQuery(undefined, { gcTime: 0 })
  const { t } = useLingui()
  return (
    <Section
      title={t`Password`}
      intro={t`Changing your password signs you out on every other device. You stay signed in here.`}
    >
      <CallForm
        submit={t`Change password`}
        busy={t`Changing…`}
        call={(text) => {
          const [currentPassword, newPassword] = [text('currentPassword'), text('password')]
          const body = { currentPassword, newPassword, revokeOtherSessions: true, endsPrograms }
          return callAccount('/change-password', body)
        }}
        onDone={(form) => {
          form.reset()
          setIsShown(false)
          void refetch()
        }}
        done={t`Your password is changed. Other devices are signed out.`}
      >
        <UsernameField email={email} />
        <PasswordField
          label={t`Current password`}
          name="currentPassword"
          check={passwordError}
          isShown={isShown}
          autoComplete="current-password"
        />
        <PasswordField
          label={t`New password`}
          hint={t`At least ${passwordMinLength} characters.`}
          name="password"
          check={newPasswordError}
          isShown={isShown}
          autoComplete="new-password"
        />
        <Checkbox isChecked={isShown} onChange={setIsShown}>{t`Show passwords`}</Checkbox>
        {keys?.some(({ program }) => program !== undefined) && (
          <Checkbox isChecked={endsPrograms} onChange={setEndsPrograms}>
            {t`Disconnect programs that you allowed, too`}
          </Checkbox>
        )}
      </CallForm>
    </Section>
  )
}

/** Shows whether the account is connected with the provider, and changes it for accounts with a password. */
export function ProviderSection(props: {
  provider: string
  profile: Profile
  hasPasswords: boolean
  onChanged: () => Promise<unknown>
}) {
  const { provider, profile, onChanged } = props
  const { hasPassword, hasProvider } = profile.methods
  const canChange = hasPassword && (props.hasPasswords || !hasProvider)
  const { t } = useLingui()

  /** Both require the password. */
  async function change(password: string) {
    if (!hasProvider) {
      return continueWithProvider('/link-social', { password, callbackURL: pagePaths.account })
    }
    await callAccount('/disconnect-provider', { password })
    await onChanged()
    toast(t`${provider} is disconnected.`)
  }

  return (
    <Section
      title={t`Sign-in with ${provider}`}
      intro={
        !hasProvider
          ? t`Connect your account, to sign in with ${provider} as well as with your password.`
          : canChange
            ? t`Your account is connected: you sign in with ${provider} or your password.`
            : t`Your account is connected: you sign in with ${provider}.`
      }
    >
      {canChange ? (
        <CallForm
          key={String(hasProvider)}
          submit={hasProvider ? t`Disconnect ${provider}` : t`Connect ${provider}`}
          call={(text) => change(text('currentPassword'))}
        >
          <YourPasswordField email={profile.email} />
        </CallForm>
      ) : (
        <p>
          <Trans>Your password and the security of your account are managed at {provider}.</Trans>
        </p>
      )}
    </Section>
  )
}

type Passkey = RouterOutputs['account']['passkeys']['list'][number]

const checkPasskey = (name: string) => nameError(name, msg`Give the passkey a name.`)

/**
 * Lists, adds, renames and deletes the passkeys of the signed-in user. Where the browser can't use passkeys of the site, it
 * is shown to users who have some.
 */
export function PasskeysSection() {
  const { auth } = useSite()
  const { passkeys } = trpc.useUtils().client.account
  const { t } = useLingui()
  const [dialog, open] = useDialog()
  // Dropped when the page closes.
  const query = trpc.account.passkeys.list.useQuery(undefined, { gcTime: 0 })
  const { data, refetch } = query
  const canAdd = offersPasskeys(auth)
  if (!canAdd && !data?.length) return null

  const rename = ({ id, name }: Passkey) =>
    open(
      <FormDialog
        title={t`Rename the passkey`}
        description={t`The name is shown on this page only. Your device or password manager may show another one.`}
        submit={t`Save name`}
        busy={t`Saving…`}
        call={async (text) => {
          await passkeys.rename.mutate({ id, name: text('name') })
          await refetch()
        }}
      >
        <TextField
          label={t`Name`}
          name="name"
          required
          check={checkPasskey}
          autoComplete="off"
          defaultValue={name}
        />
      </FormDialog>,
    )
  const remove = ({ id, name }: Passkey) =>
    open(
      <ConfirmCall
        title={<Sentence of={msg`Delete “${name}”?`} />}
        description={t`You can no longer sign in with this passkey. Remove it from your device or password manager as well.`}
        confirm={t`Delete`}
        outcome={t`The passkey is deleted.`}
        call={() => completeDeletion(passkeys.delete.mutate({ id })).then(() => refetch())}
      />,
    )

  return (
    <Section
      title={t`Passkeys`}
      intro={t`Sign in with the fingerprint, face or PIN of a device, or with a security key, instead of your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Your passkeys`} empty={t`You have no passkeys.`}>
          {data.map((passkey) => (
            <Entry
              key={passkey.id}
              name={<UserText text={passkey.name} />}
              actions={[
                [t`Rename`, () => rename(passkey)],
                [t`Delete`, () => remove(passkey)],
              ]}
            >
              <Fact label={t({ message: 'Added', context: 'passkey' })} at={passkey.createdAt} />
              <Fact
                label={t`Last used`}
                at={passkey.lastUsedAt}
                never={t({ message: 'Never', context: 'last use of a passkey' })}
              />
            </Entry>
          ))}
        </EntryList>
      )}
      {data && canAdd && (
        <CallForm
          submit={t`Add a passkey`}
          busy={t`Adding…`}
          call={async (text) => {
            await addPasskey(text('name'))
            await refetch()
          }}
          onDone={(form) => form.reset()}
          done={t`The passkey is added. You can sign in with it from now on.`}
        >
          <TextField
            label={t`Name of the new passkey`}
            hint={t`For example the device or password manager that keeps it.`}
            name="name"
            check={checkPasskey}
            required
            autoComplete="off"
          />
        </CallForm>
      )}
      {dialog}
    </Section>
  )
}

/** Ends every session of the user. */
export function SessionsSection() {
  const refreshSession = useRefreshSession()
  const { t } = useLingui()
  return (
    <Section
      title={t`Sign out everywhere`}
      intro={t`Ends your sessions on all devices, including this one. Use it if you lost a phone or used a shared computer.`}
    >
      <CallForm
        submit={t`Sign out everywhere`}
        busy={t`Signing out…`}
        call={async () => {
          await callAccount('/revoke-sessions', {})
          await refreshSession('ended')
          toast(t`You are signed out everywhere.`)
        }}
      />
    </Section>
  )
}

/** Fragment of the page that opens the dialog, after signing in at the provider again. */
const returnHash = '#delete-account'

/** Opens a dialog that asks for the password and whether to keep the posts, deletes the account and opens the gallery. */
export function DeleteSection(props: {
  viewerId: string
  profile: Profile
  onUnconfirmed: () => Promise<unknown>
}) {
  const { email, methods } = props.profile
  const { hasPassword, isConfirmed } = methods
  // The provider returns to the dialog.
  const [isOpen, setIsOpen] = useState(() => location.hash === returnHash && isConfirmed)
  const { auth } = useSite()
  const provider = auth.kind === 'local' ? auth.provider?.name : undefined
  const canDelete = hasPassword || isConfirmed
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const refreshSession = useRefreshSession()
  const { t } = useLingui()

  async function remove(password: string, posts: 'keep' | 'remove') {
    try {
      await callAccount(`/delete-user?posts=${posts}`, hasPassword ? { password } : {})
    } catch (error) {
      if (!hasPassword) await props.onUnconfirmed()
      throw error
    }
    if (posts === 'remove') removePosts(queryClient, (post) => post.authorId === props.viewerId)
    navigate('/')
    clearLocalData()
    await refreshSession('ended')
    toast(t`Your account is deleted.`)
  }

  return (
    <Section
      title={t`Delete account`}
      intro={t`Delete your account permanently. You choose whether your posts stay in the gallery.`}
    >
      <Button onClick={() => setIsOpen(true)}>{t`Delete my account…`}</Button>
      {isOpen && (
        <FormDialog
          title={t`Delete your account?`}
          description={t`Your name, your email and every image you did not share are deleted permanently.`}
          variant="danger"
          cancel={t`Keep my account`}
          submit={t`Delete my account`}
          busy={t`Deleting…`}
          hasActions={canDelete}
          call={(text) => remove(text('currentPassword'), text('posts') === 'remove' ? 'remove' : 'keep')}
          onClosed={() => setIsOpen(false)}
        >
          {canDelete && (
            <RadioGroup
              legend={t`The posts you shared`}
              name="posts"
              defaultValue="keep"
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
            />
          )}
          {hasPassword && <YourPasswordField email={email} />}
          {!canDelete && (
            <p>
              {provider === undefined
                ? t`Your account has no password. Ask the operator of this site to delete it.`
                : t`To confirm that it is you, sign in with ${provider} again. You then return here.`}
            </p>
          )}
          {!canDelete && provider !== undefined && (
            <ProviderButton
              provider={provider}
              request={{ confirm: true, callbackURL: pagePaths.account + returnHash }}
              variant="primary"
            />
          )}
        </FormDialog>
      )}
    </Section>
  )
}
