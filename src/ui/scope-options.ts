import { useLingui } from '@lingui/react/macro'
import type { ApiKeyScope } from '../../shared/account.ts'
import type { GroupOption } from './form.tsx'

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
