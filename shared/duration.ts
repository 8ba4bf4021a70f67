/** Formats a duration: in seconds below two minutes, else in minutes, rounded up. */
export function durationInWords(seconds: number, locale: string | string[]): string {
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
