import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { adminPath, pagePaths } from '../../../shared/routes.ts'
import type { WebhookDisabledReason } from '../../../shared/webhooks.ts'
import type { MailContent, MailFrame } from '../mail-content.ts'
import type { WebhookMessage } from '../mail-message.ts'
import { actionOf, noticeReason, textOf } from './moderation-mails.ts'

const reasons: Readonly<Record<WebhookDisabledReason, MessageDescriptor>> = {
  gone: msg`Its server answered that it is gone.`,
  failing: msg`For three days its server has accepted nothing.`,
}

/** A webhook that was disabled. */
export function webhookMail(
  { host, reason, isOfSite }: WebhookMessage,
  { siteUrl, siteName }: MailFrame,
  i18n: I18n,
): MailContent {
  const path = isOfSite ? adminPath('webhooks') : pagePaths.account
  return {
    subject: i18n._(msg`A webhook was disabled`),
    parts: [
      textOf(
        i18n._(
          isOfSite
            ? msg`The webhook of ${siteName} at ${host} was disabled.`
            : msg`Your webhook at ${host} was disabled.`,
        ),
      ),
      textOf(i18n._(reasons[reason])),
      textOf(i18n._(msg`Enable it again when the server works. What happened meanwhile is not sent.`)),
      ...(siteUrl === null ? [] : [actionOf(i18n._(msg`Open webhooks`), new URL(path, siteUrl).href)]),
    ],
    reason: noticeReason(i18n),
  }
}
