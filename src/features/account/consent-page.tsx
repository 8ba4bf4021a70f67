import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { apiKeyScopes } from '../../../shared/account.ts'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { CheckboxGroup } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { useScopeOptions } from '../../ui/post-options.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'

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
