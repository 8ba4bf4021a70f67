import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import {
  formerSecretHours,
  webhooksMax as max,
  type Webhook,
  type WebhookWithSecret,
} from '../../../shared/webhooks.ts'
import { completeDeletion } from '../../api/failure.ts'
import { findNeighborButton } from '../../browser/apis.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { EntryList, Fact, Facts } from '../../ui/entry-list.tsx'
import { MoreIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Menu } from '../../ui/menu.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import ui from '../../ui/primitives.module.css'
import { FailureNotice, QueryState, useCall } from '../auth/call-failure.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { useSession } from '../auth/session.ts'
import { DeliveryLog } from './delivery-log.tsx'
import {
  attemptResult,
  deliveriesKey,
  useEventOptions,
  useWebhookCalls,
  webhookState,
  type WebhookCalls,
  type WebhookOwner,
} from './webhook-calls.ts'
import { EditWebhook } from './webhook-dialogs.tsx'
import styles from './webhooks.module.css'

/** Webhooks about the images and posts of all users. */
export function SiteWebhooks() {
  const { t } = useLingui()
  return (
    <div className={`${ui['stack']} ${styles['site']}`}>
      <p className={ui['intro']}>
        {t`The site sends your server a signed request when something happens to the images and posts of its users, without prompts, links and names of what is not public. It repeats a request for about three days until the server accepts it.`}
      </p>
      <Webhooks owner="site" />
    </div>
  )
}

/** Lists, creates, changes and deletes webhooks of the signed-in user, or of the site. */
export function Webhooks({ owner }: { owner: WebhookOwner }) {
  const { viewer } = useSession()
  const calls = useWebhookCalls(owner)
  const queryClient = useQueryClient()
  const { t } = useLingui()
  const secretId = useId()
  const newButtonId = useId()
  const [dialog, open] = useDialog()
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null)
  const query = useQuery({
    queryKey: ['webhooks', owner, viewer?.id],
    queryFn: () => calls.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const { data, refetch } = query
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

  const create = () =>
    open((onClosed) => (
      <EditWebhook
        webhook={null}
        save={async (input) => setSecret(await calls.create.mutate(input))}
        onSettled={() => void refetch()}
        focusAfter={secretField}
        onClosed={onClosed}
      />
    ))

  function act(action: WebhookAction, webhook: Webhook) {
    const { id } = webhook
    const { host } = new URL(webhook.url)
    open((onClosed) => {
      const common = { onSettled: reload, onClosed }
      switch (action) {
        case 'edit':
          return (
            <EditWebhook
              {...common}
              webhook={webhook}
              save={(input) => calls.update.mutate({ id, ...input })}
            />
          )
        case 'disable':
          return (
            <ConfirmCall
              {...common}
              title={
                <Trans>
                  Disable the webhook at <bdi>{host}</bdi>?
                </Trans>
              }
              description={t`Nothing is sent until you enable it again, neither the deliveries that wait nor the events that happen meanwhile.`}
              confirm={t`Disable`}
              outcome={t`The webhook is disabled.`}
              call={async () => {
                await calls.update.mutate({ id, isEnabled: false })
              }}
              onSettled={() => reloadAll(webhook)}
            />
          )
        case 'rotate':
          return (
            <ConfirmCall
              {...common}
              title={
                <Trans>
                  Replace the secret of the webhook at <bdi>{host}</bdi>?
                </Trans>
              }
              description={t`You see the new secret once. Requests are signed with both for ${formerSecretHours} hours, so that you can give the new one to your server.`}
              confirm={t`Replace it`}
              call={async () => {
                setSecret(await calls.rotateSecret.mutate({ id }))
                return secretField
              }}
            />
          )
        case 'delete':
          return (
            <ConfirmCall
              {...common}
              title={
                <Trans>
                  Delete the webhook at <bdi>{host}</bdi>?
                </Trans>
              }
              description={t`Nothing more is sent, and the log of its deliveries is deleted. This cannot be undone.`}
              confirm={t`Delete`}
              outcome={t`The webhook is deleted.`}
              call={async () => {
                await completeDeletion(calls.delete.mutate({ id }))
                setSecret((shown) => (shown?.id === id ? null : shown))
                const next = findNeighborButton(id) ?? document.getElementById(newButtonId)
                return () => next
              }}
            />
          )
      }
    })
  }

  return (
    <div className={`${ui['stack']} ${styles['webhooks']}`}>
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Webhooks`} empty={t`There are no webhooks.`}>
          {data.map((webhook) => (
            <WebhookItem
              key={webhook.id}
              webhook={webhook}
              calls={calls}
              onAction={(action) => act(action, webhook)}
              onChanged={reload}
            />
          ))}
        </EntryList>
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
          onClick={create}
        >
          {t`New webhook`}
        </Button>
      )}
      {isFull && (
        <p id={fullId} className={ui['quiet']}>
          {t`There are ${max} webhooks already. Delete one first.`}
        </p>
      )}
      <p className={ui['quiet']}>
        <a href={`${pagePaths.reference}#webhooks`}>{t`What the requests contain, and how to verify them`}</a>
      </p>
      {dialog}
    </div>
  )
}

/** An action that a dialog asks about. */
export type WebhookAction = 'edit' | 'disable' | 'rotate' | 'delete'

/** A webhook with its state, actions and log. */
export function WebhookItem(props: {
  webhook: Webhook
  calls: WebhookCalls
  onAction: (action: WebhookAction) => void
  /** Called when the webhook may have changed. */
  onChanged: () => Promise<void>
}) {
  const { webhook, calls, onAction, onChanged } = props
  const { id, url, isEnabled } = webhook
  const { t } = useLingui()
  const nameId = useId()
  const logId = useId()
  const [isLogOpen, setIsLogOpen] = useState(false)
  const queryClient = useQueryClient()
  const { run, isBusy, failure, clear } = useCall()

  const sendTest = async () => {
    await calls.sendTest.mutate({ id }).catch(afterFailure)
    setIsLogOpen(true)
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })
  }
  const enable = async () => {
    await calls.update.mutate({ id, isEnabled: true }).catch(afterFailure)
    await onChanged()
  }
  /** The webhook may have changed, or be deleted. */
  function afterFailure(error: unknown): never {
    void onChanged()
    throw error
  }

  return (
    <li id={id} className={styles['item']}>
      <div className={`${ui['line']} ${styles['head']}`}>
        <p id={nameId} className={ui['strong']} dir="ltr">
          {url}
        </p>
        <StateBadge webhook={webhook} />
      </div>
      <Menu
        button={<MoreIcon />}
        buttonClass={buttonClass('plain')}
        buttonLabel={t`More actions`}
        describedBy={nameId}
        items={[
          { label: t`Edit`, onSelect: () => onAction('edit') },
          { label: t`New secret`, onSelect: () => onAction('rotate') },
          ...(isEnabled ? [{ label: t`Disable`, onSelect: () => onAction('disable') }] : []),
          { label: t`Delete`, onSelect: () => onAction('delete') },
        ]}
      />
      <WebhookFacts webhook={webhook} />
      <div className={`${ui['row']} ${styles['actions']}`}>
        {/* The key keeps the focus on the button, whose action changes. */}
        <Button
          key="action"
          aria-describedby={nameId}
          isBusy={isBusy}
          onClick={() =>
            isEnabled ? run(sendTest, t`The test is on its way.`) : run(enable, t`The webhook is enabled.`)
          }
        >
          {isEnabled ? t`Send a test` : t`Enable`}
        </Button>
        <Button
          aria-describedby={nameId}
          aria-expanded={isLogOpen}
          aria-controls={isLogOpen ? logId : undefined}
          onClick={() => setIsLogOpen(!isLogOpen)}
        >
          {isLogOpen ? t`Hide deliveries` : t`Deliveries`}
        </Button>
      </div>
      {failure && (
        <div className={styles['wide']}>
          <FailureNotice failure={failure} onSignIn={clear} />
        </div>
      )}
      {isLogOpen && (
        <div id={logId} className={styles['wide']}>
          <DeliveryLog webhook={webhook} calls={calls} onChanged={onChanged} />
        </div>
      )}
    </li>
  )
}

function StateBadge({ webhook }: { webhook: Webhook }) {
  const { t } = useLingui()
  const state = webhookState(webhook)
  const labels = {
    enabled: t({ message: 'Enabled', context: 'webhook' }),
    failing: t({ message: 'Failing', context: 'webhook' }),
    disabled: t({ message: 'Disabled', context: 'webhook' }),
  }
  const tones = { enabled: 'accent', failing: 'danger', disabled: undefined } as const
  return <Badge tone={tones[state]}>{labels[state]}</Badge>
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t, i18n } = useLingui()
  const { events, disabledReason, failingSince, formerSecretUntil, lastDelivery, waiting } = webhook
  const chosen = useEventOptions().filter(({ value }) => events.includes(value))
  return (
    <Facts>
      {disabledReason !== null && (
        <Fact label={t`Reason`} isWide isBad>
          {disabledReason === 'gone'
            ? t`The server answered that this URL is gone (status 410).`
            : t`Every delivery failed for three days.`}
        </Fact>
      )}
      <Fact label={t({ message: 'Events', context: 'webhook' })} isWide>
        {new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(chosen.map(({ label }) => label))}
      </Fact>
      <Fact
        label={t`Last delivery`}
        isBad={lastDelivery?.failure != null}
        at={lastDelivery?.lastAttemptAt ?? null}
        never={t({ message: 'None yet', context: 'delivery' })}
      >
        {lastDelivery?.lastAttemptAt && ` · ${i18n._(attemptResult(lastDelivery))}`}
      </Fact>
      {webhook.isEnabled && failingSince !== null && (
        <Fact label={t`Failing since`} isBad at={failingSince} />
      )}
      {waiting > 0 && <Fact label={t`Waiting deliveries`}>{i18n.number(waiting)}</Fact>}
      {webhook.droppedAt !== null && <Fact label={t`Events dropped since`} isBad at={webhook.droppedAt} />}
      {formerSecretUntil !== null && <Fact label={t`Former secret valid until`} at={formerSecretUntil} />}
      <Fact label={t({ message: 'Created', context: 'webhook' })} at={webhook.createdAt} />
    </Facts>
  )
}
