import { useLingui } from '@lingui/react/macro'
import type { Visibility } from '../../shared/posts.ts'
import type { GroupOption } from './form.tsx'

/** Choices of who sees a post. */
export function useVisibilityOptions(): readonly GroupOption<Visibility>[] {
  const { t } = useLingui()
  return [
    { value: 'public', label: t`Public`, hint: t`Everyone, in the gallery and in searches` },
    { value: 'unlisted', label: t`Unlisted`, hint: t`Only people with the link` },
    { value: 'private', label: t`Private`, hint: t`Only you` },
  ]
}
