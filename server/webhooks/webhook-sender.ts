import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { Webhook as Signer } from 'standardwebhooks'
import type { WebhookFailure } from '../../shared/webhooks.ts'
import { retryStorage } from '../tasks/retry-storage.ts'
import { libraryCode } from '../errors/app-error.ts'
import { AddressError } from '../network/addresses.ts'
import { openRequest } from '../network/open-request.ts'
import { QueueWorker, usersWith } from '../tasks/queue-worker.ts'
import { timeoutSignal } from '../tasks/shared-task.ts'
import { isoTime } from '../text/iso-time.ts'
import {
  claimDelivery,
  formerSecretsOf,
  postponeDelivery,
  recordAttempt,
  releaseDelivery,
  type Attempt,
  type ClaimedDelivery,
  type WebhookRow,
} from './delivery-queue.ts'
import { composePayloads, type PayloadServices } from './webhook-events.ts'
import type { UserServices } from '../access/user-access.ts'
import type { PinUrl } from '../network/pin-url.ts'

/** Default of `sendTimeoutMs`. */
const defaultTimeoutMs = 15_000

/** Longer than an attempt takes, so that no process sends a delivery that another one is sending. */
const leaseMs = 4 * defaultTimeoutMs

/** Longest time for which an endpoint gets no requests because it asks for that. */
const maxPauseMs = 10 * 60 * 1_000

/** Maximum number of requests of a process at once. */
const maxConnections = 16

/** Maximum number of these to webhooks of one user. */
const maxConnectionsOfUser = 2

/** Maximum number of these to webhooks whose latest attempt failed. */
const maxFailingConnections = 8

/** Bytes of a response that are read. The rest is discarded with the connection. */
const responseMaxBytes = 64 * 1024

interface WebhookSenderServices extends UserServices, PayloadServices {
  readonly log: Logger
  readonly pinUrl: PinUrl
  /** Time in which an endpoint must have responded. */
  readonly sendTimeoutMs?: number
  readonly onAttempt?: ((outcome: 'succeeded' | WebhookFailure) => void) | undefined
  readonly sendsMail: boolean
}

type PreparedRequest = Omit<Parameters<typeof openRequest>[0], 'signal'>

/** Creates the worker that sends the queued deliveries of webhooks. Several processes can do so for one queue. */
export function createWebhookSender(services: WebhookSenderServices): QueueWorker<ClaimedDelivery> {
  const { db, log, now, onAttempt, pinUrl, sendTimeoutMs = defaultTimeoutMs } = services
  const startedAt = now()
  const warned = new Map<string, number>()

  /** Logs once for each time in which a webhook drops events; an earlier process has logged those that began before. */
  function warnOfDrops({ id: webhookId, user_id: userId, dropped_at }: WebhookRow): void {
    if (dropped_at === null || dropped_at < startedAt || warned.get(webhookId) === dropped_at) return
    warned.set(webhookId, dropped_at)
    const fields = { webhookId, userId, droppedAt: isoTime(dropped_at) }
    log.warn(fields, 'events of a webhook are dropped: too many wait')
  }

  /** Sends a claimed delivery, and records the attempt. Never throws. */
  async function deliver(claimed: ClaimedDelivery, shutdown: AbortSignal): Promise<void> {
    const { webhook, delivery } = claimed
    warnOfDrops(webhook)
    const fields = { webhookId: webhook.id, deliveryId: delivery.id, attempts: delivery.attempts }
    let request: PreparedRequest
    try {
      request = await prepareRequest(claimed)
    } catch (err) {
      log.error({ err, ...fields }, 'a delivery could not be prepared; it is due again in a minute')
      // If this fails, too, it is due when the lease has expired.
      return postponeDelivery(db, claimed).catch((cause: unknown) =>
        log.error({ err: cause, ...fields }, 'a delivery could not be postponed'),
      )
    }
    try {
      const attempt = await attemptRequest(request, shutdown)
      if (!attempt) return await releaseDelivery(db, claimed)
      const { status, failure, durationMs } = attempt
      onAttempt?.(failure ?? 'succeeded')
      if (failure !== null) {
        log.info({ ...fields, status, failure, durationMs }, 'a delivery to a webhook failed')
      }
      const disabled = await retryStorage(() => recordAttempt(services, claimed, attempt), {
        timeoutMs: leaseMs - defaultTimeoutMs,
        signal: shutdown,
        onFirstError: (err) => log.error({ err, ...fields }, 'recording a delivery failed; retrying'),
      })
      if (disabled !== null) {
        log.warn({ ...fields, userId: webhook.user_id, reason: disabled }, 'a webhook was disabled')
      }
    } catch (err) {
      log.error({ err, ...fields }, 'a delivery could not be recorded; it is due again in a minute')
    }
  }

  /** Everything that does not depend on the endpoint, so that errors of this server are no failures of it. */
  async function prepareRequest({ webhook, delivery }: ClaimedDelivery): Promise<PreparedRequest> {
    const [payload] = await composePayloads(services, webhook.user_id, [delivery])
    const body = JSON.stringify(payload)
    return {
      url: new URL(webhook.url),
      pin: pinUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Rangoli',
        ...signatureHeaders(webhook, delivery.id, body, now()),
      },
      body,
    }
  }

  /** Sends a request, and reads the status of its response. @returns null if the process stopped meanwhile */
  async function attemptRequest(request: PreparedRequest, shutdown: AbortSignal): Promise<Attempt | null> {
    const sentAt = performance.now()
    const duration = () => Math.round(performance.now() - sentAt)
    const timeout = timeoutSignal(sendTimeoutMs)
    const signal = AbortSignal.any([shutdown, timeout])
    try {
      // Redirects are not followed.
      const response = await openRequest({ ...request, signal })
      await discardBody(response)
      const { statusCode: status = 0, headers } = response
      const failure = status >= 200 && status < 300 ? null : 'status'
      return { status, failure, durationMs: duration(), pauseMs: pauseOf(status, headers['retry-after']) }
    } catch (error) {
      if (shutdown.aborted) return null
      const failure = timeout.aborted ? 'timeout' : failureOf(error)
      return { status: null, failure, durationMs: duration(), pauseMs: 0 }
    }
  }

  return new QueueWorker({
    maxConcurrent: maxConnections,
    claim: (sent) => claimDelivery(db, { now: now(), leaseMs, ...connectionsLeft(sent) }),
    process: deliver,
    onError: (err) => log.error({ err }, 'the queue of webhooks could not be read; retrying'),
  })
}

/** Reads the start of a response, and closes its connection. The status says enough if that fails. */
async function discardBody(response: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Uint8Array).length
      if (bytes > responseMaxBytes) break
    }
  } catch {
    // Such as a connection that the endpoint closed.
  }
  response.destroy()
}

/** Keeps slow endpoints of some from taking all connections. */
function connectionsLeft(sent: readonly ClaimedDelivery[]) {
  const owners = sent.flatMap(({ webhook }) => webhook.user_id ?? [])
  return {
    excludedOwners: usersWith(maxConnectionsOfUser, owners),
    excludesFailing:
      sent.filter(({ webhook }) => webhook.failing_since !== null).length >= maxFailingConnections,
  }
}

/**
 * Creates the headers by which the receiver verifies a request. Former secrets sign, too, for a day each.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function signatureHeaders(
  webhook: WebhookRow,
  id: string,
  body: string,
  now: number,
): Record<string, string> {
  const time = new Date(now)
  const secrets = [webhook, ...formerSecretsOf(webhook, now)]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': secrets.map(({ secret }) => new Signer(secret).sign(id, time, body)).join(' '),
  }
}

/** Returns the time for which an endpoint that is overloaded asks for no requests, in milliseconds; 0 without one. */
function pauseOf(status: number, retryAfter: string | undefined): number {
  if ((status !== 429 && status !== 503) || !/^\d{1,9}$/.test(retryAfter ?? '')) return 0
  return Math.min(Number(retryAfter) * 1_000, maxPauseMs)
}

/** Errors of TLS: the certificate is not valid for the host, or there is no agreement on a protocol. */
const tlsError = /^(EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH)/

const failuresOfAddresses = {
  unknown: 'host_unknown',
  unresolved: 'connection',
  not_allowed: 'address_not_allowed',
} as const

function failureOf(error: unknown): WebhookFailure {
  if (error instanceof AddressError) {
    return failuresOfAddresses[error.reason]
  }
  return tlsError.test(libraryCode(error) ?? '') ? 'certificate' : 'connection'
}
