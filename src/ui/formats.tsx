import type { I18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'

/** A date and time in the viewer's time zone. `at` is in ISO 8601. */
export function DateTime({ at }: { at: string }) {
  const { i18n } = useLingui()
  return <time dateTime={at}>{i18n.date(at, { dateStyle: 'medium', timeStyle: 'short' })}</time>
}

/** Formats a time as the value of a field for a local date and time. `at` is in ISO 8601. */
export function localTime(at: string): string {
  const time = new Date(at)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Formats an amount of money. @param digits maximum number of digits after the point */
export function formatDollars(amount: number, i18n: I18n, digits = 2): string {
  return i18n.number(amount, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: digits,
  })
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a number of bytes in the largest unit that leaves a whole part, such as "1.25 GB". */
export function formatBytes(bytes: number, i18n: I18n): string {
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3))
  return i18n.number(bytes / 1_000 ** power, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    // The short form of one byte and of several is the same.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  })
}
