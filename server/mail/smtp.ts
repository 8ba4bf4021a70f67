import { createTransport, type NodemailerError } from 'nodemailer'
import type { MailConfig } from '../config/config.ts'
import { isLoopbackHost } from '../network/addresses.ts'

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** Maximum number of mails that a process sends at once, each on a connection of its own. */
export const smtpConnections = 2

/**
 * Options for connections to the SMTP server. Parameters of the URL take precedence, such as `?tls.rejectUnauthorized=false`.
 *
 * @see https://nodemailer.com/smtp
 */
export function smtpOptions({ url }: MailConfig) {
  const { username, password, hostname } = new URL(url)
  return {
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    // Otherwise a password would be sent in plain text to a server, or to anyone between, that offers no encryption.
    requireTLS: (username !== '' || password !== '') && !isLoopbackHost(hostname),
  }
}

/** Creates the connections to the SMTP server. They are opened when a mail is sent, and closed when none was for a while. */
export function createSmtpPool(config: MailConfig) {
  return createTransport({
    ...smtpOptions(config),
    pool: true,
    maxConnections: smtpConnections,
    idleTimeout: 10_000,
    // Contents never name files or addresses to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Splits the sender into name and address; without a name of its own it has the one of the site. */
export function senderOf({ from }: MailConfig, siteName: string) {
  const [, name, address] = /^(.*)<(.*)>$/.exec(from) ?? []
  return { name: name?.trim() || siteName, address: address ?? from }
}

/**
 * Checks whether the SMTP server will never accept a mail, because of its recipient or its content. Rejected credentials or
 * senders are mistakes in the configuration, which the operator can correct.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1
 */
export function isRejection(error: unknown): boolean {
  if (!isSmtpError(error) || !isAboutOneMail(error)) return false
  if (error.command === 'API') return true
  // 530 asks for credentials.
  const isPermanent = error.permanent === true && error.responseCode !== 530
  return isPermanent && (error.command === 'RCPT TO' || error.command === 'DATA')
}

/** Checks whether an error is about one mail, so that others can be sent. */
export function isAboutOneMail(error: unknown): boolean {
  return isSmtpError(error) && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
}

/** Describes an error for the log, which names no addresses of users. */
export function loggedError(error: unknown): unknown {
  if (!isSmtpError(error)) return error
  const { code, command, responseCode, message } = error
  return {
    code,
    command,
    responseCode,
    message: message.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)'),
  }
}

export function isSmtpError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error
}
