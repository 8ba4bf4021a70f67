import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FormEvent } from 'react'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { useToast } from '../../ui/announcer.tsx'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useForm } from '../../ui/form.tsx'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { readProfile, signOutEverywhere } from '../auth/local/accounts.ts'
import { readSignInMethods } from '../auth/local/provider.ts'
import { useRefreshSession } from '../auth/local/local-session.ts'
import styles from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DataSection } from './data-section.tsx'
import { DeleteSection } from './delete-account.tsx'
import { EmailSection } from './email-section.tsx'
import { MailSection } from './mail-section.tsx'
import { NameSection } from './name-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PostsSection } from './posts-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { ProviderSection } from './provider-section.tsx'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { Section } from './section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

/** The account page of a local account. */
export function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
  onDeleted: () => void
}) {
  const { auth } = useSite()
  const { profile, hasFailed, reload } = useProfile(props.viewerId)
  if (!profile) {
    if (!hasFailed) return <AccountSkeleton />
    return (
      <Notice action={<RetryButton onClick={() => void reload()} />}>
        <Trans>Your account could not be loaded. Try again in a moment.</Trans>
      </Notice>
    )
  }
  const { email, methods } = profile
  const provider = auth.kind === 'local' ? auth.provider : null
  const hasPasswords = auth.kind === 'local' && auth.hasPasswords
  return (
    <div className={styles['sections']}>
      <NameSection
        profile={profile}
        showsEmail={!sendsAccountMails(auth)}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={async () => {
          await reload()
        }}
      />
      {sendsAccountMails(auth) && (
        <EmailSection profile={profile} hasPassword={methods.hasPassword} onReturn={() => void reload()} />
      )}
      {provider && (
        <ProviderSection
          provider={provider.name}
          email={email}
          methods={methods}
          hasPasswords={hasPasswords}
          onChanged={reload}
        />
      )}
      {hasPasswords && methods.hasPassword && <PasswordSection email={email} />}
      {hasPasswords && <PasskeysSection viewerId={props.viewerId} />}
      <SessionsSection />
      <PostsSection viewerId={props.viewerId} />
      {auth.kind === 'local' && auth.hasMail && <MailSection email={profile.email} />}
      <StorageSection />
      <ApiKeysSection viewerId={props.viewerId} />
      <WebhooksSection />
      <DataSection />
      <DeleteSection
        viewerId={props.viewerId}
        email={email}
        methods={methods}
        onDeleted={props.onDeleted}
        onUnconfirmed={reload}
      />
    </div>
  )
}

/** Reads name and email, and how the user signs in; null if signed out. */
async function readAccount() {
  const [profile, methods] = await Promise.all([readProfile(), readSignInMethods()])
  return profile && methods && { ...profile, methods }
}

/** Queries name and email; refreshes the session if it has ended. */
function useProfile(viewerId: string) {
  const refreshSession = useRefreshSession()
  const { data, isError, refetch } = useQuery({
    queryKey: ['profile', viewerId],
    queryFn: readAccount,
    // Dropped when the page closes.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const hasEnded = data === null
  useEffect(() => {
    if (hasEnded) void refreshSession()
  }, [hasEnded, refreshSession])
  return { profile: data ?? null, hasFailed: isError || hasEnded, reload: () => refetch() }
}

/** Ends every session of the user. */
function SessionsSection() {
  const { form, failure, isBusy, submit, clear } = useForm<never, AccountFailure>([])
  const refreshSession = useRefreshSession()
  const toast = useToast()
  const { t, i18n } = useLingui()

  async function end(event: FormEvent) {
    event.preventDefault()
    const isDone = await submit({}, async () => {
      const error = await signOutEverywhere(i18n)
      if (!error) await refreshSession()
      return error
    })
    if (isDone) toast(t`You are signed out everywhere.`)
  }

  return (
    <Section
      title={t`Sign out everywhere`}
      intro={t`Ends your sessions on all devices, including this one. Use it if you lost a phone or used a shared computer.`}
    >
      <form ref={form} className={styles['form']} onSubmit={(event) => void end(event)}>
        <FailureNotice failure={failure} onSignIn={clear} />
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t`Signing out…` : t`Sign out everywhere`}
        </Button>
      </form>
    </Section>
  )
}
