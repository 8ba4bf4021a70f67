import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Post } from '../../../shared/posts.ts'
import { shorten } from '../../ui/text.tsx'

/** Alternative text of a post's image: its prompt, shortened, or its author. */
export function alternativeText({ prompt, name }: Pick<Post, 'prompt' | 'name'>, i18n: I18n): string {
  return shorten(prompt.trim()) || i18n._(msg`Image by ${name}`)
}
