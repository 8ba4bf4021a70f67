import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { dollarsMax } from '../../shared/limits.ts'
import { readDecimalBetween } from '../text/read-decimal.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const listFormat = new Intl.ListFormat('en')
const choiceFormat = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Schemas of single variables. Each message completes a line that begins with the variable's name. */

/** A text that a function parses, without spaces around it; null for an invalid one. */
export function parsed<Value>(
  parse: (text: string) => Value | null,
  message: string | ((text: string) => string),
) {
  return z.string('must be a string.').transform((text, context): Value => {
    const value = parse(text.trim())
    if (value !== null) return value
    return reject(context, typeof message === 'string' ? message : message(text.trim()))
  })
}

/** Adds an issue to a schema, about one of its keys or all of it. */
export function reject(context: z.RefinementCtx, message: string, key?: string) {
  context.addIssue({ code: 'custom', message, path: key === undefined ? [] : [key] })
  return z.NEVER
}

/**
 * Adds an issue for each required variable of a group that is missing although another one of the group is set.
 *
 * @param purpose reason to remove those that are set, such as `to send no mails`
 */
export function requireTogether<Name extends string>(
  values: Readonly<Partial<Record<Name, unknown>>>,
  required: readonly Name[],
  context: z.RefinementCtx,
  { optional = [], purpose }: { optional?: readonly Name[]; purpose?: string } = {},
): void {
  const isSet = (name: Name) => (values[name] ?? null) !== null
  const set = [...required, ...optional].filter(isSet)
  if (set.length === 0) return
  const fix = `Set it, or remove ${listFormat.format(set)}${purpose ? ` ${purpose}` : ''}.`
  for (const name of required)
    if (!isSet(name)) reject(context, `is missing; ${set[0]} requires it. ${fix}`, name)
}

/** Lists the keys of an object schema, which transforms may follow. */
export function keysOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodPipe) return keysOf(schema.in)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** A value that may be missing, which is null then. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().transform((value) => value ?? null)
}

export function wholeNumber(
  min: number,
  max: number,
  message = `must be a whole number from ${min} to ${max}.`,
) {
  return parsed((text) => readDecimalBetween(text, min, max), message)
}

/** An amount of USD, such as 12.50. */
export function dollars(message: string) {
  const isValid = (text: string) => /^\d{1,7}(?:\.\d{1,6})?$/.test(text) && Number(text) <= dollarsMax
  return parsed((text) => (isValid(text) ? Number(text) : null), message)
}

/** A text without spaces around it. */
export function matching(pattern: RegExp, message: string) {
  return z.string().trim().regex(pattern, message)
}

/** A certificate or key. @param parse returns null or throws for an invalid one */
export function pem<Value>(parse: (text: string) => Value | null, what: string) {
  return parsed((text) => {
    try {
      // Environment files without multi-line values contain \n instead.
      return parse(text.replaceAll(String.raw`\n`, '\n'))
    } catch {
      return null
    }
  }, `must be ${what} in PEM format.`)
}

/** One of some words, in any case. */
export function oneOf<const Word extends string>(...words: readonly Word[]) {
  const find = (text: string) => words.find((word) => word === text.toLowerCase()) ?? null
  return parsed(find, `must be ${choiceFormat.format(words)}.`)
}

/** A name on one line. */
export function nameUpTo(maxLength: number) {
  return matching(/^\P{Cc}+$/u, 'must not contain control characters.').max(
    maxLength,
    `must have at most ${maxLength} characters.`,
  )
}

/** Values that are separated by commas, or also by spaces. */
export function list<Value>(separator: RegExp, parse: (text: string) => Value | null, message: string) {
  return parsed((text) => {
    const texts = text.split(separator).map((one) => one.trim())
    const values = texts.filter(Boolean).map(parse)
    return values.every((value) => value !== null) ? values : null
  }, message)
}

/** Parses a URL; null for anything else. */
export function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** Parses an http or https URL; null for anything else. */
export function webUrlOf(text: string): URL | null {
  const url = urlOf(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** Returns the address of an operator as a URL: `mailto:` for an email address, or a web address; null for anything else. */
export function contactUrl(text: string): string | null {
  if (/^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/.test(text)) return `mailto:${text}`
  return webUrlOf(text)?.href ?? null
}

/** Characters of the rules: enough for terms of use, and a page of moderate size. */
export const rulesMaxLength = 50_000

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
  return z.string().transform((name, context) => {
    const read = readTextFile(path.resolve(workingDirectory, name.trim()))
    const issue = 'issue' in read ? read.issue : issueOfRules(read.text)
    return issue === null && 'text' in read ? read.text : reject(context, `${name.trim()} ${issue}`)
  })
}

function issueOfRules(text: string): string | null {
  if (text.trim() === '') return 'is empty. Write the rules into it, or remove RULES_FILE.'
  if (/[\uFFFD\0]/.test(text)) return 'is not text in UTF-8. Save it as UTF-8.'
  if (text.length <= rulesMaxLength) return null
  return `has more than ${rulesMaxLength.toLocaleString('en')} characters. Shorten it.`
}

/** Base URL of an API, without credentials, which could end up in logs. @param credentialVariables variables for credentials */
export function endpointUrl(credentialVariables: string) {
  return parsed(
    (text) => {
      const url = webUrlOf(text)
      return url && !url.username && !url.password ? text : null
    },
    (text) =>
      webUrlOf(text)
        ? `must not contain a user or password; set ${credentialVariables} instead.`
        : 'must be an http or https URL.',
  )
}

/** `on` or `off`, or as other programs write it. */
export const onOrOff = parsed(
  (text) => (/^(?:on|true|1)$/i.test(text) ? true : /^(?:off|false|0)$/i.test(text) ? false : null),
  'must be on or off.',
)

/** A bearer token; messages never repeat the value. */
export const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must consist of printable ASCII characters without spaces.')
  .min(16, 'must have at least 16 characters.')

const byteUnits: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** Bytes, alone or in units of 1,024 such as `500M`; `off` is null. */
export const byteCount = z.string().transform((value, context) => {
  const text = value.trim().toUpperCase()
  if (text === 'OFF') return null
  const [, number, unit = ''] = /^(\d{1,12})([KMGT]?)$/.exec(text) ?? []
  const bytes = Number(number) * (byteUnits[unit] ?? 1)
  if (bytes >= 1024 ** 2 && Number.isSafeInteger(bytes)) return bytes
  return reject(context, 'must be off or a number of bytes such as 20G (K, M, G or T), at least 1M.')
})
