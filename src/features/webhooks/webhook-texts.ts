import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  webhookEvents,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookFailure,
} from '../../../shared/webhooks.ts'
import type { GroupOption } from '../../ui/form.tsx'

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

const failureLabels: Readonly<Record<Exclude<WebhookFailure, 'status'>, MessageDescriptor>> = {
  timeout: msg`No response in time`,
  connection: msg`No connection`,
  host_unknown: msg`Unknown host`,
  address_not_allowed: msg`Address not allowed`,
  certificate: msg`Invalid certificate`,
  disabled: msg`Webhook disabled`,
}
