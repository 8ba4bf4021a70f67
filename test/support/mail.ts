import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished } from 'vitest'

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
export async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const mails: ReceivedMail[] = []
  let reject: Reject = () => undefined
  let recipients: string[] = []
  let held: Promise<void> | null = null
  const signIns: string[] = []

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    // Clients keep connections open.
    closeTimeout: 50,
    onAuth({ username = '', password }, _session, callback) {
      signIns.push(username)
      if (password === 'wrong') return callback(new Error('Wrong password'))
      callback(null, { user: username })
    },
    ...options,
    onRcptTo({ address }, _session, callback) {
      recipients.push(address)
      const rejection = reject(address)
      callback(
        rejection ? Object.assign(new Error(rejection.message), { responseCode: rejection.code }) : null,
      )
    },
    onData(stream, session, callback) {
      async function accept(parsed: ParsedMail) {
        await held
        for (const { address } of session.envelope.rcptTo) mails.push(toReceived(address, parsed))
        callback()
      }
      simpleParser(stream, (error: Error | null, parsed) => {
        if (error) callback(error)
        else void accept(parsed)
      })
    },
  })
  // Clients that are killed leave connections.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: ownPort } = server.server.address() as AddressInfo

  /** Waits for a number of mails to an address, with a subject if given, and returns them. */
  async function waitForMails(address: string, count: number, wanted = /^/): Promise<ReceivedMail[]> {
    const received = () => mails.filter(({ to, subject }) => to === address && wanted.test(subject))
    await expect.poll(() => received().length, { interval: 10 }).toBeGreaterThanOrEqual(count)
    return received()
  }

  return {
    port: ownPort,
    url: `smtp://127.0.0.1:${ownPort}`,
    /** Environment of a site that sends its mails here. */
    env: { SMTP_URL: `smtp://127.0.0.1:${ownPort}`, MAIL_FROM: 'Rangoli <gallery@rangoli.test>' },
    /** Every accepted mail, oldest first. */
    mails,
    /** Number of recipients that clients named, accepted or not. */
    attempts: () => recipients.length,
    /** Names of the users who tried to sign in. */
    signIns,
    /** Accepts no mail until the returned function is called. */
    hold() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    /** Replaces the check of recipients. */
    rejectWhen: (check: Reject) => void (reject = check),
    waitForMails,
    /** Waits for a mail to an address and forgets it, such as the one that confirms the address of a new account. */
    async discardMail(address: string): Promise<void> {
      await waitForMails(address, 1)
      mails.splice(0, mails.length, ...mails.filter(({ to }) => to !== address))
      recipients = recipients.filter((recipient) => recipient !== address)
    },
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
export async function startTestMailServer(
  options?: SMTPServerOptions,
  port?: number,
): Promise<TestMailServer> {
  const server = await startMailServer(options, port)
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
