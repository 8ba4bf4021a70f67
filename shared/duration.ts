const units = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

/** Formats a duration, rounded up, in the largest unit of which it has two. */
export function durationInWords(seconds: number, locale: string | string[]): string {
  const [unit, length] = units.findLast((one) => seconds >= 2 * one[1]) ?? units[0]
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.ceil(seconds / length))
}
