import type { Logger } from 'pino'
import type { MailConfig } from '../config/config.ts'
import { retryStorage } from '../tasks/retry-storage.ts'
import { QueueWorker, retryPauseMs } from '../tasks/queue-worker.ts'
import { timeoutSignal } from '../tasks/shared-task.ts'
import { composeMail, type ComposeServices } from './compose-mail.ts'
import { renderHtml, renderText } from './mail-content.ts'
import { claimMail, finishMail, releaseMail, type ClaimedMail } from './mail-queue.ts'
import {
  createSmtpPool,
  isAboutOneMail,
  isRejection,
  loggedError,
  senderOf,
  smtpConnections,
} from './smtp.ts'

/** Time in which the SMTP server must have accepted a mail. */
const sendTimeoutMs = 60_000

/** Longer than `sendTimeoutMs`, so that no process sends a mail that another one is sending. */
const leaseMs = 2 * sendTimeoutMs

interface MailSenderServices extends ComposeServices {
  readonly log: Logger
  readonly config: MailConfig
  readonly onFinished?: ((outcome: MailOutcome) => void) | undefined
}

/** `rejected` by the SMTP server for good, or `expired` after failed attempts. */
export type MailOutcome = 'sent' | 'rejected' | 'expired'

/** Creates the worker that sends the queued mails. Several processes can do so for one queue. */
export function createMailSender(services: MailSenderServices): QueueWorker<ClaimedMail> {
  const { db, log, config, onFinished } = services
  const smtp = createSmtpPool(config)

  /** Sends a claimed mail, and records the outcome. @returns `pause` if the SMTP server could not be used */
  async function deliver(row: ClaimedMail, signal: AbortSignal): Promise<'pause' | void> {
    const fields = { mailId: row.id, userId: row.user_id, attempts: row.attempts }
    try {
      let outcome: MailOutcome | 'needless'
      try {
        if (row.isExpired && row.pending > 0) {
          log.error(fields, 'a mail was given up: it could not be sent in time')
          outcome = 'expired'
        } else outcome = row.pending > 0 && (await send(row, signal)) ? 'sent' : 'needless'
      } catch (err) {
        if (signal.aborted) return await releaseMail(db, row)
        if (!isRejection(err)) {
          log.warn({ ...fields, err: loggedError(err) }, 'a mail could not be sent; retrying')
          await releaseMail(db, row, retryPauseMs(row.attempts))
          return isAboutOneMail(err) ? undefined : 'pause'
        }
        log.error({ ...fields, err: loggedError(err) }, 'a mail was given up: the SMTP server rejected it')
        outcome = 'rejected'
      }
      if (outcome !== 'needless') onFinished?.(outcome)
      // A mail whose row stays is sent again.
      await retryStorage(() => finishMail(db, row), {
        timeoutMs: leaseMs - sendTimeoutMs,
        signal,
        onFirstError: (err) => log.error({ err, mailId: row.id }, 'recording a sent mail failed; retrying'),
      })
    } catch (err) {
      log.error({ err, mailId: row.id }, 'a mail could not be recorded; it is due again in minutes')
    }
  }

  /** @returns false if there is nothing to say any more, or no recipient */
  async function send(row: ClaimedMail, signal: AbortSignal): Promise<boolean> {
    const mail = await composeMail(services, row)
    if (!mail) return false
    const { to, content, frame, unsubscribeUrl } = mail
    const from = senderOf(config, frame.siteName)
    await smtp.sendMail({
      from,
      to: { name: '', address: to },
      subject: content.subject,
      text: renderText(content, frame),
      html: renderHtml(content, frame),
      // The same for each attempt, so that a mail that arrives twice is shown once.
      messageId: `<${row.id}.${row.created_at}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      date: new Date(row.created_at),
      headers: {
        'Auto-Submitted': 'auto-generated',
        // Exchange ignores the standard header.
        'X-Auto-Response-Suppress': 'All',
        'Content-Language': frame.language,
        ...(unsubscribeUrl !== null && {
          'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribeUrl}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      signal: AbortSignal.any([signal, timeoutSignal(sendTimeoutMs)]),
    })
    return true
  }

  return new QueueWorker({
    maxConcurrent: smtpConnections,
    claim: () => claimMail(db, leaseMs),
    process: deliver,
    onError: (err) => log.error({ err }, 'the queue of mails could not be read; retrying'),
    onStopped: () => smtp.close(),
  })
}
