/** Formats a duration: in seconds below two minutes, else in minutes, rounded up. */
export function durationInWords(seconds: number, locale: string | string[]): string {
  return seconds < 120
    ? inUnits(seconds, 'second', locale)
    : inUnits(Math.ceil(seconds / 60), 'minute', locale)
}

function inUnits(value: number, unit: 'second' | 'minute', locale: string | string[]): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
