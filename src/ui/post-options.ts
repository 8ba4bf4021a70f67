import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { ApiKeyScope } from '../../shared/account.ts'
import type { ReportReason } from '../../shared/moderation.ts'
import type { Visibility } from '../../shared/posts.ts'
import type { GroupOption } from './form.tsx'

export const reasonLabels: Readonly<Record<ReportReason, MessageDescriptor>> = {
  illegal: msg`It breaks the law`,
  sexual: msg`It is sexual or shows nudity`,
  violent: msg`It is violent or cruel`,
  hateful: msg`It is hateful or bullies someone`,
  user: msg`It shows someone without their consent`,
  copyright: msg`It copies someone’s work`,
  spam: msg`It is spam or advertising`,
  other: msg`Something else`,
}

/** Choices of who sees a post. */
export function useVisibilityOptions(): readonly GroupOption<Visibility>[] {
  const { t } = useLingui()
  return [
    { value: 'public', label: t`Public`, hint: t`Everyone, in the gallery and in searches` },
    { value: 'unlisted', label: t`Unlisted`, hint: t`Only people with the link` },
    { value: 'private', label: t`Private`, hint: t`Only you` },
  ]
}

/** What an API key, or a program that the user allows, may do. */
export function useScopeOptions(): readonly GroupOption<ApiKeyScope>[] {
  const { t } = useLingui()
  return [
    {
      value: 'read',
      label: t({ message: 'Read', context: 'API key' }),
      hint: t`See your images, your private posts and your daily limit.`,
    },
    {
      value: 'generate',
      label: t({ message: 'Generate', context: 'API key' }),
      hint: t`Generate and upload images, and cancel them while they are generated.`,
    },
    {
      value: 'share',
      label: t({ message: 'Share', context: 'API key' }),
      hint: t`Share images, change or delete your posts, and like posts.`,
    },
  ]
}
