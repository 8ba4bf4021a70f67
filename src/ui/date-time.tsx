const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A date and time in the viewer's time zone. `at` is in ISO 8601. */
export function DateTime({ at }: { at: string }) {
  return <time dateTime={at}>{dateTimeFormat.format(new Date(at))}</time>
}
