import type { Post } from '../../../shared/posts.ts'
import { shorten } from '../../ui/text.tsx'

/** Maximum length of a title, in characters. */
const maxLength = 70

/** Title of a post: the beginning of its prompt. */
export function postTitle({ prompt, name }: Pick<Post, 'prompt' | 'name'>): string {
  const title = prompt.replaceAll(/\s+/g, ' ').trim()
  return title ? shorten(title, maxLength) : `Image by ${name}`
}
