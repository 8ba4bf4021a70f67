import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useHydrated } from '../browser/hydration.ts'
import { Day } from './text.tsx'

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

/** Units of relative times with their length in seconds, the longest first. */
const timeUnits = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/**
 * A time such as "3 hours ago", with the exact one on hover. The server renders the date, as it knows neither the time of
 * reading nor the time zone.
 */
export function RelativeTime({ at }: { at: string }) {
  const { i18n } = useLingui()
  const [now] = useState(() => Date.now())
  if (!useHydrated()) {
    return <Day at={at} />
  }
  return (
    <time dateTime={at} title={i18n.date(at, { dateStyle: 'full', timeStyle: 'short' })}>
      {relativeTime(i18n, Date.parse(at), now)}
    </time>
  )
}

/** Formats a time in the past, in milliseconds since 1970, relative to `now`. */
export function relativeTime(i18n: I18n, time: number, now: number): string {
  const seconds = Math.max(0, (now - time) / 1_000)
  const unit = timeUnits.find(([, length]) => seconds >= length)
  if (!unit) return i18n._(msg`just now`)
  const format = new Intl.RelativeTimeFormat(i18n.locales, { numeric: 'auto' })
  return format.format(-Math.floor(seconds / unit[1]), unit[0])
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
