import type { Logger } from 'pino'
import { pagePaths } from '../../shared/routes.ts'
import { notificationPath, type Notification, type PushMessage } from '../../shared/notifications.ts'
import type { UserServices } from '../access/user-access.ts'
import { dbNow, dialectOf } from '../db/dialect-of.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { hasRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'
import type { PinUrl } from '../network/pin-url.ts'
import { openRequest } from '../network/open-request.ts'
import { QueueWorker, retryPauseMs, usersWith } from '../tasks/queue-worker.ts'
import { timeoutSignal } from '../tasks/shared-task.ts'
import { listNew } from './list-notifications.ts'
import type { PushKeys } from './push-keys.ts'

/*
 * The queue of pushes is the table of devices: an event makes those of its user due, and one push tells what is new since the last
 * one. A process claims a device by a lease, like mails.
 */

type Device = RowOf<'push_subscriptions'>

const sendTimeoutMs = 15_000

/** Longer than an attempt takes, so that no process sends a push that another one is sending. */
const leaseMs = 4 * sendTimeoutMs

/** Shortest time between two pushes to a device. */
const pauseMs = 60_000

/** Attempts after which a push is given up, some hours after the first. */
const attemptsMax = 10

const maxConnections = 8

/** Maximum number of these to devices of one user, and to devices whose latest attempt failed. */
const maxConnectionsOfUser = 2
const maxFailingConnections = 4

/** Time for which a push service keeps a push for a device that is off, in seconds. */
const lifetimeSeconds = 24 * 60 * 60

interface PushSenderServices extends UserServices {
  readonly log: Logger
  readonly pinUrl: PinUrl
  readonly pushKeys: PushKeys
  /** Origin that push services see as the sender's contact; null if it is unknown. */
  readonly publicOrigin: string | null
  /** Returns what a push says, in the language of a user. */
  readonly titleOf: (language: string | null, about: Notification | { readonly several: number }) => string
}

/** Creates the worker that sends pushes. Several processes can do so for one queue. */
export function createPushSender(services: PushSenderServices): QueueWorker<Device> {
  const { db, log, pinUrl, publicOrigin, pushKeys, titleOf } = services

  async function deliver(device: Device, signal: AbortSignal): Promise<void> {
    const { news, language } = await listNew(services, device.user_id, 'push', device.pushed_until)
    const status = news.length === 0 ? 204 : await send(device, messageOf(news, language), signal)
    if (signal.aborted) return settle(db, device, { pauseMs: 0 })
    const isDone = status !== null && status >= 200 && status < 300
    if (isDone) {
      const pushedUntil = Math.max(device.pushed_until, ...news.map(({ createdAt }) => Date.parse(createdAt)))
      return settle(db, device, { pauseMs, attempts: 0, pushedUntil, told: device.pending })
    }
    const fields = { userId: device.user_id, status, attempts: device.attempts }
    const isLast = device.attempts >= attemptsMax
    const isRejected = status === 401 || status === 403
    if (isRejected)
      log.warn(fields, 'the push service rejects the keys, which are derived from the secret of the site')
    else log.info(fields, 'a push failed')
    // The subscription has ended, see https://www.rfc-editor.org/rfc/rfc8030#section-7.3, or is for the keys of a former secret.
    if (status === 404 || status === 410 || (isRejected && isLast)) {
      await db.deleteFrom('push_subscriptions').where('seq', '=', device.seq).execute()
    } else {
      await settle(db, device, {
        pauseMs: retryPauseMs(device.attempts),
        ...(isLast && { told: device.pending }),
      })
    }
  }

  /** Composes a push about the newest of the notifications, or about all of them. */
  function messageOf(news: readonly Notification[], language: string | null): PushMessage {
    const [newest] = news
    if (newest && news.length === 1)
      return { title: titleOf(language, newest), path: notificationPath(newest), tag: newest.id }
    const title = titleOf(language, { several: news.length })
    return { title, path: pagePaths.notifications, tag: 'notifications' }
  }

  /** Sends an encrypted message to a push service. @returns the status of its response; null without one */
  async function send(
    { endpoint, p256dh, auth, user_id: userId }: Device,
    message: PushMessage,
    shutdown: AbortSignal,
  ): Promise<number | null> {
    const signal = AbortSignal.any([shutdown, timeoutSignal(sendTimeoutMs)])
    const url = new URL(endpoint)
    try {
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        {
          TTL: lifetimeSeconds,
          contentEncoding: 'aes128gcm',
          vapidDetails: {
            subject: publicOrigin?.startsWith('https:') ? publicOrigin : 'mailto:operator@site.invalid',
            ...pushKeys,
          },
        },
      )
      // Redirects are not followed, and nothing of the response is read.
      const request = { url, method: 'POST', headers, ...(body && { body }), pin: pinUrl } as const
      const response = await openRequest({ ...request, signal })
      response.destroy()
      return response.statusCode ?? null
    } catch (err) {
      log.info({ err, userId }, 'a push could not be sent')
      return null
    }
  }

  return new QueueWorker({
    maxConcurrent: maxConnections,
    claim: (sent) => claimDevice(db, sent),
    process: async (device, signal) => {
      try {
        await deliver(device, signal)
      } catch (err) {
        log.error({ err, userId: device.user_id }, 'a push could not be sent; it is due again in a minute')
      }
    },
    onError: (err) => log.error({ err }, 'the queue of pushes could not be read; retrying'),
  })
}

/** Claims the device that has been due for the longest time; null if none is. */
async function claimDevice(db: Database, sent: readonly Device[]): Promise<Device | null> {
  const userIds = sent.map(({ user_id }) => user_id)
  const busy = usersWith(maxConnectionsOfUser, userIds)
  const excludesFailing = sent.filter(({ attempts }) => attempts > 1).length >= maxFailingConnections
  const due = db
    .selectFrom('push_subscriptions')
    .select('seq')
    .where('pending', '>', 0)
    .where('due_at', '<=', dbNow(db))
    .where(({ not }) => not(isOneOf(db, 'user_id', busy, 'text')))
    .$if(excludesFailing, (query) => query.where('attempts', '=', 0))
    .orderBy('due_at')
    .limit(1)
  // Without a write, which on SQLite would wait for other writers.
  if (!(await hasRows(due))) return null
  const row = await db
    .updateTable('push_subscriptions')
    .set((eb) => ({ due_at: eb(dbNow(db), '+', leaseMs), attempts: eb('attempts', '+', 1) }))
    .where('seq', '=', () => due.$if(dialectOf(db) === 'postgres', (query) => query.forUpdate().skipLocked()))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

interface Outcome {
  /** Time until the next push, in milliseconds. */
  readonly pauseMs: number
  readonly attempts?: number
  readonly pushedUntil?: number
  /** Number of notifications that no further push is due for. */
  readonly told?: number
}

/** Records the outcome of a claim, unless another process has claimed the device since. */
async function settle(db: Database, device: Device, outcome: Outcome): Promise<void> {
  const { attempts = device.attempts, pushedUntil = device.pushed_until, told = 0 } = outcome
  await db
    .updateTable('push_subscriptions')
    .set((eb) => ({
      pending: eb('pending', '-', told),
      due_at: eb(dbNow(db), '+', outcome.pauseMs),
      attempts,
      pushed_until: pushedUntil,
    }))
    .where('seq', '=', device.seq)
    .where('due_at', '=', device.due_at)
    .execute()
}
