import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { deliveryLogDays, type WebhookFailure } from '../../../shared/webhooks.ts'
import { pagesOf } from '../../api/pages.ts'
import type { Api, RouterOutputs } from '../../api/trpc.ts'
import { Badge, Entry, EntryList, Fact, useShowMore } from '../../ui/entry-list.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { FailureNotice, NextPage, useCall } from '../auth/call-failure.tsx'
import styles from './webhooks.module.css'

/** The procedures for webhooks of an owner. */
export type WebhookCalls = Api['client']['account']['webhooks']

type Outputs = RouterOutputs['account']['webhooks']
export type Webhook = Outputs['list'][number]
type WebhookDelivery = Outputs['deliveries']['deliveries'][number]

/** Keys of the queries of webhooks, of their lists, and of their deliveries. */
export const webhooksKey = ['webhooks']
export const listsKey = [...webhooksKey, 'lists']
const deliveriesKey = [...webhooksKey, 'deliveries']

/** Makes one call at a time, and loads everything about webhooks again. */
export function useWebhookCall() {
  const queryClient = useQueryClient()
  return useCall(undefined, () => queryClient.invalidateQueries({ queryKey: webhooksKey }))
}

const pageSize = 10

/** Time between two looks at deliveries that are about to be sent. */
const pollIntervalMs = 2_000

/** Deliveries that are due within this time are about to be sent. */
const soonMs = 15_000

/** The deliveries of a webhook, newest first. Shows results as they arrive. */
export function DeliveryLog({ webhook, calls }: { webhook: Webhook; calls: WebhookCalls }) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: [...deliveriesKey, webhook.id],
    ...pagesOf((cursor) => calls.deliveries.query({ id: webhook.id, limit: pageSize, cursor })),
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
    if (data) void queryClient.invalidateQueries({ queryKey: listsKey })
  }, [data, queryClient])

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
  delivery: WebhookDelivery
  isSending: boolean
  send: false | (() => Promise<unknown>)
}) {
  const { delivery, isSending, send } = props
  const { run, isBusy, failure, clear } = useWebhookCall()
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
export function attemptResult({
  status,
  failure,
}: Pick<WebhookDelivery, 'status' | 'failure'>): MessageDescriptor {
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
