import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  formerSecretHours,
  webhookEvents,
  type Webhook,
  type WebhookEvent,
  type WebhookWithSecret,
} from '../../../shared/webhooks.ts'
import { completeDeletion } from '../../api/failure.ts'
import { CheckboxGroup, TextField } from '../../ui/form.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { describeWebhookFailure, useEventOptions, type WebhookCalls } from './webhook-calls.ts'

/**
 * The form of a webhook, a new one if null.
 *
 * @param props.onSettled called also if no answer arrived, as the change may have been made nevertheless
 */
export function EditWebhook(props: {
  webhook: Webhook | null
  save: (input: { url: string; events: WebhookEvent[] }) => Promise<unknown>
  onSettled: () => void
  focusAfter?: () => HTMLElement | null
  onClosed: () => void
}) {
  const { webhook, save, onSettled, ...dialog } = props
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? webhookEvents)
  const eventOptions = useEventOptions()
  const { t, i18n } = useLingui()
  return (
    <FormDialog
      {...dialog}
      title={webhook ? t`Edit the webhook` : t`New webhook`}
      description={
        webhook
          ? t`Deliveries that wait are sent to the new URL.`
          : t`The site sends a signed request to the URL when one of the events happens.`
      }
      submit={webhook ? t`Save` : t`Create webhook`}
      busy={t`Saving…`}
      outcome={webhook ? t`The webhook is changed.` : t`The webhook is created.`}
      check={(text) => ({
        url: !isWebAddress(text('url')) && msg`Enter a URL that begins with https://.`,
        events: events.length === 0 && msg`Choose at least one event.`,
      })}
      call={async (text) => {
        try {
          await save({ url: text('url'), events: [...events] })
          return null
        } catch (error) {
          return describeWebhookFailure(error, i18n)
        } finally {
          onSettled()
        }
      }}
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
        values={events}
        options={eventOptions}
        onChange={setEvents}
      />
    </FormDialog>
  )
}

/** The server decides which of them webhooks may call. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function hostOf({ url }: Webhook): string {
  return new URL(url).host
}

interface ChangeProps {
  readonly webhook: Webhook
  readonly calls: WebhookCalls
  /** Called also if no answer arrived, as the change may have been made nevertheless. */
  readonly onSettled: () => Promise<void>
  readonly onClosed: () => void
}

/** Asks for confirmation, then disables a webhook. */
export function DisableWebhook({ webhook, calls, ...props }: ChangeProps) {
  const { t } = useLingui()
  const host = hostOf(webhook)
  return (
    <ConfirmCall
      {...props}
      title={
        <Trans>
          Disable the webhook at <bdi>{host}</bdi>?
        </Trans>
      }
      description={t`Nothing is sent until you enable it again, neither the deliveries that wait nor the events that happen meanwhile.`}
      confirm={t`Disable`}
      outcome={t`The webhook is disabled.`}
      call={async () => {
        await calls.update.mutate({ id: webhook.id, isEnabled: false })
      }}
    />
  )
}

/** Asks for confirmation, then gives a webhook a new secret. */
export function RotateSecret({
  webhook,
  calls,
  onRotated,
  focusAfter,
  ...props
}: ChangeProps & { onRotated: (webhook: WebhookWithSecret) => void; focusAfter: () => HTMLElement | null }) {
  const { t } = useLingui()
  const host = hostOf(webhook)
  return (
    <ConfirmCall
      {...props}
      title={
        <Trans>
          Replace the secret of the webhook at <bdi>{host}</bdi>?
        </Trans>
      }
      description={t`You see the new secret once. Requests are signed with both for ${formerSecretHours} hours, so that you can give the new one to your server.`}
      confirm={t`Replace it`}
      call={async () => {
        onRotated(await calls.rotateSecret.mutate({ id: webhook.id }))
        return focusAfter
      }}
    />
  )
}

/** Asks for confirmation, then deletes a webhook. */
export function DeleteWebhook({
  webhook,
  calls,
  onDeleted,
  ...props
}: ChangeProps & { onDeleted: () => HTMLElement | null }) {
  const { t } = useLingui()
  const host = hostOf(webhook)
  return (
    <ConfirmCall
      {...props}
      title={
        <Trans>
          Delete the webhook at <bdi>{host}</bdi>?
        </Trans>
      }
      description={t`Nothing more is sent, and the log of its deliveries is deleted. This cannot be undone.`}
      confirm={t`Delete`}
      outcome={t`The webhook is deleted.`}
      call={async () => {
        await completeDeletion(calls.delete.mutate({ id: webhook.id }))
        const next = onDeleted()
        return () => next
      }}
    />
  )
}
