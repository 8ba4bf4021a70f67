import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { webhookEvents, type Webhook, type WebhookEvent } from '../../../shared/webhooks.ts'
import { CheckboxGroup, TextField } from '../../ui/form.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { describeWebhookFailure, useEventOptions } from './webhook-calls.ts'

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
