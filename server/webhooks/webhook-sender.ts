import type { Logger } from 'pino'
import { Webhook as Signer } from 'standardwebhooks'
import type { WebhookFailure } from '../../shared/webhooks.ts'
import type { Database } from '../db/open-database.ts'
import { retryStorage } from '../tasks/retry-storage.ts'
import type { ImageLinks } from '../images/image-links.ts'
import { AddressError } from '../network/addresses.ts'
import { openRequest } from '../network/open-request.ts'
import { Repeatable } from '../tasks/repeatable.ts'
import { untilAborted } from '../tasks/shared-task.ts'
import { isoTime } from '../text/iso-time.ts'
import type { Clock } from '../time/clock.ts'
import {
  claimDelivery,
  formerSecretsOf,
  postponeDelivery,
  pruneDeliveries,
  recordAttempt,
  releaseDelivery,
  type Attempt,
  type ClaimedDelivery,
  type WebhookRow,
} from './delivery-queue.ts'
import { composePayloads } from './webhook-events.ts'
import type { WebhookAddresses } from './webhook-addresses.ts'

/** Interval between two checks for deliveries that are due, in milliseconds. */
const usualCheckMs = 1_000

/** Interval between two removals of old deliveries, in milliseconds. */
const pruneMs = 60 * 60 * 1_000

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

interface WebhookSenderServices {
  readonly db: Database
  readonly log: Logger
  readonly now: Clock
  readonly addresses: WebhookAddresses
  /** Origin of links in payloads; null: they have none. */
  readonly publicOrigin: string | null
  readonly imageLinks: ImageLinks
  /** Time in which an endpoint must have responded. */
  readonly sendTimeoutMs?: number
  /** Called with the outcome of each attempt. */
  readonly onAttempt?: ((outcome: 'succeeded' | WebhookFailure) => void) | undefined
  /** True if the site sends mails. */
  readonly sendsMail: boolean
}

type PreparedRequest = Omit<Parameters<typeof openRequest>[0], 'signal' | 'lookup'>

/** Sends the queued deliveries of webhooks. Several processes can do so for one queue. */
export class WebhookSender {
  readonly #services: WebhookSenderServices
  readonly #checking: Repeatable
  readonly #pruning: Repeatable
  readonly #sending = new Map<Promise<void>, WebhookRow>()
  readonly #shutdown = new AbortController()
  readonly #startedAt: number
  /** Times from which events are dropped that this process has logged, by webhook. */
  readonly #warned = new Map<string, number>()
  readonly #timers: NodeJS.Timeout[] = []
  #isStopping = false

  constructor(services: WebhookSenderServices) {
    const { db, log, now } = services
    this.#services = services
    this.#startedAt = services.now()
    this.#checking = new Repeatable(
      () => this.#sendDue(),
      (err) => log.error({ err }, 'the queue of webhooks could not be read; retrying'),
    )
    this.#pruning = new Repeatable(
      () => pruneDeliveries(db, now()),
      (err) => log.error({ err }, 'old deliveries of webhooks could not be removed; retrying in an hour'),
    )
  }

  /** Sends deliveries from now on. */
  start(checkMs = usualCheckMs): void {
    this.#timers.push(
      setInterval(() => void this.#checking.run(), checkMs).unref(),
      setInterval(() => void this.#pruning.run(), pruneMs).unref(),
    )
    void this.#checking.run()
    void this.#pruning.run()
  }

  /** Waits up to `timeoutSeconds` for the deliveries that are being sent. Others are left to the next process. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers) clearInterval(timer)
    const timer = setTimeout(() => this.#shutdown.abort(), timeoutSeconds * 1_000)
    await Promise.all([this.#checking.idle(), this.#pruning.idle()])
    await Promise.all(this.#sending.keys())
    clearTimeout(timer)
  }

  async #sendDue(): Promise<void> {
    while (!this.#isStopping && this.#sending.size < maxConnections) {
      const { db, now } = this.#services
      const claimed = await claimDelivery(db, { now: now(), leaseMs, ...this.#limits() })
      if (!claimed) return
      const sending = this.#process(claimed).finally(() => {
        this.#sending.delete(sending)
        if (!this.#isStopping) void this.#checking.run()
      })
      this.#sending.set(sending, claimed.webhook)
    }
  }

  /** Keeps slow endpoints of some from taking all connections. */
  #limits() {
    const webhooks = [...this.#sending.values()]
    const owners = webhooks.flatMap(({ user_id }) => user_id ?? [])
    const countOf = (owner: string) => owners.filter((other) => other === owner).length
    return {
      excludedOwners: [...new Set(owners)].filter((owner) => countOf(owner) >= maxConnectionsOfUser),
      excludesFailing:
        webhooks.filter(({ failing_since }) => failing_since !== null).length >= maxFailingConnections,
    }
  }

  /** Sends a claimed delivery, and records the attempt. Never throws. */
  async #process(claimed: ClaimedDelivery): Promise<void> {
    const { db, log, now, sendsMail, onAttempt } = this.#services
    const { webhook, delivery } = claimed
    const fields = { webhookId: webhook.id, deliveryId: delivery.id, attempts: delivery.attempts }
    const retry = {
      timeoutMs: leaseMs - defaultTimeoutMs,
      signal: this.#shutdown.signal,
      onFirstError: (err: Error) => log.error({ err, ...fields }, 'recording a delivery failed; retrying'),
    }
    this.#warnOfDrops(webhook)
    let request: PreparedRequest
    try {
      request = await this.#prepare(claimed)
    } catch (err) {
      log.error({ err, ...fields }, 'a delivery could not be prepared; it is due again in a minute')
      // If this fails, too, it is due when the lease has expired.
      return postponeDelivery(db, claimed).catch((cause: unknown) =>
        log.error({ err: cause, ...fields }, 'a delivery could not be postponed'),
      )
    }
    try {
      const attempt = await this.#attempt(request)
      if (!attempt) return await releaseDelivery(db, claimed)
      const { status, failure, durationMs } = attempt
      onAttempt?.(failure ?? 'succeeded')
      if (failure !== null) {
        log.info({ ...fields, status, failure, durationMs }, 'a delivery to a webhook failed')
      }
      const { disabled } = await retryStorage(
        () => recordAttempt({ db, now, sendsMail }, claimed, attempt),
        retry,
      )
      if (disabled !== null) {
        log.warn({ ...fields, userId: webhook.user_id, reason: disabled }, 'a webhook was disabled')
      }
    } catch (err) {
      log.error({ err, ...fields }, 'a delivery could not be recorded; it is due again in a minute')
    }
  }

  /** Logs once for each time in which a webhook drops events; an earlier process has logged those that began before. */
  #warnOfDrops({ id: webhookId, user_id: userId, dropped_at }: WebhookRow): void {
    if (dropped_at === null || dropped_at < this.#startedAt || this.#warned.get(webhookId) === dropped_at)
      return
    this.#warned.set(webhookId, dropped_at)
    const droppedAt = isoTime(dropped_at)
    this.#services.log.warn(
      { webhookId, userId, droppedAt },
      'events of a webhook are dropped: too many wait',
    )
  }

  /** Everything that does not depend on the endpoint, so that errors of this server are no failures of it. */
  async #prepare({ webhook, delivery }: ClaimedDelivery): Promise<PreparedRequest> {
    const [payload] = await composePayloads(this.#services, webhook.user_id, [delivery])
    const body = JSON.stringify(payload)
    return {
      url: new URL(webhook.url),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Rangoli',
        ...signatureHeaders(webhook, delivery.id, body, this.#services.now()),
      },
      body,
    }
  }

  /** @returns null if the process stopped meanwhile */
  async #attempt(request: PreparedRequest): Promise<Attempt | null> {
    const startedAt = performance.now()
    const duration = () => Math.round(performance.now() - startedAt)
    const timeout = AbortSignal.timeout(this.#services.sendTimeoutMs ?? defaultTimeoutMs)
    const signal = AbortSignal.any([this.#shutdown.signal, timeout])
    try {
      const { status, pauseMs } = await this.#send(request, signal)
      const failure = status >= 200 && status < 300 ? null : 'status'
      return { status, failure, durationMs: duration(), pauseMs }
    } catch (error) {
      if (this.#shutdown.signal.aborted) return null
      const failure = timeout.aborted ? 'timeout' : failureOf(error)
      return { status: null, failure, durationMs: duration(), pauseMs: 0 }
    }
  }

  /** Sends a request, and reads the status of its response. Redirects are not followed. */
  async #send(
    request: PreparedRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly pauseMs: number }> {
    const lookup = await untilAborted(this.#services.addresses.pin(request.url), signal)
    const response = await openRequest({ ...request, signal, lookup })
    try {
      let bytes = 0
      for await (const chunk of response) {
        bytes += (chunk as Uint8Array).length
        if (bytes > responseMaxBytes) break
      }
    } catch {
      // The status says enough.
    }
    response.destroy()
    const { statusCode: status = 0, headers } = response
    return { status, pauseMs: pauseOf(status, headers['retry-after']) }
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return tlsError.test(code) ? 'certificate' : 'connection'
}
