import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail as its recipient gets it. */
export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The first link in the text, if any. */
  readonly url: string | undefined
  readonly parsed: ParsedMail
}

/** Rejects a recipient with an SMTP status; undefined accepts it. */
type Reject = (address: string) => { readonly code: number; readonly message: string } | undefined

/** Starts an SMTP server for the current test, or, with `stop`, for all tests of a file. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  let reject: Reject = () => undefined
  let recipients = 0

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
    onRcptTo({ address }, _session, callback) {
      recipients += 1
      const rejection = reject(address)
      callback(
        rejection ? Object.assign(new Error(rejection.message), { responseCode: rejection.code }) : null,
      )
    },
    onData(stream, session, callback) {
      simpleParser(stream, (error: Error | null, parsed) => {
        if (error) return callback(error)
        for (const { address } of session.envelope.rcptTo) mails.push(toReceived(address, parsed))
        callback()
        for (const check of waiting) check()
      })
    },
  })
  // Clients that are killed leave connections.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo

  /** Waits for a number of mails to an address, and returns them. */
  async function waitForMails(address: string, count: number): Promise<ReceivedMail[]> {
    const received = () => mails.filter(({ to }) => to === address)
    while (received().length < count) {
      await new Promise<void>((resolve) => {
        const check = () => {
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
      })
    }
    return received()
  }

  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    /** Environment of a site that sends its mails here. */
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Rangoli <gallery@rangoli.test>' },
    /** Every accepted mail, oldest first. */
    mails,
    /** Number of recipients that clients named, accepted or not. */
    attempts: () => recipients,
    /** Replaces the check of recipients. */
    rejectWhen: (check: Reject) => void (reject = check),
    waitForMails,
    /** Waits for the first mail to an address. */
    async waitForMail(address: string): Promise<ReceivedMail> {
      const [mail] = await waitForMails(address, 1)
      if (!mail) throw new Error('unreachable')
      return mail
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      }),
  }
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts an SMTP server that ends with the current test. */
export async function startTestMailServer(options?: SMTPServerOptions): Promise<TestMailServer> {
  const server = await startMailServer(options)
  onTestFinished(server.stop)
  return server
}

function toReceived(to: string, parsed: ParsedMail): ReceivedMail {
  const text = parsed.text ?? ''
  return {
    to,
    subject: parsed.subject ?? '',
    text,
    html: parsed.html || '',
    url: /https?:\/\/\S+/.exec(text)?.[0],
    parsed,
  }
}
