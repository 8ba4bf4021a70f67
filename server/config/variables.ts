import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { parseAddressRange, type AddressRange } from '../network/addresses.ts'

/** Schemas of single variables. Each message completes a line that begins with the variable's name. */

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}.`
  return z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

const portMessage = 'must be a port from 1 to 65535, such as 3000, or 0 for any free one.'

export const port = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, portMessage)
  .transform(Number)
  .refine((value) => value <= 65_535, portMessage)

export const host = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9.:_-]+$/,
    'must be a host name or an IP address without port, such as localhost or 0.0.0.0.',
  )

export const siteName = z
  .string()
  .trim()
  .max(80, 'must have at most 80 characters.')
  .regex(/^\P{Cc}+$/u, 'must not contain control characters.')

const urlMessage = 'must be the URL of the site without a path, such as https://gallery.example.org.'

/** An http or https URL without path, query or credentials; transformed to its origin. */
export const publicUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  context.addIssue({ code: 'custom', message: urlMessage })
  return z.NEVER
})

const contactMessage = 'must be an email address or a URL, such as hello@example.org.'

/** An email address or URL of the operator; transformed to the URL of a link. */
export const contact = z.string().transform((value, context) => {
  const text = value.trim()
  if (/^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/.test(text)) return `mailto:${text}`
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href
  context.addIssue({ code: 'custom', message: contactMessage })
  return z.NEVER
})

/** Characters of the rules: enough for terms of use, and a page of moderate size. */
const rulesMaxLength = 50_000

/** Bytes of a file that the configuration names. */
const fileMaxBytes = 1_000_000

/**
 * Reads a text file that the configuration names, without its byte order mark. An issue completes a line that begins with the
 * file.
 */
export function readTextFile(file: string): { readonly text: string } | { readonly issue: string } {
  try {
    // Reading a device such as /dev/zero, or a pipe, would never end.
    const found = statSync(file)
    if (!found.isFile()) return { issue: 'is no regular file. Correct the path.' }
    if (found.size > fileMaxBytes) return { issue: 'has more than 1 MB. Correct the path, or shorten it.' }
    return { text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return {
      issue:
        code === 'ENOENT'
          ? `does not exist: there is no ${file}. Create it, or correct the path.`
          : `cannot be read (${code}). Give the user that runs the server read access to ${file}.`,
    }
  }
}

/** A file with the rules of the site; transformed to its text. */
export function rulesFile(workingDirectory: string) {
  return z
    .string()
    .trim()
    .transform((name, context) => {
      const reject = (issue: string) => {
        context.addIssue({ code: 'custom', message: `${name} ${issue}` })
        return z.NEVER
      }
      const read = readTextFile(path.resolve(workingDirectory, name))
      if ('issue' in read) return reject(read.issue)
      if (read.text.trim() === '') return reject('is empty. Write the rules into it, or remove RULES_FILE.')
      if (read.text.includes('\uFFFD') || read.text.includes('\0'))
        return reject('is not text in UTF-8. Save it as UTF-8.')
      if (read.text.length > rulesMaxLength) {
        return reject(`has more than ${rulesMaxLength.toLocaleString('en')} characters. Shorten it.`)
      }
      return read.text
    })
}

/**
 * Base URL of an API, without credentials, which could end up in logs.
 *
 * @param credentialVariables variables for credentials
 */
export function endpointUrl(credentialVariables: string) {
  return z
    .string()
    .trim()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      error: 'must be an http or https URL.',
      abort: true,
    })
    .refine((value) => !new URL(value).username && !new URL(value).password, {
      error: `must not contain a user or password; set ${credentialVariables} instead.`,
    })
}

/** Number of trusted proxies; `off` is 0. */
export const proxyHops = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(off|\d{1,2})$/, 'must be off or the number of proxies in front of the server, such as 1.')
  .transform((value) => (value === 'off' ? 0 : Number(value)))

/** `on` or `off`, or as other programs write it. */
export const onOrOff = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:on|off|true|false|1|0)$/, 'must be on or off.')
  .transform((value) => ['on', 'true', '1'].includes(value))

/** A bearer token; messages never repeat the value. */
export const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must consist of printable ASCII characters without spaces.')
  .min(16, 'must have at least 16 characters.')

const byteUnits: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** Bytes, alone or in units of 1,024 such as `500M`; `off` is null. */
export function byteCount(min: `${number}${'K' | 'M' | 'G' | 'T'}`) {
  const message = `must be off or a number of bytes such as 20G (K, M, G or T), at least ${min}.`
  return z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(?:OFF|\d{1,12}[KMGT]?)$/, { error: message, abort: true })
    .transform((value) => (value === 'OFF' ? null : bytesOf(value)))
    .refine((value) => value === null || (value >= bytesOf(min) && Number.isSafeInteger(value)), message)
}

function bytesOf(value: string): number {
  return Number.parseInt(value, 10) * (byteUnits[value.slice(-1)] ?? 1)
}

/** A list of IP addresses and of ranges of them in CIDR notation, separated by commas or spaces. */
export const addressRanges = z.string().transform((value, context): readonly AddressRange[] => {
  const texts = value.trim().split(/[\s,]+/)
  return texts.flatMap((text) => {
    const range = parseAddressRange(text)
    if (range) return [range]
    context.addIssue({
      code: 'custom',
      message: `must be a list of IP addresses or ranges such as 10.0.0.0/8, fd00::/8; ${text} is neither.`,
    })
    return []
  })
})
