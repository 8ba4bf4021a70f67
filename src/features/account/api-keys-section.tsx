import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { apiKeyLifetimes, apiKeyScopes } from '../../../shared/account.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { completeDeletion } from '../../api/missing.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import { CheckboxGroup, SelectField, TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm, ConfirmCall } from '../auth/call-form.tsx'
import styles from './account.module.css'
import { useScopeOptions } from '../../ui/post-options.ts'
import { Section } from './section.tsx'

const defaultLifetime = 90

type ApiKeys = RouterOutputs['account']['apiKeys']
type ApiKey = ApiKeys['list'][number]

/** Lists, creates and revokes the API keys of the signed-in user. */
export function ApiKeysSection() {
  const { apiKeys } = trpc.useUtils().client.account
  const { t, i18n } = useLingui()
  // Dropped when the page closes.
  const query = trpc.account.apiKeys.list.useQuery(undefined, { gcTime: 0 })
  const { data, dataUpdatedAt, refetch } = query
  const [created, setCreated] = useState<ApiKeys['create'] | null>(null)
  const [dialog, open] = useDialog()
  const never = t({ message: 'Never', context: 'expiry of an API key' })
  const scopes = useScopeOptions()
  const revoke = ({ id, name, program }: ApiKey) => {
    const isKey = program === undefined
    open(
      <ConfirmCall
        title={<Sentence of={isKey ? msg`Revoke “${name}”?` : msg`Disconnect “${name}”?`} />}
        description={
          isKey
            ? t`Programs that use this key are rejected from now on. This cannot be undone.`
            : t`The program is rejected from now on, until you allow it again.`
        }
        confirm={isKey ? t`Revoke` : t`Disconnect`}
        outcome={isKey ? t`The API key is revoked.` : t`The program is disconnected.`}
        call={async () => {
          await completeDeletion(apiKeys.revoke.mutate({ id }))
          setCreated((shown) => (shown?.id === id ? null : shown))
          await refetch()
        }}
      />,
    )
  }

  function renderEntry(apiKey: ApiKey) {
    const { id, createdAt, expiresAt, lastUsedAt, program } = apiKey
    const isExpired = expiresAt !== null && Date.parse(expiresAt) <= dataUpdatedAt
    const allowed = scopes.filter(({ value }) => apiKey.scopes.includes(value))
    return (
      <Entry
        key={id}
        name={<UserText text={apiKey.name} />}
        actions={[[program === undefined ? t`Revoke` : t`Disconnect`, () => revoke(apiKey)]]}
      >
        {program !== undefined && <Fact label={t`Address`}>{program || t`On your device`}</Fact>}
        <Fact label={t({ message: 'Created', context: 'API key' })} at={createdAt} />
        <Fact
          label={t`Last used`}
          at={lastUsedAt}
          never={t({ message: 'Never', context: 'last use of an API key' })}
        />
        <Fact
          label={
            isExpired
              ? t({ message: 'Expired', context: 'API key' })
              : t({ message: 'Expires', context: 'API key' })
          }
          isBad={isExpired}
          at={expiresAt}
          never={never}
        />
        <Fact label={t({ message: 'Allows', context: 'API key' })}>
          {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(allowed.map(({ label }) => label))}
        </Fact>
      </Entry>
    )
  }

  const keys = data?.filter(({ program }) => program === undefined)
  const programs = data?.filter(({ program }) => program !== undefined) ?? []
  return (
    <Section
      title={t`API keys`}
      intro={t`A program with one of your API keys acts as you, as far as the key allows and within your daily limit. It can’t change your account. A key works until it expires or you revoke it, even after you sign out or change your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {keys && (
        <EntryList label={t`Your API keys`} empty={t`You have no API keys.`}>
          {keys.map(renderEntry)}
        </EntryList>
      )}
      {created && (
        <OneTimeText
          key={`created ${created.id}`}
          label={t`Your new API key`}
          hint={t`Copy it now and keep it like a password: it is not shown again.`}
          value={created.key}
          copied={t`The API key is on your clipboard.`}
          notCopied={t`The browser did not copy the key. Copy the selected text yourself.`}
          onDone={() => setCreated(null)}
        />
      )}
      {data && (
        <CallForm
          submit={t`Create API key`}
          busy={t`Creating…`}
          call={async (text, all) => {
            const input = {
              name: text('name'),
              expiresInDays: apiKeyLifetimes.find((days) => String(days) === text('lifetime')) ?? null,
              scopes: apiKeyScopes.filter((scope) => all('scopes').includes(scope)),
            }
            setCreated(await apiKeys.create.mutate(input))
          }}
          onSettled={refetch}
          onDone={(form) => form.reset()}
        >
          <TextField
            label={t`Name of the new key`}
            hint={t`You will recognize the key by it.`}
            name="name"
            required
            check={(name) => name === '' && msg`Give the API key a name.`}
            autoComplete="off"
          />
          <SelectField
            label={t({ message: 'Expires', context: 'API key' })}
            name="lifetime"
            defaultValue={defaultLifetime}
            options={[
              ...apiKeyLifetimes.map(
                (days) => [String(days), t`In ${plural(days, { one: '# day', other: '# days' })}`] as const,
              ),
              ['', never],
            ]}
          />
          <CheckboxGroup
            legend={t`Allowed actions`}
            hint={t`Other changes, such as deleting images, need all three.`}
            name="scopes"
            check={(allowed) => allowed === '' && msg`Allow at least one action.`}
            defaultValues={apiKeyScopes}
            options={scopes}
          />
        </CallForm>
      )}
      {programs.length > 0 && (
        <div className="stack tight full">
          <h3 className={styles['programsTitle']}>{t`Connected programs`}</h3>
          <p className="quiet small">
            {t`Programs that you allowed to act as you. One that you don’t use for 30 days has to ask again.`}
          </p>
          <EntryList label={t`Connected programs`}>{programs.map(renderEntry)}</EntryList>
        </div>
      )}
      {data && <ProgramAddresses />}
      {dialog}
    </Section>
  )
}

/** Addresses that users enter in other programs, together with an API key. */
function ProgramAddresses() {
  const { t } = useLingui()
  const id = useId()
  // With the section about each on the page of the API.
  const addresses = [
    [t`OpenAI Images API`, 'openai-images-api', '/v1'],
    [t`MCP server`, 'mcp', '/mcp'],
    [t`MCP server for assistants that sign in`, 'mcp', '/mcp/account'],
    [t`REST API`, 'first-request', '/api/v1'],
  ] as const
  return (
    <div className={`stack tight full ${styles['programAddresses']}`}>
      <h3 className={styles['programsTitle']}>{t`Use it in other programs`}</h3>
      <p className="quiet small breakable">
        {t`Enter the address in the settings of the program, with an API key. Assistants such as Claude and ChatGPT ask you to sign in instead.`}
      </p>
      <dl className={`stack wider ${styles['programs']}`}>
        {addresses.map(([name, help, path]) => (
          <div key={path}>
            <dt id={id + path} className="small">
              <a href={`${pagePaths.reference}#${help}`}>{name}</a>
            </dt>
            <dd className="beside">
              <code dir="ltr" className={`well small breakable ${styles['url']}`}>
                {window.location.origin + path}
              </code>
              <CopyButton
                label={t`Copy`}
                text={window.location.origin + path}
                copied={t`The address is on your clipboard.`}
                describedBy={id + path}
              />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
