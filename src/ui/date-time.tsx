import { useLingui } from '@lingui/react/macro'

/** A date and time in the viewer's time zone. `at` is in ISO 8601. */
export function DateTime({ at }: { at: string }) {
  const { i18n } = useLingui()
  return <time dateTime={at}>{i18n.date(at, { dateStyle: 'medium', timeStyle: 'short' })}</time>
}
