import { httpSubscriptionLink } from '@trpc/client'
import { EventSource, type FetchLike } from 'eventsource'

/** Creates the link of subscriptions, with an EventSource that can send headers, unlike the browser's own. */
export function subscriptionLink(fetchEvents: FetchLike) {
  return httpSubscriptionLink({ url: '/trpc', EventSource, eventSourceOptions: { fetch: fetchEvents } })
}
