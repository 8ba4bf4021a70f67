import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import {
  deliveryLogDays,
  formerSecretHours,
  webhookEvents,
  webhooksMax as max,
  type WebhookDisabledReason,
  type WebhookEvent,
  type WebhookFailure,
} from '../../../shared/webhooks.ts'
import { completeDeletion } from '../../api/missing.ts'
import { pagesOf } from '../../api/pages.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { DataTable, useSortedRows, type Column } from '../../ui/data-table.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Badge, Entry, EntryList, Fact, useShowMore } from '../../ui/entry-list.tsx'
import { CheckboxGroup, TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { FailureNotice, NextPage, QueryState, useCall } from '../auth/call-failure.tsx'
import { changesOf, ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import styles from './webhooks.module.css'
import { Sentence } from '../../ui/sentence.tsx'

/** Webhooks about the images and posts of all users. */
export function SiteWebhooks() {
  const { t } = useLingui()
  return (
    <div className="stack">
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

type Owner = 'user' | 'site'

type Outputs = RouterOutputs['account']['webhooks']
type Webhook = Outputs['list'][number]
type CreatedWebhook = Outputs['create']
type WebhookDelivery = Outputs['deliveries']['deliveries'][number]
type ListedWebhook = ReturnType<typeof withState>

/** Adds the state that the table shows and sorts by. */
function withState(webhook: Webhook) {
  const state = !webhook.isEnabled ? 'disabled' : webhook.failingSince === null ? 'enabled' : 'failing'
  return { ...webhook, state } as const
}

/** The procedures for webhooks of an owner, as queries and as calls, and what is cached of them. */
function useWebhookApi(owner: Owner) {
  const { client, account, admin } = trpc.useUtils()
  return owner === 'user'
    ? { queries: trpc.account.webhooks, calls: client.account.webhooks, cache: account.webhooks }
    : { queries: trpc.admin.webhooks, calls: client.admin.webhooks, cache: admin.webhooks }
}

function useWebhooks(owner: Owner) {
  const { queries, calls } = useWebhookApi(owner)
  return useQuery({
    queryKey: getQueryKey(queries.list, undefined, 'query'),
    queryFn: () => calls.list.query(),
    select: (webhooks) => webhooks.map(withState),
    // Dropped when the page closes.
    gcTime: 0,
  })
}

/** Makes one call at a time, and loads everything about webhooks again. */
function useWebhookCall(owner: Owner) {
  const { cache } = useWebhookApi(owner)
  return useCall(undefined, () => cache.invalidate())
}

/** Lists webhooks of the signed-in user, or of the site, each of which opens, and creates them. */
export function Webhooks({ owner }: { owner: Owner }) {
  const { t } = useLingui()
  const [dialog, open] = useDialog()
  const [secret, setSecret] = useState<CreatedWebhook | null>(null)
  const query = useWebhooks(owner)
  const { data } = query
  const isFull = data !== undefined && data.length >= max
  const columns = useWebhookColumns()
  const sorted = useSortedRows(data ?? [], 'createdAt')
  const add = () => open(<WebhookForm owner={owner} onSecret={setSecret} />)
  const show = (webhook: ListedWebhook) =>
    open(<WebhookDrawer listed={webhook} owner={owner} onSecret={setSecret} />)

  return (
    <div className={`stack full ${styles['webhooks']}`}>
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <Button
          id="new-webhook"
          variant={owner === 'site' ? 'primary' : 'plain'}
          isBusy={isFull}
          aria-describedby={isFull ? 'webhooks-full' : undefined}
          onClick={add}
        >
          {t`New webhook`}
        </Button>
      )}
      {isFull && (
        <p id="webhooks-full" className="quiet">{t`There are ${max} webhooks already. Delete one first.`}</p>
      )}
      {secret && (
        <div id="webhook-secret" className="full narrow">
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
        <DataTable
          label={t`Webhooks`}
          empty={t`There are no webhooks.`}
          columns={columns}
          {...sorted}
          rowKey={({ id }) => id}
          onOpen={show}
        />
      )}
      <p className="quiet">
        <a href={`${pagePaths.reference}#webhooks`}>{t`What the requests contain, and how to verify them`}</a>
      </p>
      {dialog}
    </div>
  )
}

/** The field with the secret of a new webhook, or a new one. */
const secretField = '#webhook-secret textarea'

/** The form of a webhook, a new one without `webhook`. */
function WebhookForm(props: {
  webhook?: Webhook
  owner: Owner
  onSecret?: (created: CreatedWebhook) => void
}) {
  const { webhook, owner, onSecret } = props
  const { t, i18n } = useLingui()
  const { calls, cache } = useWebhookApi(owner)
  return (
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
      call={async (text, all) => {
        const events = webhookEvents.filter((event) => all('events').includes(event))
        const input = { url: text('url'), events }
        if (webhook) await calls.update.mutate({ id: webhook.id, ...changesOf(webhook, input) })
        else onSecret?.(await calls.create.mutate(input))
      }}
      inputField="url"
      onSettled={() => cache.invalidate()}
      {...(!webhook && { focusAfter: () => document.querySelector<HTMLElement>(secretField) })}
    >
      <TextField
        label={t`URL`}
        dir="ltr"
        type="url"
        name="url"
        check={(url) => !isWebAddress(url) && msg`Enter a URL that begins with https://.`}
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
        check={(chosen) => chosen === '' && msg`Choose at least one event.`}
        defaultValues={webhook?.events ?? webhookEvents}
        options={webhookEvents.map((value) => ({ value, label: i18n._(eventLabels[value]), hint: value }))}
      />
    </FormDialog>
  )
}

/** The server decides which of them webhooks may call. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function useWebhookColumns(): readonly Column<ListedWebhook, keyof ListedWebhook>[] {
  const { t, i18n } = useLingui()
  const badges = {
    disabled: <Badge>{t({ message: 'Disabled', context: 'webhook' })}</Badge>,
    enabled: <Badge tone="accent">{t({ message: 'Enabled', context: 'webhook' })}</Badge>,
    failing: <Badge tone="danger">{t({ message: 'Failing', context: 'webhook' })}</Badge>,
  }
  return [
    { title: t`URL`, sort: ['url', 'asc'], cell: ({ url }) => <bdi dir="ltr">{url}</bdi> },
    {
      title: t({ message: 'State', context: 'webhook' }),
      sort: ['state', 'desc'],
      cell: ({ state }) => badges[state],
    },
    {
      title: t`Last delivery`,
      isText: true,
      cell: ({ lastDelivery }) =>
        lastDelivery?.lastAttemptAt ? (
          <span className={lastDelivery.failure ? 'alarming' : undefined}>
            <DateTime at={lastDelivery.lastAttemptAt} /> · {i18n._(attemptResult(lastDelivery))}
          </span>
        ) : (
          t({ message: 'None yet', context: 'delivery' })
        ),
    },
    {
      title: t({ message: 'Created', context: 'webhook' }),
      sort: ['createdAt', 'desc'],
      cell: ({ createdAt }) => <DateTime at={createdAt} />,
    },
  ]
}

const reasons: Readonly<Record<WebhookDisabledReason, MessageDescriptor>> = {
  gone: msg`The server answered that this URL is gone (status 410).`,
  failing: msg`Every delivery failed for three days.`,
}

/** A webhook with its facts, actions and log. */
function WebhookDrawer(props: {
  listed: ListedWebhook
  owner: Owner
  onSecret: Dispatch<SetStateAction<CreatedWebhook | null>>
}) {
  const { listed, owner, onSecret } = props
  const { t, i18n } = useLingui()
  const { calls, cache } = useWebhookApi(owner)
  const query = useWebhooks(owner)
  const webhook = query.data?.find(({ id }) => id === listed.id) ?? listed
  const [leave, setLeave] = useState<string>()
  const { run, isBusy, failure, clear } = useWebhookCall(owner)
  const { id, isEnabled, disabledReason, waiting } = webhook
  const events = webhook.events.map((event) => i18n._(eventLabels[event]))
  const time = (at: string | null) => at !== null && <DateTime at={at} />
  const alarming = (fact: ReactNode) => fact && <span className="alarming">{fact}</span>
  const { host } = new URL(webhook.url)
  const confirm = (texts: Parameters<typeof ConfirmCall>[0]) => (
    <ConfirmCall onSettled={() => cache.invalidate()} {...texts} />
  )

  const sendTest = () => run(() => calls.sendTest.mutate({ id }), t`The test is on its way.`)
  const enable = () => run(() => calls.update.mutate({ id, isEnabled: true }), t`The webhook is enabled.`)
  const disable = confirm({
    title: <Sentence of={msg`Disable the webhook at ${host}?`} />,
    description: t`Nothing is sent until you enable it again, neither the deliveries that wait nor the events that happen meanwhile.`,
    confirm: t`Disable`,
    outcome: t`The webhook is disabled.`,
    call: async () => void (await calls.update.mutate({ id, isEnabled: false })),
  })
  const rotate = confirm({
    title: <Sentence of={msg`Replace the secret of the webhook at ${host}?`} />,
    description: t`You see the new secret once. Requests are signed with both for ${formerSecretHours} hours, so that you can give the new one to your server.`,
    confirm: t`Replace it`,
    call: async () => onSecret(await calls.rotateSecret.mutate({ id })),
    onDone: () => setLeave(secretField),
  })
  const remove = confirm({
    title: <Sentence of={msg`Delete the webhook at ${host}?`} />,
    description: t`Nothing more is sent, and the log of its deliveries is deleted. This cannot be undone.`,
    confirm: t`Delete`,
    outcome: t`The webhook is deleted.`,
    call: async () => {
      await completeDeletion(calls.delete.mutate({ id }))
      onSecret((shown) => (shown?.id === id ? null : shown))
    },
    // Without the log, which is deleted.
    onSettled: () => query.refetch(),
    onDone: () => setLeave('#new-webhook'),
  })

  return (
    <Drawer
      row={webhook}
      columns={useWebhookColumns()}
      facts={{
        [t({ message: 'Events', context: 'webhook' })]: new Intl.ListFormat(i18n.locale, {
          type: 'unit',
        }).format(events),
        [t`Reason`]: alarming(disabledReason && i18n._(reasons[disabledReason])),
        [t`Failing since`]: alarming(isEnabled && time(webhook.failingSince)),
        [t`Waiting deliveries`]: waiting > 0 && i18n.number(waiting),
        [t`Events dropped since`]: alarming(time(webhook.droppedAt)),
        [t`Former secret valid until`]: time(webhook.formerSecretUntil),
      }}
      actions={[
        isEnabled ? ['main', t`Send a test`, sendTest] : ['main', t`Enable`, enable],
        ['edit', t`Edit`, <WebhookForm key="edit" webhook={webhook} owner={owner} />],
        ['secret', t`New secret`, rotate],
        isEnabled && ['disable', t`Disable`, disable],
        ['delete', t`Delete`, remove],
      ]}
      notice={<FailureNotice failure={failure} onSignIn={clear} />}
      isBusy={isBusy}
      leave={leave}
    >
      <DeliveryLog webhook={webhook} owner={owner} />
    </Drawer>
  )
}

const pageSize = 10

/** Time between two looks at deliveries that are about to be sent. */
const pollIntervalMs = 2_000

/** Deliveries that are due within this time are about to be sent. */
const soonMs = 15_000

/** The deliveries of a webhook, newest first. Shows results as they arrive. */
function DeliveryLog({ webhook, owner }: { webhook: Webhook; owner: Owner }) {
  const { t } = useLingui()
  const { queries, calls, cache } = useWebhookApi(owner)
  const { list: webhooks } = cache
  const input = { id: webhook.id, limit: pageSize }
  const query = useInfiniteQuery({
    queryKey: getQueryKey(queries.deliveries, input, 'infinite'),
    ...pagesOf((cursor) => calls.deliveries.query({ ...input, cursor })),
    refetchInterval({ state: { data: loaded } }) {
      const now = Date.now()
      const isAwaited = loaded?.pages.some((page) => page.deliveries.some((one) => isSentSoon(one, now)))
      return isAwaited ? pollIntervalMs : false
    },
    // Dropped when the log closes.
    gcTime: 0,
  })
  const { data, dataUpdatedAt } = query
  const deliveries = data?.pages.flatMap((page) => page.deliveries)

  // The webhook's own state follows from its deliveries.
  useEffect(() => {
    if (data) void webhooks.invalidate()
  }, [data, webhooks])

  const { list, showMore } = useShowMore(
    query,
    deliveries?.length ?? 0,
    (added) => t`${plural(added, { one: '# more delivery', other: '# more deliveries' })}`,
  )

  return (
    <div className="stack">
      <h3 className="name">{t`Deliveries`}</h3>
      {deliveries && (
        <EntryList
          label={t`Deliveries`}
          empty={t`${plural(deliveryLogDays, { one: 'No deliveries in the last day.', other: 'No deliveries in the last # days.' })}`}
          ref={list}
        >
          {deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              owner={owner}
              delivery={delivery}
              isSending={isSentSoon(delivery, dataUpdatedAt)}
              send={webhook.isEnabled && (() => calls.redeliver.mutate({ deliveryId: delivery.id }))}
            />
          ))}
        </EntryList>
      )}
      <NextPage
        query={query}
        label={t`Show earlier deliveries`}
        placeholder={<Skeleton shape="line" />}
        onMore={showMore}
      />
    </div>
  )
}

function isSentSoon({ nextAttemptAt }: WebhookDelivery, now: number): boolean {
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) < now + soonMs
}

function DeliveryItem(props: {
  owner: Owner
  delivery: WebhookDelivery
  isSending: boolean
  send: false | (() => Promise<unknown>)
}) {
  const { owner, delivery, isSending, send } = props
  const { run, isBusy, failure, clear } = useWebhookCall(owner)
  const { id, state, attempts, lastAttemptAt, nextAttemptAt, durationMs } = delivery
  const { t, i18n } = useLingui()
  const labels = {
    waiting: t({ message: 'Waiting', context: 'delivery' }),
    succeeded: t({ message: 'Delivered', context: 'delivery' }),
    failed: t({ message: 'Failed', context: 'delivery' }),
  }
  const hasFailed = delivery.failure !== null
  const isDelivered = state === 'succeeded'

  return (
    <Entry
      name={<code dir="ltr">{delivery.type}</code>}
      badge={
        <Badge tone={hasFailed ? 'danger' : isDelivered ? 'accent' : undefined}>
          {labels[state]}
          {(isDelivered || hasFailed) && ` · ${i18n._(attemptResult(delivery))}`}
        </Badge>
      }
      actions={
        send ? [[t`Send again`, () => run(send, t`The delivery is sent again.`), isBusy || isSending]] : []
      }
    >
      {failure && (
        <Fact label={t`Send again`} isWide>
          <FailureNotice failure={failure} onSignIn={clear} />
        </Fact>
      )}
      <Fact label={t({ message: 'Event', context: 'time of an event' })} at={delivery.createdAt} />
      {lastAttemptAt !== null && durationMs !== null && (
        <Fact
          label={t`${plural(attempts, { 0: 'Last attempt', one: '# attempt', other: '# attempts, the last one' })}`}
          at={lastAttemptAt}
        >
          {' · '}
          {i18n.number(durationMs, { style: 'unit', unit: 'millisecond' })}
        </Fact>
      )}
      {nextAttemptAt !== null && attempts > 0 && <Fact label={t`Next attempt`} at={nextAttemptAt} />}
      <Fact label={t`Content`} isWide>
        <details>
          <summary>
            <code dir="ltr">{`webhook-id: ${id}`}</code>
          </summary>
          <pre dir="ltr" className={`well ${styles['payload']}`}>
            {JSON.stringify(delivery.payload, null, 2)}
          </pre>
        </details>
      </Fact>
    </Entry>
  )
}

/** Returns the result of the latest attempt of a delivery: the status of the response, or the reason why there is none. */
function attemptResult({ status, failure }: Pick<WebhookDelivery, 'status' | 'failure'>): MessageDescriptor {
  if (failure !== null && failure !== 'status') return failureLabels[failure]
  const code = status ?? 0
  return msg`Status ${code}`
}

const failureLabels: Readonly<Record<Exclude<WebhookFailure, 'status'>, MessageDescriptor>> = {
  timeout: msg`No response in time`,
  connection: msg`No connection`,
  host_unknown: msg`Unknown host`,
  address_not_allowed: msg`Address not allowed`,
  certificate: msg`Invalid certificate`,
  disabled: msg`Webhook disabled`,
}
