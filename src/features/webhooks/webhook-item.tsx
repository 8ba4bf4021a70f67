import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Webhook } from '../../../shared/webhooks.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { MoreIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { FailureNotice } from '../auth/failure-notice.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { deliveriesKey, describeWebhookFailure, type WebhookCalls } from './webhook-calls.ts'
import { attemptResult, useEventOptions, webhookState } from './webhook-texts.ts'
import styles from './webhooks.module.css'

/** An action that a dialog asks about. */
export type WebhookAction = 'edit' | 'disable' | 'rotate' | 'delete'

/** A webhook with its state, actions and log. */
export function WebhookItem(props: {
  elementId: string
  webhook: Webhook
  calls: WebhookCalls
  onAction: (action: WebhookAction) => void
  /** Called when the webhook may have changed. */
  onChanged: () => Promise<void>
}) {
  const { webhook, calls, onAction, onChanged } = props
  const { id, url, isEnabled } = webhook
  const { t, i18n } = useLingui()
  const nameId = useId()
  const logId = useId()
  const [isLogOpen, setIsLogOpen] = useState(false)
  const queryClient = useQueryClient()
  const toast = useToast()
  const test = useMutation({
    mutationFn: () => calls.sendTest.mutate({ id }),
    async onSuccess() {
      toast(t`The test is on its way.`)
      setIsLogOpen(true)
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })
    },
    onError: () => onChanged(),
  })
  const enabling = useMutation({
    mutationFn: () => calls.update.mutate({ id, isEnabled: true }),
    async onSuccess() {
      toast(t`The webhook is enabled.`)
      await onChanged()
    },
    onError: () => onChanged(),
  })
  const error = enabling.error ?? test.error
  const [label, action] = isEnabled ? [t`Send a test`, test] : [t`Enable`, enabling]

  return (
    <li id={props.elementId} className={styles['item']}>
      <div className={styles['head']}>
        <p id={nameId} className={styles['url']} dir="ltr">
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
      <div className={styles['actions']}>
        {/* The key keeps the focus on the button, whose action changes. */}
        <Button
          key="action"
          aria-describedby={nameId}
          isBusy={action.isPending}
          onClick={() => {
            enabling.reset()
            test.reset()
            action.mutate()
          }}
        >
          {label}
        </Button>
        <Button
          aria-describedby={nameId}
          aria-expanded={isLogOpen}
          aria-controls={isLogOpen ? logId : undefined}
          onClick={() => setIsLogOpen(!isLogOpen)}
        >
          {isLogOpen ? <Trans>Hide deliveries</Trans> : <Trans>Deliveries</Trans>}
        </Button>
      </div>
      {error && (
        <div className={styles['wide']}>
          <FailureNotice
            failure={describeWebhookFailure(error, i18n)}
            onSignIn={() => {
              enabling.reset()
              test.reset()
            }}
          />
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
  return <span className={`${styles['badge']} ${styles[state]}`}>{labels[state]}</span>
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t, i18n } = useLingui()
  const { events, disabledReason, failingSince, formerSecretUntil, lastDelivery, waiting, createdAt } =
    webhook
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
      <Fact label={t`Last delivery`} isBad={lastDelivery?.failure != null}>
        {lastDelivery?.lastAttemptAt ? (
          <>
            <DateTime at={lastDelivery.lastAttemptAt} /> · {i18n._(attemptResult(lastDelivery))}
          </>
        ) : (
          t({ message: 'None yet', context: 'delivery' })
        )}
      </Fact>
      {webhook.isEnabled && failingSince !== null && (
        <Fact label={t`Failing since`} isBad>
          <DateTime at={failingSince} />
        </Fact>
      )}
      {waiting > 0 && <Fact label={t`Waiting deliveries`}>{i18n.number(waiting)}</Fact>}
      {formerSecretUntil !== null && (
        <Fact label={t`Former secret valid until`}>
          <DateTime at={formerSecretUntil} />
        </Fact>
      )}
      <Fact label={t({ message: 'Created', context: 'webhook' })}>
        <DateTime at={createdAt} />
      </Fact>
    </Facts>
  )
}
