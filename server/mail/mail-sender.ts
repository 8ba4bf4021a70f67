import type { Logger } from 'pino'
import type { MailConfig } from '../config/config.ts'
import type { Database } from '../db/open-database.ts'
import { retryStorage } from '../tasks/retry-storage.ts'
import { Repeatable } from '../tasks/repeatable.ts'
import { composeMail } from './compose-mail.ts'
import { renderHtml, renderText } from './mail-content.ts'
import { claimMail, finishMail, isExpired, releaseMail, retryMail, type MailRow } from './mail-queue.ts'
import {
  createSmtpPool,
  isAboutOneMail,
  isRejection,
  loggedError,
  senderOf,
  smtpConnections,
} from './smtp.ts'

/** Interval between two checks for mails that are due, in milliseconds. */
const usualCheckMs = 1_000

/** Time in which the SMTP server must have accepted a mail. */
const sendTimeoutMs = 60_000

/** Longer than `sendTimeoutMs`, so that no process sends a mail that another one is sending. */
const leaseMs = 2 * sendTimeoutMs

interface MailSenderServices {
  readonly db: Database
  readonly log: Logger
  readonly config: MailConfig
  readonly siteName: string
  /** Origin of links; null: mails have none to the site. */
  readonly publicOrigin: string | null
  /** Called with the outcome of each mail. */
  readonly onFinished?: ((outcome: MailOutcome) => void) | undefined
}

/** `rejected` by the SMTP server for good, or `expired` after failed attempts. */
export type MailOutcome = 'sent' | 'rejected' | 'expired'

/** Sends the queued mails. Several processes can do so for one queue. */
export class MailSender {
  readonly #services: MailSenderServices
  readonly #smtp: ReturnType<typeof createSmtpPool>
  readonly #checking: Repeatable
  readonly #sending = new Set<Promise<void>>()
  readonly #shutdown = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isStopping = false
  /** True if the SMTP server could not be used during this check. */
  #isFailing = false

  constructor(services: MailSenderServices) {
    this.#services = services
    this.#smtp = createSmtpPool(services.config)
    this.#checking = new Repeatable(
      () => this.#sendDue(),
      (err) => services.log.error({ err }, 'the queue of mails could not be read; retrying'),
    )
  }

  /** Sends mails from now on. */
  start(checkMs = usualCheckMs): void {
    this.#timer = setInterval(() => void this.#checking.run(), checkMs).unref()
    void this.#checking.run()
  }

  /** Waits up to `timeoutSeconds` for the mails that are being sent. Others are left to the next process. */
  async stop(timeoutSeconds: number): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    const timer = setTimeout(() => this.#shutdown.abort(), timeoutSeconds * 1_000)
    await this.#checking.idle()
    await Promise.all(this.#sending)
    clearTimeout(timer)
    this.#smtp.close()
  }

  async #sendDue(): Promise<void> {
    this.#isFailing = false
    while (!this.#isStopping && !this.#isFailing) {
      if (this.#sending.size >= smtpConnections) {
        await Promise.race(this.#sending)
        continue
      }
      const row = await claimMail(this.#services.db, leaseMs)
      if (!row) return
      const sending = this.#process(row).finally(() => this.#sending.delete(sending))
      this.#sending.add(sending)
    }
  }

  /** Sends a claimed mail, and records the outcome. Never throws. */
  async #process(row: MailRow): Promise<void> {
    const { db, log, onFinished } = this.#services
    try {
      const outcome = await this.#attempt(row)
      if (outcome === 'failed') return await retryMail(db, row)
      if (outcome === 'stopped') return await releaseMail(db, row)
      if (outcome !== 'needless') onFinished?.(outcome)
      // A mail whose row stays is sent again.
      await retryStorage(() => finishMail(db, row), {
        timeoutMs: leaseMs - sendTimeoutMs,
        signal: this.#shutdown.signal,
        onFirstError: (err) => log.error({ err, mailId: row.id }, 'recording a sent mail failed; retrying'),
      })
    } catch (err) {
      log.error({ err, mailId: row.id }, 'a mail could not be recorded; it is due again in minutes')
    }
  }

  async #attempt(row: MailRow): Promise<MailOutcome | 'needless' | 'failed' | 'stopped'> {
    const { db, log } = this.#services
    const fields = { mailId: row.id, userId: row.user_id, attempts: row.attempts }
    try {
      if (row.pending === 0) return 'needless'
      if (await isExpired(db, row)) {
        log.error(fields, 'a mail was given up: it could not be sent in time')
        return 'expired'
      }
      const isSent = await this.#send(row)
      return isSent ? 'sent' : 'needless'
    } catch (err) {
      if (this.#shutdown.signal.aborted) return 'stopped'
      if (isRejection(err)) {
        log.error({ ...fields, err: loggedError(err) }, 'a mail was given up: the SMTP server rejected it')
        return 'rejected'
      }
      if (!isAboutOneMail(err)) this.#isFailing = true
      log.warn({ ...fields, err: loggedError(err) }, 'a mail could not be sent; retrying')
      return 'failed'
    }
  }

  /** @returns false if there is nothing to say any more, or no recipient */
  async #send(row: MailRow): Promise<boolean> {
    const { config, siteName } = this.#services
    const mail = await composeMail(this.#services, row)
    if (!mail) return false
    const { to, content, frame } = mail
    const from = senderOf(config, siteName)
    await this.#smtp.sendMail({
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
      },
      signal: AbortSignal.any([this.#shutdown.signal, AbortSignal.timeout(sendTimeoutMs)]),
    })
    return true
  }
}
