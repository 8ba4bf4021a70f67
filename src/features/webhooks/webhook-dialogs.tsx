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
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField, Form, CheckboxGroup, textIn, useForm } from '../../ui/form.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNotice } from '../auth/call-failure.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { fieldErrors } from '../auth/local/account-errors.ts'
import {
  describeWebhookFailure,
  useEventOptions,
  type WebhookCalls,
  type WebhookFailure,
  type WebhookField,
} from './webhook-calls.ts'

/**
 * The form of a webhook, a new one if null.
 *
 * @param props.onSettled called also if no answer arrived, as the change may have been made nevertheless
 */
export function EditWebhook(props: {
  webhook: Webhook | null
  title: string
  description: string
  save: (input: { url: string; events: WebhookEvent[] }) => Promise<unknown>
  onSettled: () => Promise<void>
  focusAfter: () => HTMLElement | null
  onClosed: () => void
}) {
  const { webhook } = props
  const { form, errors, failure, isBusy, submit, clear } = useForm<WebhookField, WebhookFailure>([
    'url',
    'events',
  ])
  const [open, setOpen] = useState(true)
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? webhookEvents)
  const eventOptions = useEventOptions()
  const toast = useToast()
  const { t, i18n } = useLingui()
  const close = () => setOpen(false)

  async function save(element: HTMLFormElement) {
    const url = textIn(element, 'url').trim()
    const known = fieldErrors<WebhookField>(
      {
        url: isWebAddress(url) ? null : msg`Enter a URL that begins with https://.`,
        events: events.length > 0 ? null : msg`Choose at least one event.`,
      },
      i18n,
    )
    const isSaved = await submit(known, async () => {
      try {
        await props.save({ url, events: [...events] })
        return null
      } catch (error) {
        return describeWebhookFailure(error, i18n)
      } finally {
        void props.onSettled()
      }
    })
    if (!isSaved) return
    toast(webhook ? t`The webhook is changed.` : t`The webhook is created.`)
    close()
  }

  return (
    <Dialog
      open={open}
      title={props.title}
      description={props.description}
      focusAfter={props.focusAfter}
      onClose={() => !isBusy && close()}
      onClosed={props.onClosed}
    >
      <Form ref={form} onSubmit={save}>
        <FailureNotice
          failure={failure}
          onSignIn={() => {
            clear()
            close()
          }}
        />
        <TextField
          label={t`URL`}
          error={errors.url}
          dir="ltr"
          type="url"
          name="url"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.org/webhook"
          defaultValue={webhook?.url}
          readOnly={isBusy}
        />
        <CheckboxGroup
          legend={t({ message: 'Events', context: 'webhook' })}
          name="events"
          values={events}
          options={eventOptions}
          error={events.length > 0 ? undefined : errors.events}
          onChange={setEvents}
        />
        <DialogActions>
          <Button isBusy={isBusy} onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit" isBusy={isBusy}>
            {isBusy ? t`Saving…` : webhook ? t`Save` : t`Create webhook`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
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
  const toast = useToast()
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
      call={async () => {
        await calls.update.mutate({ id: webhook.id, isEnabled: false })
        toast(t`The webhook is disabled.`)
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
  const toast = useToast()
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
      call={async () => {
        await completeDeletion(calls.delete.mutate({ id: webhook.id }))
        const next = onDeleted()
        toast(t`The webhook is deleted.`)
        return () => next
      }}
    />
  )
}
