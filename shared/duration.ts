/** Units with their lengths, and the durations from which they are used. */
const units = [
  ['second', 1, 0],
  ['minute', 60, 120],
  ['hour', 3_600, 6 * 3_600],
  ['day', 86_400, 6 * 86_400],
] as const

/** Formats a duration, rounded up to a whole number of the largest unit that is precise enough. */
export function durationInWords(seconds: number, locale: string | string[]): string {
  const [unit, length] = units.findLast(([, , from]) => seconds >= from) ?? units[0]
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(seconds / length))
}
