import { z } from 'zod'

/** Mail server, and sender of the site's mails. */
export interface MailConfig {
  /** `smtp:` or `smtps:` URL, with user and password if the server requires them. */
  readonly url: string
  /** Sender: an address, or a name with an address in angle brackets. */
  readonly from: string
}

const address = String.raw`[^\s@<>"]+@[^\s@<>"]+`

export const mailSection = z
  .object({
    SMTP_URL: z
      .string()
      .trim()
      .refine(
        (value) =>
          URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '',
        'must be the URL of a mail server, such as smtps://user:password@mail.example.org.',
      )
      .optional(),
    MAIL_FROM: z
      .string()
      .trim()
      .regex(
        new RegExp(`^(?:${address}|[^<>\\r\\n]+<${address}>)$`),
        'must be an email address, alone or as Rangoli <gallery@example.org>.',
      )
      .optional(),
  })
  .transform(({ SMTP_URL: url, MAIL_FROM: from }, context): MailConfig | null => {
    if (url === undefined) return null
    if (from !== undefined) return { url, from }
    context.addIssue({
      code: 'custom',
      path: ['MAIL_FROM'],
      message: 'is missing; mails require a sender. Set it, or remove SMTP_URL.',
    })
    return z.NEVER
  })
