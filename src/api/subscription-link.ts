import { httpSubscriptionLink, type TRPCLink } from '@trpc/client'
import { EventSource, type FetchLike } from 'eventsource'
import type { AppRouter } from '../../server/trpc/router.ts'

/**
 * Creates the link that carries subscriptions as server-sent events. It reconnects by itself, resumes where it was, and
 * notices a dead connection by missing pings.
 *
 * @param fetch sends each request with the session's headers, which the browser's own EventSource can't
 */
export function createSubscriptionLink(fetch: FetchLike): TRPCLink<AppRouter> {
  return httpSubscriptionLink({ url: '/trpc', EventSource, eventSourceOptions: { fetch } })
}
