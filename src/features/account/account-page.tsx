import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sendsAccountMails } from '../../../shared/mailed-links.ts'
import { useSite } from '../../api/site.tsx'
import { Button } from '../../ui/button.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { readProfile } from '../auth/local/accounts.ts'
import { useRefreshSession } from '../auth/local/local-session.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { CommonSections } from './common-sections.tsx'
import {
  DeleteSection,
  EmailSection,
  NameSection,
  PasskeysSection,
  PasswordSection,
  ProviderSection,
  SessionsSection,
} from './local-sections.tsx'
import { AccountSkeleton, Section } from './section.tsx'
import { msg } from '@lingui/core/macro'
import { apiKeyScopes } from '../../../shared/account.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { CheckboxGroup } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useScopeOptions } from '../../ui/post-options.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { CallForm } from '../auth/call-form.tsx'

/** The page of the viewer's own account. */
export function AccountPage() {
  const { t } = useLingui()
  const { openProfile } = useSession()
  // Kept above the form, which unmounts when the session ends, so that typed text survives signing in again.
  const [typed, setTyped] = useState<{ viewerId: string; name: string } | null>(null)
  return (
    <Page isText title={t`Your account`} intro={t`Your sign-in, your name, your API keys and your data.`}>
      <SignedInOnly
        why={t`This page is about your own account, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so your account can’t be shown right now.`}
        placeholder={<AccountSkeleton />}
      >
        {({ id }) =>
          openProfile ? (
            <div key={id} className="stack widest">
              <Section
                title={t`Name, password and deletion`}
                intro={t`Change your name, email and password, or delete your account, in your profile.`}
              >
                <Button variant="primary" onClick={openProfile}>
                  {t`Manage your account`}
                </Button>
              </Section>
              <CommonSections viewerId={id} noticesTo={null} />
            </div>
          ) : (
            <LocalAccount
              key={id}
              viewerId={id}
              typedName={typed?.viewerId === id ? typed.name : null}
              onTypeName={(name) => setTyped(name === null ? null : { viewerId: id, name })}
            />
          )
        }
      </SignedInOnly>
    </Page>
  )
}

function LocalAccount(props: {
  viewerId: string
  typedName: string | null
  onTypeName: (name: string | null) => void
}) {
  const { viewerId } = props
  const { t } = useLingui()
  const { auth } = useSite()
  const refreshSession = useRefreshSession()
  const query = useQuery({
    queryKey: ['profile', viewerId],
    queryFn: readProfile,
    // Dropped when the page closes.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const { data: profile, refetch } = query
  const hasEnded = profile === null
  useEffect(() => {
    if (hasEnded) void refreshSession(null)
  }, [hasEnded, refreshSession])
  const failed = t`Your account could not be loaded. Try again in a moment.`
  if (hasEnded) return <AccountSkeleton />
  if (!profile) return <QueryState query={query} failed={failed} placeholder={<AccountSkeleton />} />
  const { email, methods } = profile
  const { provider, hasPasswords, hasMail } =
    auth.kind === 'local' ? auth : { provider: null, hasPasswords: false, hasMail: false }
  return (
    <div className="stack widest">
      <NameSection
        profile={profile}
        showsEmail={!sendsAccountMails(auth)}
        typed={props.typedName}
        onType={props.onTypeName}
        onSaved={refetch}
      />
      {sendsAccountMails(auth) && <EmailSection profile={profile} onReturn={() => void refetch()} />}
      {provider && (
        <ProviderSection
          provider={provider.name}
          profile={profile}
          hasPasswords={hasPasswords}
          onChanged={refetch}
        />
      )}
      {hasPasswords && methods.hasPassword && <PasswordSection email={email} />}
      {hasPasswords && <PasskeysSection />}
      <SessionsSection />
      <CommonSections viewerId={viewerId} noticesTo={hasMail ? email : null} />
      <DeleteSection viewerId={viewerId} profile={profile} onUnconfirmed={refetch} />
    </div>
  )
}

/** The page to which a program sends users, who decide whether it may act as them. */
export function ConsentPage() {
  const { t } = useLingui()
  return (
    <Page
      isText
      title={t`Connect a program`}
      intro={t`A program asks to act as you. It gets no password, and can’t change your account.`}
    >
      <SignedInOnly
        why={t`Sign in to see which program asks, and to decide what it may do.`}
        unavailable={t`Sign-in is unavailable. Please try again in a moment.`}
      >
        {({ id, firstName }) => <Consent key={id} firstName={firstName ?? ''} />}
      </SignedInOnly>
    </Page>
  )
}

function Consent({ firstName }: { firstName: string }) {
  const { t } = useLingui()
  const { name: siteName } = useSite()
  // As received: the router decodes parts of it.
  const query = location.search.slice(1)
  const { client } = trpc.useUtils()
  const options = useScopeOptions()
  const request = trpc.account.programs.request.useQuery({ query }, { gcTime: 0, staleTime: Infinity })
  // Another try would not find it either.
  if (request.error && describeFailure(request.error).reason === 'not_found')
    return <Notice>{t`Unknown program or address.`}</Notice>
  if (!request.data) return <QueryState query={request} />
  const { name, host, scopes, error } = request.data

  async function decide(chosen: readonly FormDataEntryValue[]) {
    const decision = { query, scopes: apiKeyScopes.filter((scope) => chosen.includes(scope)) }
    location.assign((await client.account.programs.decide.mutate(decision)).url)
  }

  const question =
    error !== null
      ? msg`The request of ${name} is not valid. Nothing can be allowed.`
      : host === ''
        ? msg`${name} on this device asks to act as ${firstName} on ${siteName}. The name is not verified: allow it only if you have just asked it to connect.`
        : msg`${name} at ${host} asks to act as ${firstName} on ${siteName}. The name is not verified: check the address, and allow it only if you have just asked it to connect.`
  return (
    <Panel>
      <p>
        <Sentence className="name" of={question} />
      </p>
      {error === null && (
        <CallForm
          variant="primary"
          submit={t({ message: 'Allow', context: 'a program' })}
          call={(_, all) => decide(all('scopes'))}
          done={t`Continue in the program. You can close this page.`}
        >
          <CheckboxGroup
            legend={t`Allowed actions`}
            hint={t`Images that it generates count against your daily limit. Your account page ends this at any time.`}
            name="scopes"
            check={(chosen) => chosen === '' && msg`Allow at least one action.`}
            defaultValues={scopes}
            options={options.filter(({ value }) => scopes.includes(value))}
          />
        </CallForm>
      )}
      <CallForm submit={t`Don’t allow`} call={() => decide([])} />
    </Panel>
  )
}
