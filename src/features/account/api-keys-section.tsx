import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { apiKeyLifetimes, type ApiKey, type CreatedApiKey } from '../../../shared/api-keys.ts'
import { isDeletionDone } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { copyText, findNeighborButton } from '../../browser/apis.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { Field, Select, textIn, useForm } from '../../ui/form.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import type { AccountFailure } from '../auth/local/account-failure.ts'
import { fieldErrors } from '../auth/local/check-account.ts'
import { useSignInInstead } from '../auth/signed-in-only.tsx'
import accountStyles from './account.module.css'
import styles from './api-keys.module.css'
import { describeCallFailure } from './call-failure.ts'
import { Entry, EntryList, Fact } from './entry-list.tsx'
import { FailureNotice, Section } from './section.tsx'
import { UserText } from '../../ui/user-text.tsx'

/** Default lifetime in days. */
const defaultLifetime = 90

/** Lists, creates and revokes the API keys of the signed-in user. */
export function ApiKeysSection({ viewerId }: { viewerId: string }) {
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['api-keys', viewerId],
    queryFn: () => client.account.apiKeys.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const failure = error && describeCallFailure(error, i18n)
  const reload = async () => {
    await refetch()
  }
  return (
    <Section
      title={t`API keys`}
      intro={t`A program with one of your API keys generates and shares images as you, within your daily limit. It can’t change your account. A key works until it expires or you revoke it, even after you sign out or change your password.`}
    >
      <FailureNotice failure={failure} onSignIn={() => {}} />
      {failure && !failure.needsSignIn && <RetryButton onClick={() => void reload()} />}
      {!data && !failure && <Skeleton shape="line" />}
      {data && <ApiKeyList apiKeys={data} asOf={dataUpdatedAt} onRevoke={setRevoking} />}
      {created && (
        <NewApiKey key={`created ${created.id}`} created={created} onDone={() => setCreated(null)} />
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
  const { t } = useLingui()
  const { id, name, createdAt, expiresAt, lastUsedAt } = props.apiKey
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
    </Entry>
  )
}

/** @param props.onFailed called if no answer arrived, as a key may have been created nevertheless */
function ApiKeyForm(props: { onCreated: (apiKey: CreatedApiKey) => void; onFailed: () => Promise<void> }) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const element = event.currentTarget
    const name = textIn(element, 'name').trim()
    const lifetime = textIn(element, 'lifetime')
    const expiresInDays = apiKeyLifetimes.find((days) => String(days) === lifetime) ?? null
    const known = fieldErrors({ name: name ? null : msg`Give the API key a name.` }, i18n)
    const isCreated = await submit(known, async () => {
      try {
        props.onCreated(await client.account.apiKeys.create.mutate({ name, expiresInDays }))
        return null
      } catch (error) {
        await props.onFailed()
        return describeCallFailure(error, i18n)
      }
    })
    if (isCreated) element.reset()
  }

  return (
    <form ref={form} noValidate className={accountStyles['form']} onSubmit={(event) => void create(event)}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <Field label={t`Name of the new key`} hint={t`You will recognize the key by it.`} error={errors.name}>
        {(control) => <input {...control} name="name" required autoComplete="off" readOnly={isBusy} />}
      </Field>
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
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? t`Creating…` : t`Create API key`}
      </Button>
    </form>
  )
}

/** Shows a new API key, the only time it is visible, and focuses it. */
function NewApiKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { t } = useLingui()
  const [isCopied, setIsCopied] = useState<boolean | null>(null)
  useEffect(() => field.current?.focus(), [])

  async function copy() {
    const hasCopied = await copyText(created.key)
    if (!hasCopied) field.current?.focus()
    setIsCopied(hasCopied)
  }

  return (
    <div className={styles['created']}>
      <Field
        label={t`Your new API key`}
        hint={t`Copy it now and keep it like a password: it is not shown again.`}
      >
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className={`${control.className} ${styles['text']}`}
            rows={1}
            readOnly
            spellCheck={false}
            autoComplete="off"
            value={created.key}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div className={accountStyles['row']}>
        <Button variant="primary" onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </Button>
        <Button onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </div>
      <Confirmation>{isCopied && t`The API key is on your clipboard.`}</Confirmation>
      <Notice>
        {isCopied === false && t`The browser did not copy the key. Copy the selected text yourself.`}
      </Notice>
    </div>
  )
}

/** Asks for confirmation, then revokes an API key. */
function RevokeApiKey(props: { apiKey: ApiKey; onRevoked: () => Promise<void>; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const signInInstead = useSignInInstead(() => setOpen(false))
  const toast = useToast()
  const { t, i18n } = useLingui()
  const revoke = trpc.account.apiKeys.revoke.useMutation()
  const { id, name } = props.apiKey

  async function confirm() {
    if (!(await isDeletionDone(revoke.mutateAsync({ id })))) return
    focusAfter.current = nextFocus(id)
    await props.onRevoked()
    toast(t`The API key is revoked.`)
    setOpen(false)
  }

  const failure = revoke.error && describeCallFailure(revoke.error, i18n)
  return (
    <ConfirmDialog
      open={open}
      title={
        <Trans>
          Revoke “<UserText text={name} />
          ”?
        </Trans>
      }
      description={t`Programs that use this key are rejected from now on. This cannot be undone.`}
      confirm={t`Revoke`}
      cancel={t`Keep it`}
      isBusy={revoke.isPending}
      failure={failure && failure.message}
      failureAction={failure?.needsSignIn && signInInstead.button}
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={() => {
        props.onClosed()
        signInInstead.afterClosed()
      }}
    />
  )
}

/** The neighbor of an API key that leaves the list, or the form if it was the last. */
function nextFocus(apiKeyId: string): HTMLElement | null {
  const itemId = elementId(apiKeyId)
  return (
    findNeighborButton(itemId) ??
    document.getElementById(itemId)?.closest('section')?.querySelector<HTMLElement>('form input') ??
    null
  )
}
