import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  apiKeyLifetimes,
  apiKeyScopes,
  type ApiKey,
  type ApiKeyScope,
  type CreatedApiKey,
} from '../../../shared/account.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { copyText } from '../../browser/apis.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import { CheckboxGroup, SelectField, TextField, type GroupOption } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { DeleteEntry } from '../auth/confirm-call.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'
import { Section } from './section.tsx'

/** Default lifetime in days. */
const defaultLifetime = 90

/** Lists, creates and revokes the API keys of the signed-in user. */
export function ApiKeysSection({ viewerId }: { viewerId: string }) {
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const query = useQuery({
    queryKey: ['api-keys', viewerId],
    queryFn: () => client.account.apiKeys.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const { data, dataUpdatedAt, refetch } = query
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [dialog, open] = useDialog()

  const revoke = ({ id, name }: ApiKey) =>
    open((onClosed) => (
      <DeleteEntry
        id={id}
        title={
          <Trans>
            Revoke “<UserText text={name} />
            ”?
          </Trans>
        }
        description={t`Programs that use this key are rejected from now on. This cannot be undone.`}
        confirm={t`Revoke`}
        outcome={t`The API key is revoked.`}
        remove={() => client.account.apiKeys.revoke.mutate({ id })}
        onRemoved={() => {
          setCreated((shown) => (shown?.id === id ? null : shown))
          return refetch()
        }}
        onClosed={onClosed}
      />
    ))

  return (
    <Section
      title={t`API keys`}
      intro={t`A program with one of your API keys acts as you, as far as the key allows and within your daily limit. It can’t change your account. A key works until it expires or you revoke it, even after you sign out or change your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Your API keys`} empty={t`You have no API keys.`}>
          {data.map((apiKey) => (
            <Entry
              key={apiKey.id}
              id={apiKey.id}
              name={apiKey.name}
              actions={[[t`Revoke`, () => revoke(apiKey)]]}
            >
              <ApiKeyFacts apiKey={apiKey} asOf={dataUpdatedAt} />
            </Entry>
          ))}
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
      {data && <ApiKeyForm onCreated={setCreated} onSettled={() => void refetch()} />}
      {data && <ProgramAddresses />}
      {dialog}
    </Section>
  )
}

/** Scopes of a key, as options of the form and names in the list. */
function useScopeOptions(): readonly GroupOption<ApiKeyScope>[] {
  const { t } = useLingui()
  const texts: Readonly<Record<ApiKeyScope, { label: string; hint: string }>> = {
    read: {
      label: t({ message: 'Read', context: 'API key' }),
      hint: t`See your images, your private posts and your daily limit.`,
    },
    generate: {
      label: t({ message: 'Generate', context: 'API key' }),
      hint: t`Generate and upload images, and cancel them while they are generated.`,
    },
    share: {
      label: t({ message: 'Share', context: 'API key' }),
      hint: t`Share images, change or delete your posts, and like posts.`,
    },
  }
  return apiKeyScopes.map((value) => ({ value, ...texts[value] }))
}

/** @param props.asOf time of the list in milliseconds since 1970, which decides which keys have expired */
function ApiKeyFacts({ apiKey, asOf }: { apiKey: ApiKey; asOf: number }) {
  const { t, i18n } = useLingui()
  const { scopes, createdAt, expiresAt, lastUsedAt } = apiKey
  const allowed = useScopeOptions().filter(({ value }) => scopes.includes(value))
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= asOf
  return (
    <>
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
        never={t({ message: 'Never', context: 'expiry of an API key' })}
      />
      <Fact label={t({ message: 'Allows', context: 'API key' })}>
        {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(allowed.map(({ label }) => label))}
      </Fact>
    </>
  )
}

/** @param props.onSettled called also if no answer arrived, as a key may have been created nevertheless */
function ApiKeyForm(props: { onCreated: (apiKey: CreatedApiKey) => void; onSettled: () => void }) {
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(apiKeyScopes)
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  return (
    <CallForm
      submit={t`Create API key`}
      busy={t`Creating…`}
      check={(text) => ({
        name: !text('name') && msg`Give the API key a name.`,
        scopes: scopes.length === 0 && msg`Allow at least one action.`,
      })}
      call={async (text) => {
        const expiresInDays = apiKeyLifetimes.find((days) => String(days) === text('lifetime')) ?? null
        const input = { name: text('name'), expiresInDays, scopes: [...scopes] }
        try {
          props.onCreated(await client.account.apiKeys.create.mutate(input))
        } finally {
          props.onSettled()
        }
      }}
      onDone={(form) => {
        form.reset()
        setScopes(apiKeyScopes)
      }}
    >
      <TextField
        label={t`Name of the new key`}
        hint={t`You will recognize the key by it.`}
        name="name"
        required
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
          ['', t({ message: 'Never', context: 'expiry of an API key' })],
        ]}
      />
      <CheckboxGroup
        legend={t`Allowed actions`}
        hint={t`Other changes, such as deleting images, need all three.`}
        name="scopes"
        values={scopes}
        options={useScopeOptions()}
        onChange={setScopes}
      />
    </CallForm>
  )
}

/** Addresses that users enter in other programs, together with an API key. */
export function ProgramAddresses() {
  const { t } = useLingui()
  const { origin } = window.location
  return (
    <div className={`${ui['stack']} ${styles['programAddresses']}`}>
      <h3 className={styles['programsTitle']}>{t`Use it in other programs`}</h3>
      <p className={ui['small']}>{t`Enter the address in the settings of the program, with an API key.`}</p>
      <dl className={`${ui['stack']} ${styles['programs']}`}>
        <Address name={t`OpenAI Images API`} help="openai-images-api" url={`${origin}/v1`} />
        <Address name={t`MCP server`} help="mcp" url={`${origin}/mcp`} />
        <Address name={t`REST API`} help="first-request" url={`${origin}/api/v1`} />
      </dl>
    </div>
  )
}

/** @param props.help id of the section about it on the page of the API */
function Address({ name, help, url }: { name: string; help: string; url: string }) {
  const { t } = useLingui()
  const announce = useAnnounce()
  const nameId = useId()
  const [isCopied, setIsCopied] = useState<boolean | null>(null)

  async function copy() {
    const hasCopied = await copyText(url)
    setIsCopied(hasCopied)
    announce(hasCopied ? t`The address is on your clipboard.` : t`The browser does not allow copying.`)
  }

  return (
    <div className={styles['program']}>
      <dt id={nameId}>
        <a href={`${pagePaths.reference}#${help}`}>{name}</a>
      </dt>
      <dd>
        <code dir="ltr" className={styles['url']}>
          {url}
        </code>
        <Button aria-describedby={nameId} onClick={() => void copy()}>
          {isCopied === null ? t`Copy` : isCopied ? t`Copied` : t`Not allowed`}
        </Button>
      </dd>
    </div>
  )
}
