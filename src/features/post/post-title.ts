import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { useSite } from '../../api/site.tsx'
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

/** Sets the title of the document to that of a post, and restores it afterwards. Does nothing while the post is unknown. */
export function usePostTitle(post: Post | null | undefined): void {
  const { i18n } = useLingui()
  const { name } = useSite()
  const title = post && `${postTitle(post, i18n)} — ${name}`
  useEffect(() => {
    if (!title) return
    const previous = document.title
    document.title = title
    return () => {
      document.title = previous
    }
  }, [title])
}
