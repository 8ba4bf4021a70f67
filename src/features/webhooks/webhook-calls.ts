import type { I18n } from '@lingui/core'
import type { DetailCode } from '../../../shared/error-details.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc, type Api } from '../../api/trpc.ts'
import type { FormError } from '../../ui/form.tsx'
import { describeCallFailure } from '../auth/call-failure.ts'

/** Whose events webhooks report: those of the signed-in user, or of the whole site. */
export type WebhookOwner = 'user' | 'site'

/** The procedures for webhooks of an owner. */
export type WebhookCalls = Api['client']['account']['webhooks']

/** Returns the procedures for webhooks of an owner. */
export function useWebhookCalls(owner: WebhookOwner): WebhookCalls {
  const { client } = trpc.useUtils()
  return owner === 'user' ? client.account.webhooks : client.admin.webhooks
}

/** Fields of the form of a webhook. */
export type WebhookField = 'url' | 'events'

/** An error of a call, and the field that it concerns. */
export interface WebhookFailure extends FormError {
  readonly field: 'url' | null
  /** The session has ended. */
  readonly needsSignIn: boolean
}

const detailsOfUrl: ReadonlySet<DetailCode> = new Set([
  'webhook_url',
  'webhook_https_required',
  'webhook_host_unknown',
  'webhook_address_not_allowed',
])

/** Describes the error of a call. */
export function describeWebhookFailure(error: unknown, i18n: I18n): WebhookFailure {
  const { message, needsSignIn } = describeCallFailure(error, i18n)
  const { detail } = describeFailure(error)
  return { field: detail && detailsOfUrl.has(detail.code) ? 'url' : null, message, needsSignIn }
}

/** Key of the query of the deliveries of a webhook. */
export function deliveriesKey(webhookId: string): readonly string[] {
  return ['webhook-deliveries', webhookId]
}
