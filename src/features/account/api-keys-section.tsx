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
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import {
  TextField,
  Form,
  CheckboxGroup,
  Field,
  Select,
  textIn,
  useForm,
  type GroupOption,
} from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { describeCallFailure, FailureNotice, QueryState, type AccountFailure } from '../auth/call-failure.tsx'
import { DeleteEntry } from '../auth/confirm-call.tsx'
import { fieldErrors } from '../auth/local/account-errors.ts'
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
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const reload = async () => {
    await refetch()
  }
  return (
    <Section
      title={t`API keys`}
      intro={t`A program with one of your API keys acts as you, as far as the key allows and within your daily limit. It can’t change your account. A key works until it expires or you revoke it, even after you sign out or change your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && <ApiKeyList apiKeys={data} asOf={dataUpdatedAt} onRevoke={setRevoking} />}
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
        <ApiKeyForm
          onCreated={(apiKey) => {
            setCreated(apiKey)
            void reload()
          }}
          onFailed={reload}
        />
      )}
      {data && <ProgramAddresses />}
      {revoking && (
        <RevokeApiKey
          key={`revoking ${revoking.id}`}
          apiKey={revoking}
          onRevoked={async () => {
            if (created?.id === revoking.id) setCreated(null)
            await reload()
          }}
          onClosed={() => setRevoking(null)}
        />
      )}
    </Section>
  )
}

function elementId(apiKeyId: string): string {
  return `api-key-${apiKeyId}`
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
function ApiKeyList(props: { apiKeys: readonly ApiKey[]; asOf: number; onRevoke: (apiKey: ApiKey) => void }) {
  const { t } = useLingui()
  return (
    <EntryList label={t`Your API keys`} empty={t`You have no API keys.`}>
      {props.apiKeys.map((apiKey) => (
        <ApiKeyItem
          key={apiKey.id}
          apiKey={apiKey}
          asOf={props.asOf}
          onRevoke={() => props.onRevoke(apiKey)}
        />
      ))}
    </EntryList>
  )
}

function ApiKeyItem(props: { apiKey: ApiKey; asOf: number; onRevoke: () => void }) {
  const nameId = useId()
  const { t, i18n } = useLingui()
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt } = props.apiKey
  const allowed = useScopeOptions().filter(({ value }) => scopes.includes(value))
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= props.asOf
  return (
    <Entry
      id={elementId(id)}
      nameId={nameId}
      name={name}
      actions={
        <Button aria-describedby={nameId} onClick={props.onRevoke}>
          <Trans>Revoke</Trans>
        </Button>
      }
    >
      <Fact label={t({ message: 'Created', context: 'API key' })}>
        <DateTime at={createdAt} />
      </Fact>
      <Fact label={t`Last used`}>
        {lastUsedAt === null ? (
          t({ message: 'Never', context: 'last use of an API key' })
        ) : (
          <DateTime at={lastUsedAt} />
        )}
      </Fact>
      <Fact
        label={
          isExpired
            ? t({ message: 'Expired', context: 'API key' })
            : t({ message: 'Expires', context: 'API key' })
        }
        isBad={isExpired}
      >
        {expiresAt === null ? (
          t({ message: 'Never', context: 'expiry of an API key' })
        ) : (
          <DateTime at={expiresAt} />
        )}
      </Fact>
      <Fact label={t({ message: 'Allows', context: 'API key' })}>
        {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(allowed.map(({ label }) => label))}
      </Fact>
    </Entry>
  )
}

/** @param props.onFailed called if no answer arrived, as a key may have been created nevertheless */
function ApiKeyForm(props: { onCreated: (apiKey: CreatedApiKey) => void; onFailed: () => Promise<void> }) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name' | 'scopes', AccountFailure>([
    'name',
    'scopes',
  ])
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(apiKeyScopes)
  const scopeOptions = useScopeOptions()
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()

  async function create(element: HTMLFormElement) {
    const name = textIn(element, 'name').trim()
    const lifetime = textIn(element, 'lifetime')
    const expiresInDays = apiKeyLifetimes.find((days) => String(days) === lifetime) ?? null
    const known = fieldErrors(
      {
        name: name ? null : msg`Give the API key a name.`,
        scopes: scopes.length > 0 ? null : msg`Allow at least one action.`,
      },
      i18n,
    )
    const isCreated = await submit(known, async () => {
      try {
        props.onCreated(
          await client.account.apiKeys.create.mutate({ name, expiresInDays, scopes: [...scopes] }),
        )
        return null
      } catch (error) {
        await props.onFailed()
        return describeCallFailure(error, i18n)
      }
    })
    if (!isCreated) return
    element.reset()
    setScopes(apiKeyScopes)
  }

  return (
    <Form ref={form} onSubmit={create}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <TextField
        label={t`Name of the new key`}
        hint={t`You will recognize the key by it.`}
        error={errors.name}
        name="name"
        required
        autoComplete="off"
        readOnly={isBusy}
      />
      <Field label={t({ message: 'Expires', context: 'API key' })}>
        {(control) => (
          <Select {...control} name="lifetime" defaultValue={defaultLifetime}>
            {apiKeyLifetimes.map((days) => (
              <option key={days} value={days}>
                {t`In ${plural(days, { one: '# day', other: '# days' })}`}
              </option>
            ))}
            <option value="">{t({ message: 'Never', context: 'expiry of an API key' })}</option>
          </Select>
        )}
      </Field>
      <CheckboxGroup
        legend={t`Allowed actions`}
        hint={t`Other changes, such as deleting images, need all three.`}
        name="scopes"
        values={scopes}
        options={scopeOptions}
        error={scopes.length > 0 ? undefined : errors.scopes}
        onChange={setScopes}
      />
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? t`Creating…` : t`Create API key`}
      </Button>
    </Form>
  )
}

/** Asks for confirmation, then revokes an API key. */
function RevokeApiKey(props: { apiKey: ApiKey; onRevoked: () => Promise<void>; onClosed: () => void }) {
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const { id, name } = props.apiKey
  return (
    <DeleteEntry
      id={elementId(id)}
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
      onRemoved={props.onRevoked}
      onClosed={props.onClosed}
    />
  )
}

/** Addresses that users enter in other programs, together with an API key. */
export function ProgramAddresses() {
  const { t } = useLingui()
  const { origin } = window.location
  return (
    <div className={styles['programAddresses']}>
      <h3 className={styles['programsTitle']}>
        <Trans>Use it in other programs</Trans>
      </h3>
      <p className={styles['programHint']}>
        <Trans>Enter the address in the settings of the program, with an API key.</Trans>
      </p>
      <dl className={styles['programs']}>
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
