import { useState } from 'react'
import { useHydrated } from '../../browser/hydration.tsx'

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const exactFormat = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' })
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Units of relative times with their length in seconds, the longest first. */
const units = [
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
 *
 * @param props.at ISO 8601
 */
export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at)
  const [now] = useState(() => Date.now())
  if (!useHydrated()) return <time dateTime={at}>{dateFormat.format(date)}</time>
  return (
    <time dateTime={at} title={exactFormat.format(date)}>
      {relativeTime(date.getTime(), now)}
    </time>
  )
}

/** Formats a time in the past, in milliseconds since 1970, relative to `now`. */
export function relativeTime(time: number, now: number): string {
  const seconds = Math.max(0, (now - time) / 1_000)
  const unit = units.find(([, length]) => seconds >= length)
  return unit ? relativeFormat.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now'
}
