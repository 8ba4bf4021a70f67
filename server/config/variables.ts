import { z } from 'zod'

/** The kinds of values that single variables take, each with the sentence a wrong one gets. */

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}.`
  return z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message)
}

const portMessage = 'must be a port: a whole number from 1 to 65535, such as 3000 (0 takes any free one).'

export const port = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, portMessage)
  .transform(Number)
  .refine((value) => value <= 65_535, portMessage)

export const host = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address alone, such as localhost or 0.0.0.0.')

export const siteName = z
  .string()
  .trim()
  .max(80, 'must have at most 80 characters.')
  .regex(/^\P{Cc}+$/u, 'must not contain control characters.')

const urlMessage =
  'must be the address of the site alone, such as https://pictures.example.org, without a path.'

/** An http or https URL without path, query or credentials, turned into its origin. */
export const publicUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  context.addIssue({ code: 'custom', message: urlMessage })
  return z.NEVER
})

const contactMessage = 'must be an e-mail address or a web address, such as hello@example.org.'

/** How to reach whoever runs the site, turned into what a link leads to. */
export const contact = z.string().transform((value, context) => {
  const text = value.trim()
  if (/^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/.test(text)) return `mailto:${text}`
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href
  context.addIssue({ code: 'custom', message: contactMessage })
  return z.NEVER
})

/** The address of an API; a credential in it could end up in a log. */
export const endpointUrl = z
  .string()
  .trim()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an http or https address.',
    abort: true,
  })
  .refine((value) => !new URL(value).username && !new URL(value).password, {
    error: 'must not contain a user or password; put the key into OPENAI_API_KEY.',
  })

/** How many proxies to believe; `off` is none. */
export const proxyHops = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(off|\d{1,2})$/, 'must be off or the number of proxies in front of the server, such as 1.')
  .transform((value) => (value === 'off' ? 0 : Number(value)))

/** `file:PATH`, turned into the path. */
export const databaseFile = z
  .string()
  .trim()
  .regex(
    /^file:(?!\/\/[^/])[^?#]+$/,
    'must be file: and a path, such as file:data/rangoli.db; no other database is supported.',
  )
  .transform((value) => value.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))

/** A bearer credential; the value itself is never repeated in a message. */
export const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must consist of printable ASCII characters without spaces.')
  .min(16, 'must have at least 16 characters.')
