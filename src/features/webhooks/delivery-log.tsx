import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId } from 'react'
import {
  deliveryLogDays,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from '../../../shared/webhooks.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryList, Fact, Facts, useShowMore } from '../../ui/entry-list.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import ui from '../../ui/primitives.module.css'
import { FailureNotice, NextPage, useCall } from '../auth/call-failure.tsx'
import { attemptResult, deliveriesKey, type WebhookCalls } from './webhook-calls.ts'
import styles from './webhooks.module.css'

/** Number of deliveries per page. */
const pageSize = 10

/** Time between two looks at deliveries that are about to be sent. */
const pollIntervalMs = 2_000

/** Deliveries that are due within this time are about to be sent. */
const soonMs = 15_000

/** The deliveries of a webhook, newest first. Shows results as they arrive. */
export function DeliveryLog(props: {
  webhook: Webhook
  calls: WebhookCalls
  onChanged: () => Promise<void>
}) {
  const { webhook, calls } = props
  const { t } = useLingui()
  const query = useInfiniteQuery({
    queryKey: deliveriesKey(webhook.id),
    queryFn: ({ pageParam }) =>
      calls.deliveries.query({
        id: webhook.id,
        limit: pageSize,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (isAwaited(state.data?.pages) ? pollIntervalMs : false),
    // Dropped when the log closes.
    gcTime: 0,
  })
  const { data, dataUpdatedAt, isFetchingNextPage, fetchNextPage } = query
  const deliveries = data?.pages.flatMap((page) => page.deliveries)

  // The webhook's own state follows from its deliveries.
  const onNews = useEffectEvent(() => void props.onChanged())
  useEffect(() => {
    if (data) onNews()
  }, [data])

  const { list, showMore } = useShowMore(
    { isLoadingMore: isFetchingNextPage, loadMore: fetchNextPage },
    deliveries?.length ?? 0,
    (added) => t`${plural(added, { one: '# more delivery', other: '# more deliveries' })}`,
  )

  return (
    <div className={`${ui['stack']} ${styles['log']}`}>
      {deliveries && (
        <EntryList
          label={t`Deliveries`}
          empty={t`${plural(deliveryLogDays, { one: 'No deliveries in the last day.', other: 'No deliveries in the last # days.' })}`}
          ref={list}
          className={styles['deliveries']}
        >
          {deliveries.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              webhook={webhook}
              calls={calls}
              asOf={dataUpdatedAt}
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

function isAwaited(pages: readonly WebhookDeliveryPage[] | undefined): boolean {
  const now = Date.now()
  return (pages ?? []).flatMap(({ deliveries }) => deliveries).some((delivery) => isSentSoon(delivery, now))
}

function isSentSoon({ nextAttemptAt }: WebhookDelivery, now: number): boolean {
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) < now + soonMs
}

/** @param props.asOf time of the list in milliseconds since 1970, which decides what is about to be sent */
function DeliveryItem(props: {
  delivery: WebhookDelivery
  webhook: Webhook
  calls: WebhookCalls
  asOf: number
}) {
  const { delivery, webhook, calls, asOf } = props
  const { id, type, attempts, createdAt, lastAttemptAt, nextAttemptAt, durationMs, payload } = delivery
  const { t, i18n } = useLingui()
  const nameId = useId()
  const queryClient = useQueryClient()
  const { run, isBusy, failure, clear } = useCall()

  async function resend() {
    try {
      await calls.redeliver.mutate({ deliveryId: id })
    } finally {
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(webhook.id) })
    }
  }

  return (
    <li className={styles['delivery']}>
      <p id={nameId} className={`${ui['line']} ${styles['head']}`}>
        <code dir="ltr" className={ui['strong']}>
          {type}
        </code>
        <DeliveryState delivery={delivery} />
      </p>
      {webhook.isEnabled && (
        <Button
          aria-describedby={nameId}
          isBusy={isBusy || isSentSoon(delivery, asOf)}
          onClick={() => run(resend, t`The delivery is sent again.`)}
        >
          {t`Send again`}
        </Button>
      )}
      <Facts>
        <Fact label={t({ message: 'Event', context: 'time of an event' })} at={createdAt} />
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
      </Facts>
      <details className={styles['payload']}>
        <summary>{t`Content`}</summary>
        <pre dir="ltr">{JSON.stringify(payload, null, 2)}</pre>
        <p className={ui['small']}>
          <code dir="ltr">{`webhook-id: ${id}`}</code>
        </p>
      </details>
      <FailureNotice failure={failure} onSignIn={clear} />
    </li>
  )
}

function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  const { t, i18n } = useLingui()
  const { state, failure } = delivery
  const labels = {
    waiting: t({ message: 'Waiting', context: 'delivery' }),
    succeeded: t({ message: 'Delivered', context: 'delivery' }),
    failed: t({ message: 'Failed', context: 'delivery' }),
  }
  const hasResult = state === 'succeeded' || failure !== null
  const tone = failure !== null ? 'danger' : state === 'succeeded' ? 'accent' : undefined
  return (
    <Badge tone={tone}>
      {labels[state]}
      {hasResult && ` · ${i18n._(attemptResult(delivery))}`}
    </Badge>
  )
}
