import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Post } from '../../../shared/posts.ts'
import { shorten } from '../../ui/text.tsx'

/** Maximum length of a title, in characters. */
const maxLength = 70

/** Title of a post: the beginning of its prompt, or its author. */
export function postTitle({ prompt, name }: Pick<Post, 'prompt' | 'name'>, i18n: I18n): string {
  return promptTitle(prompt) || i18n._(msg`Image by ${name}`)
}

/** The beginning of a prompt, on one line; '' without a prompt. */
export function promptTitle(prompt: string): string {
  return shorten(prompt.replaceAll(/\s+/g, ' ').trim(), maxLength)
}

/** Alternative text of a post's image: its prompt, shortened, or its author. */
export function alternativeText({ prompt, name }: Pick<Post, 'prompt' | 'name'>, i18n: I18n): string {
  return shorten(prompt.trim()) || i18n._(msg`Image by ${name}`)
}

/** A number of likes. Below a thousand without `Intl`: the first number format of a tab takes a slow phone 60 ms. */
export function likesText(count: number, i18n: I18n): string {
  return count < 1_000 ? String(count) : i18n.number(count)
}
