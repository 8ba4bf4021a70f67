import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { DetailCode } from '../../../shared/errors.ts'
import {
  webhookEvents,
  type WebhookFailure as DeliveryFailure,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../../../shared/webhooks.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc, type Api } from '../../api/trpc.ts'
import type { GroupOption } from '../../ui/form.tsx'
import { describeCallFailure, type CallFailure } from '../auth/call-failure.tsx'

/** Owner of webhooks, which report the events of the signed-in user or of the whole site. */
export type WebhookOwner = 'user' | 'site'

/** The procedures for webhooks of an owner. */
export type WebhookCalls = Api['client']['account']['webhooks']

/** Returns the procedures for webhooks of an owner. */
export function useWebhookCalls(owner: WebhookOwner): WebhookCalls {
  const { client } = trpc.useUtils()
  return owner === 'user' ? client.account.webhooks : client.admin.webhooks
}

const detailsOfUrl: ReadonlySet<DetailCode> = new Set([
  'webhook_url',
  'webhook_https_required',
  'webhook_host_unknown',
  'webhook_host_unresolved',
  'webhook_address_not_allowed',
])

/** Describes the error of a call. */
export function describeWebhookFailure(error: unknown, i18n: I18n): CallFailure {
  const { detail } = describeFailure(error)
  const isAboutUrl = detail !== null && detailsOfUrl.has(detail.code)
  return { ...describeCallFailure(error, i18n), field: isAboutUrl ? 'url' : undefined }
}

/** Key of the query of the deliveries of a webhook. */
export function deliveriesKey(webhookId: string): readonly string[] {
  return ['webhook-deliveries', webhookId]
}

const eventLabels: Readonly<Record<WebhookEvent, MessageDescriptor>> = {
  'image.succeeded': msg`Image generated`,
  'image.failed': msg`Image failed`,
  'post.created': msg`Image shared`,
  'post.hidden': msg`Post hidden by a moderator`,
}

/** Returns the events to choose from, with their names in requests. */
export function useEventOptions(): readonly GroupOption<WebhookEvent>[] {
  const { i18n } = useLingui()
  return webhookEvents.map((value) => ({ value, label: i18n._(eventLabels[value]), hint: value }))
}

/** Returns how a webhook works at present. */
export function webhookState({ isEnabled, failingSince }: Webhook): 'enabled' | 'failing' | 'disabled' {
  if (!isEnabled) return 'disabled'
  return failingSince === null ? 'enabled' : 'failing'
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

const failureLabels: Readonly<Record<Exclude<DeliveryFailure, 'status'>, MessageDescriptor>> = {
  timeout: msg`No response in time`,
  connection: msg`No connection`,
  host_unknown: msg`Unknown host`,
  address_not_allowed: msg`Address not allowed`,
  certificate: msg`Invalid certificate`,
  disabled: msg`Webhook disabled`,
}
