import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import {
  formerSecretHours,
  webhookEvents,
  webhooksMax as max,
  type Webhook,
  type WebhookEvent,
  type WebhookWithSecret,
} from '../../../shared/webhooks.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { OneTimeText } from '../../ui/copy.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Badge, Entry, EntryList, Fact, MoreMenu } from '../../ui/entry-list.tsx'
import { CheckboxGroup, TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { FailureNotice, QueryState } from '../auth/call-failure.tsx'
import { ConfirmCall, DeleteEntry, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import {
  attemptResult,
  DeliveryLog,
  listsKey,
  useWebhookCall,
  webhooksKey,
  type WebhookCalls,
} from './delivery-log.tsx'
import styles from './webhooks.module.css'
import { Sentence } from '../../ui/sentence.tsx'

/** Webhooks about the images and posts of all users. */
export function SiteWebhooks() {
  const { t } = useLingui()
  return (
    <div className="stack narrow">
      <p className="intro">
        {t`The site sends your server a signed request when something happens to the images and posts of its users, without prompts, links and names of what is not public. It repeats a request for about three days until the server accepts it.`}
      </p>
      <Webhooks owner="site" />
    </div>
  )
}

const eventLabels: Readonly<Record<WebhookEvent, MessageDescriptor>> = {
  'image.succeeded': msg`Image generated`,
  'image.failed': msg`Image failed`,
  'post.created': msg`Image shared`,
  'post.hidden': msg`Post hidden by a moderator`,
  'collection.post_added': msg`Post added to a collection`,
}

/** Lists, creates, changes and deletes webhooks of the signed-in user, or of the site. */
export function Webhooks({ owner }: { owner: 'user' | 'site' }) {
  const { viewer } = useSession()
  const { client } = trpc.useUtils()
  const calls: WebhookCalls = owner === 'user' ? client.account.webhooks : client.admin.webhooks
  const queryClient = useQueryClient()
  const { t, i18n } = useLingui()
  const [secretId, fullId] = [useId(), useId()]
  const [dialog, open] = useDialog()
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null)
  const query = useQuery({
    queryKey: [...listsKey, owner, viewer?.id],
    queryFn: () => calls.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const { data, refetch } = query
  const isFull = data !== undefined && data.length >= max

  const reload = () => queryClient.invalidateQueries({ queryKey: webhooksKey })
  const secretField = () => document.getElementById(secretId)?.querySelector('textarea') ?? null

  /** Opens the form of a webhook, a new one if null. */
  const edit = (webhook: Webhook | null) =>
    open(
      <FormDialog
        title={webhook ? t`Edit the webhook` : t`New webhook`}
        description={
          webhook
            ? t`Deliveries that wait are sent to the new URL.`
            : t`The site sends a signed request to the URL when one of the events happens.`
        }
        submit={webhook ? t`Save` : t`Create webhook`}
        busy={t`Saving…`}
        outcome={webhook ? t`The webhook is changed.` : t`The webhook is created.`}
        check={(text, all) => ({
          url: !isWebAddress(text('url')) && msg`Enter a URL that begins with https://.`,
          events: all('events').length === 0 && msg`Choose at least one event.`,
        })}
        call={async (text, all) => {
          const events = webhookEvents.filter((event) => all('events').includes(event))
          const input = { url: text('url'), events }
          if (webhook) await calls.update.mutate({ id: webhook.id, ...input })
          else setSecret(await calls.create.mutate(input))
        }}
        inputField="url"
        onSettled={reload}
        {...(!webhook && { focusAfter: secretField })}
      >
        <TextField
          label={t`URL`}
          dir="ltr"
          type="url"
          name="url"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.org/webhook"
          defaultValue={webhook?.url}
        />
        <CheckboxGroup
          legend={t({ message: 'Events', context: 'webhook' })}
          name="events"
          defaultValues={webhook?.events ?? webhookEvents}
          options={webhookEvents.map((value) => ({ value, label: i18n._(eventLabels[value]), hint: value }))}
        />
      </FormDialog>,
    )

  function actionsOf(webhook: Webhook): MenuItem[] {
    const { id } = webhook
    const { host } = new URL(webhook.url)
    const disable = () =>
      open(
        <ConfirmCall
          title={<Sentence of={msg`Disable the webhook at ${host}?`} />}
          description={t`Nothing is sent until you enable it again, neither the deliveries that wait nor the events that happen meanwhile.`}
          confirm={t`Disable`}
          outcome={t`The webhook is disabled.`}
          call={async () => void (await calls.update.mutate({ id, isEnabled: false }))}
          onSettled={reload}
        />,
      )
    const rotate = () =>
      open(
        <ConfirmCall
          title={<Sentence of={msg`Replace the secret of the webhook at ${host}?`} />}
          description={t`You see the new secret once. Requests are signed with both for ${formerSecretHours} hours, so that you can give the new one to your server.`}
          confirm={t`Replace it`}
          call={async () => {
            setSecret(await calls.rotateSecret.mutate({ id }))
            return secretField
          }}
          onSettled={reload}
        />,
      )
    const remove = () =>
      open(
        <DeleteEntry
          id={id}
          title={<Sentence of={msg`Delete the webhook at ${host}?`} />}
          description={t`Nothing more is sent, and the log of its deliveries is deleted. This cannot be undone.`}
          confirm={t`Delete`}
          outcome={t`The webhook is deleted.`}
          remove={() => calls.delete.mutate({ id })}
          onRemoved={() => {
            setSecret((shown) => (shown?.id === id ? null : shown))
            return refetch()
          }}
        />,
      )
    return [
      { label: t`Edit`, onSelect: () => edit(webhook) },
      { label: t`New secret`, onSelect: rotate },
      ...(webhook.isEnabled ? [{ label: t`Disable`, onSelect: disable }] : []),
      { label: t`Delete`, onSelect: remove },
    ]
  }

  return (
    <div className={`stack full ${styles['webhooks']}`}>
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Webhooks`} empty={t`There are no webhooks.`}>
          {data.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} calls={calls} actions={actionsOf(webhook)} />
          ))}
        </EntryList>
      )}
      {secret && (
        <div id={secretId} className="full narrow">
          <OneTimeText
            key={secret.secret}
            label={t`Secret of the webhook`}
            hint={t`Your server checks the signatures with it. Copy it now and keep it like a password: it is not shown again.`}
            value={secret.secret}
            copied={t`The secret is on your clipboard.`}
            notCopied={t`The browser did not copy the secret. Copy the selected text yourself.`}
            onDone={() => setSecret(null)}
          />
        </div>
      )}
      {data && (
        <Button isBusy={isFull} aria-describedby={isFull ? fullId : undefined} onClick={() => edit(null)}>
          {t`New webhook`}
        </Button>
      )}
      {isFull && (
        <p id={fullId} className="quiet">
          {t`There are ${max} webhooks already. Delete one first.`}
        </p>
      )}
      <p className="quiet">
        <a href={`${pagePaths.reference}#webhooks`}>{t`What the requests contain, and how to verify them`}</a>
      </p>
      {dialog}
    </div>
  )
}

/** The server decides which of them webhooks may call. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** A webhook with its state, actions and log. */
function WebhookItem(props: { webhook: Webhook; calls: WebhookCalls; actions: readonly MenuItem[] }) {
  const { webhook, calls } = props
  const { id, isEnabled, disabledReason, failingSince, formerSecretUntil, lastDelivery, waiting } = webhook
  const { t, i18n } = useLingui()
  const logId = useId()
  const [isLogOpen, setIsLogOpen] = useState(false)
  const { run, isBusy, failure, clear } = useWebhookCall()
  const events = webhookEvents.filter((event) => webhook.events.includes(event))
  const [tone, state] = !isEnabled
    ? [undefined, t({ message: 'Disabled', context: 'webhook' })]
    : failingSince === null
      ? (['accent', t({ message: 'Enabled', context: 'webhook' })] as const)
      : (['danger', t({ message: 'Failing', context: 'webhook' })] as const)

  const sendTest = async () => {
    await calls.sendTest.mutate({ id })
    setIsLogOpen(true)
  }

  return (
    <Entry
      id={id}
      className={styles['item']}
      name={<span dir="ltr">{webhook.url}</span>}
      badge={<Badge tone={tone}>{state}</Badge>}
      renderSide={(nameId) => <MoreMenu describedBy={nameId} items={props.actions} />}
      renderBelow={(nameId) => (
        <>
          <div className={`row ${styles['actions']}`}>
            {/* The key keeps the focus on the button, whose action changes. */}
            <Button
              key="action"
              aria-describedby={nameId}
              isBusy={isBusy}
              onClick={() =>
                isEnabled
                  ? run(sendTest, t`The test is on its way.`)
                  : run(() => calls.update.mutate({ id, isEnabled: true }), t`The webhook is enabled.`)
              }
            >
              {isEnabled ? t`Send a test` : t`Enable`}
            </Button>
            <Button
              aria-describedby={nameId}
              aria-expanded={isLogOpen}
              aria-controls={isLogOpen ? logId : undefined}
              onClick={() => setIsLogOpen(!isLogOpen)}
            >
              {isLogOpen ? t`Hide deliveries` : t`Deliveries`}
            </Button>
          </div>
          <FailureNotice failure={failure} onSignIn={clear} />
          {isLogOpen && <DeliveryLog id={logId} webhook={webhook} calls={calls} />}
        </>
      )}
    >
      {disabledReason !== null && (
        <Fact label={t`Reason`} isWide isBad>
          {disabledReason === 'gone'
            ? t`The server answered that this URL is gone (status 410).`
            : t`Every delivery failed for three days.`}
        </Fact>
      )}
      <Fact label={t({ message: 'Events', context: 'webhook' })} isWide>
        {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(
          events.map((event) => i18n._(eventLabels[event])),
        )}
      </Fact>
      <Fact
        label={t`Last delivery`}
        isBad={lastDelivery?.failure != null}
        at={lastDelivery?.lastAttemptAt ?? null}
        never={t({ message: 'None yet', context: 'delivery' })}
      >
        {lastDelivery?.lastAttemptAt && ` · ${i18n._(attemptResult(lastDelivery))}`}
      </Fact>
      {isEnabled && failingSince !== null && <Fact label={t`Failing since`} isBad at={failingSince} />}
      {waiting > 0 && <Fact label={t`Waiting deliveries`}>{i18n.number(waiting)}</Fact>}
      {webhook.droppedAt !== null && <Fact label={t`Events dropped since`} isBad at={webhook.droppedAt} />}
      {formerSecretUntil !== null && <Fact label={t`Former secret valid until`} at={formerSecretUntil} />}
      <Fact label={t({ message: 'Created', context: 'webhook' })} at={webhook.createdAt} />
    </Entry>
  )
}
