import { useEffect } from 'react'
import type { Post } from '../../../shared/posts.ts'
import { useSite } from '../../api/site.tsx'
import { shorten } from '../../ui/text.tsx'

/** Maximum length of a title, in characters. */
const maxLength = 70

/** Title of a post: the beginning of its prompt. */
export function postTitle({ prompt, name }: Pick<Post, 'prompt' | 'name'>): string {
  const title = prompt.replaceAll(/\s+/g, ' ').trim()
  return title ? shorten(title, maxLength) : `Image by ${name}`
}

/** Sets the title of the document to that of a post, and restores it afterwards. Does nothing while the post is unknown. */
export function usePostTitle(post: Post | null | undefined): void {
  const { name } = useSite()
  const title = post && `${postTitle(post)} — ${name}`
  useEffect(() => {
    if (!title) return
    const previous = document.title
    document.title = title
    return () => {
      document.title = previous
    }
  }, [title])
}
