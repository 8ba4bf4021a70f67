import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useHydrated } from '../browser/hydration.ts'
import { Day } from './text.tsx'

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
