/** Formats a duration: in seconds below two minutes, else in minutes, rounded up. */
export function durationInWords(seconds: number, locale: string | string[]): string {
  return seconds < 120
    ? inUnits(seconds, 'second', locale)
    : inUnits(Math.ceil(seconds / 60), 'minute', locale)
}

/** Adds `duration` to the values of a message if they have `seconds`. */
export function withDuration(
  values: Readonly<Record<string, string | number>> | undefined,
  locale: string | string[],
): Record<string, string | number> {
  const seconds = values?.['seconds']
  return { ...values, ...(seconds !== undefined && { duration: durationInWords(Number(seconds), locale) }) }
}

function inUnits(value: number, unit: 'second' | 'minute', locale: string | string[]): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
