import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import { webhooksMax as max, type Webhook, type WebhookWithSecret } from '../../../shared/webhooks.ts'
import { findNeighborButton } from '../../browser/apis.ts'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { useSession } from '../auth/session.ts'
import { deliveriesKey, describeWebhookFailure, useWebhookCalls, type WebhookOwner } from './webhook-calls.ts'
import { DeleteWebhook, DisableWebhook, EditWebhook, RotateSecret } from './webhook-dialogs.tsx'
import { WebhookItem, type WebhookAction } from './webhook-item.tsx'
import styles from './webhooks.module.css'

/** A dialog that is open; without a webhook, the one that creates one. */
type OpenDialog =
  | { readonly action: WebhookAction; readonly webhook: Webhook }
  | { readonly action: 'create' }

/** Lists, creates, changes and deletes webhooks of the signed-in user, or of the site. */
export function Webhooks({ owner }: { owner: WebhookOwner }) {
  const { viewer } = useSession()
  const calls = useWebhookCalls(owner)
  const queryClient = useQueryClient()
  const { t, i18n } = useLingui()
  const secretId = useId()
  const newButtonId = useId()
  const focusAfterDeletion = useRef<HTMLElement | null>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', owner, viewer?.id],
    queryFn: () => calls.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const failure = error && describeWebhookFailure(error, i18n)
  const isFull = data !== undefined && data.length >= max
  const fullId = useId()

  async function reload() {
    await refetch()
  }
  /** Reloads a webhook whose deliveries may have changed. */
  async function reloadAll({ id }: { readonly id: string }) {
    void queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })
    await refetch()
  }
  const secretField = () => document.getElementById(secretId)?.querySelector('textarea') ?? null
  const close = () => setDialog(null)

  return (
    <div className={styles['webhooks']}>
      <FailureNotice failure={failure} onSignIn={() => {}} />
      {failure && !failure.needsSignIn && <RetryButton onClick={() => void reload()} />}
      {!data && !failure && <Skeleton shape="line" />}
      {data?.length === 0 && (
        <p className={styles['quiet']}>
          <Trans>There are no webhooks.</Trans>
        </p>
      )}
      {data && data.length > 0 && (
        <ul className={styles['list']} aria-label={t`Webhooks`}>
          {data.map((webhook) => (
            <WebhookItem
              key={webhook.id}
              elementId={elementId(webhook.id)}
              webhook={webhook}
              calls={calls}
              onAction={(action) => setDialog({ action, webhook })}
              onChanged={reload}
            />
          ))}
        </ul>
      )}
      {secret && (
        <div id={secretId} className={styles['secret']}>
          <OneTimeText
            key={secret.secret}
            label={t`Secret of the webhook`}
            hint={t`Your server checks the signatures with it. Copy it now and keep it like a password: it is not shown again.`}
            value={secret.secret}
            copied={t`The secret is on your clipboard.`}
            notCopied={t`The browser did not copy the secret. Copy the selected text yourself.`}
            onDone={() => setSecret(null)}
          />
        </div>
      )}
      {data && (
        <Button
          id={newButtonId}
          isBusy={isFull}
          aria-describedby={isFull ? fullId : undefined}
          onClick={() => setDialog({ action: 'create' })}
        >
          <Trans>New webhook</Trans>
        </Button>
      )}
      {isFull && (
        <p id={fullId} className={styles['quiet']}>
          {t`There are ${max} webhooks already. Delete one first.`}
        </p>
      )}
      <p className={styles['quiet']}>
        <a href={`${pagePaths.reference}#webhooks`}>
          <Trans>What the requests contain, and how to verify them</Trans>
        </a>
      </p>
      {dialog?.action === 'create' && (
        <EditWebhook
          webhook={null}
          title={t`New webhook`}
          description={t`The site sends a signed request to the URL when one of the events happens.`}
          save={async (input) => setSecret(await calls.create.mutate(input))}
          onSettled={reload}
          focusAfter={secretField}
          onClosed={close}
        />
      )}
      {dialog?.action === 'edit' && (
        <EditWebhook
          key={dialog.webhook.id}
          webhook={dialog.webhook}
          title={t`Edit the webhook`}
          description={t`Deliveries that wait are sent to the new URL.`}
          save={(input) => calls.update.mutate({ id: dialog.webhook.id, ...input })}
          onSettled={reload}
          focusAfter={() => null}
          onClosed={close}
        />
      )}
      {dialog?.action === 'disable' && (
        <DisableWebhook
          key={dialog.webhook.id}
          webhook={dialog.webhook}
          calls={calls}
          onSettled={() => reloadAll(dialog.webhook)}
          onClosed={close}
        />
      )}
      {dialog?.action === 'rotate' && (
        <RotateSecret
          key={dialog.webhook.id}
          webhook={dialog.webhook}
          calls={calls}
          onRotated={setSecret}
          onSettled={reload}
          focusAfter={secretField}
          onClosed={close}
        />
      )}
      {dialog?.action === 'delete' && (
        <DeleteWebhook
          key={dialog.webhook.id}
          webhook={dialog.webhook}
          calls={calls}
          onDeleted={() => {
            if (secret?.id === dialog.webhook.id) setSecret(null)
            focusAfterDeletion.current =
              findNeighborButton(elementId(dialog.webhook.id)) ?? document.getElementById(newButtonId)
          }}
          onSettled={reload}
          focusAfter={() => focusAfterDeletion.current}
          onClosed={close}
        />
      )}
    </div>
  )
}

function elementId(webhookId: string): string {
  return `webhook-${webhookId}`
}
