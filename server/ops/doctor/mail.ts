import { promisify } from 'node:util'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config, MailConfig } from '../../config/config.ts'
import { isSmtpError, smtpOptions } from '../../mail/smtp.ts'
import { isLoopbackHost } from '../../network/addresses.ts'
import { note, ok, problem, type Line, type Lines } from './report.ts'

/** Checks that the SMTP server accepts a connection and the credentials. Sends no mail. */
export async function* checkMail({ mail, auth, publicOrigin }: Config): Lines {
  if (mail === null) return yield ok('SMTP_URL is not set: the site sends no mails.')
  if (auth.kind === 'clerk') {
    const text = 'SMTP_URL is set, but not used: Clerk sends the mails about accounts.'
    return yield note(text, 'Remove SMTP_URL.')
  }
  yield* checkServer(mail)
  yield ok(`Mails come from ${mail.from}; no test mail was sent.`)
  if (publicOrigin === null) {
    const text = 'PUBLIC_URL is not set: notices have no links to the site.'
    yield note(text, 'Set PUBLIC_URL to the address of the site.')
  }
}

async function* checkServer(mail: MailConfig): Lines {
  const { auth, ...fromUrl } = parseConnectionUrl(mail.url)
  const connection = new SMTPConnection({ ...smtpOptions(mail), ...fromUrl })
  const { host, hostname } = new URL(mail.url)
  try {
    await connected(connection)
    const { secure, allowsAuth } = connection
    const signIn = promisify(connection.login.bind(connection))
    if (auth && allowsAuth) await signIn({ user: auth.user ?? '', pass: auth.pass ?? '' })
    connection.quit()
    yield ok(`${host} accepts mails${secure ? ', encrypted' : ''}.`)
    if (auth && !allowsAuth) yield note(`${host} does not ask for the user and password of SMTP_URL.`)
    if (secure || isLoopbackHost(hostname)) return
    const text = `Mails travel unencrypted to ${host}, with the links by which users reset their passwords.`
    yield note(text, 'Use smtps://, or a server that offers STARTTLS.')
  } catch (error) {
    connection.close()
    yield failureLine(error, host)
  }
}

function connected(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.on('error', reject)
    connection.once('end', () => reject(new Error('The server closed the connection.')))
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
}

function failureLine(error: unknown, host: string): Line {
  if (!(error instanceof Error)) throw error
  const code = isSmtpError(error) ? error.code : undefined
  const reason = error.message.replace(/\.$/, '')
  if (/certificate/i.test(reason)) {
    return problem(
      `The certificate of ${host} is not accepted (${reason}).`,
      'Name the host in SMTP_URL as the certificate does, and name the file of an authority of your own by NODE_EXTRA_CA_CERTS in the environment of the process (Node does not read it from .env). For a server in a network of your own, you can add ?tls.rejectUnauthorized=false.',
    )
  }
  if (code === 'EAUTH') {
    const fix = 'Correct them; special characters are percent-encoded, such as %40 for @.'
    return problem(`${host} rejects the user or password of SMTP_URL (${reason}).`, fix)
  }
  if (code === 'ETLS') {
    return problem(
      `The connection to ${host} cannot be encrypted (${reason}).`,
      'Use smtps:// for a port with TLS, usually 465. For a server without it in a network of your own, add ?requireTLS=false to SMTP_URL.',
    )
  }
  return problem(`${host} cannot be used (${reason}).`, 'Check host and port of SMTP_URL, and the firewall.')
}
