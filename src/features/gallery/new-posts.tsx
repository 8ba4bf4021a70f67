import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PostPage } from '../../../shared/posts.ts'
import { newestQuery } from '../../api/post-lists.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './new-posts.module.css'
import type { Gallery } from './use-gallery.ts'

/** Between two looks for new posts, in milliseconds. */
const interval = 90_000

/** Says that there are new posts, and shows them when it is pressed: they never move what is looked at. */
export function NewPosts({ gallery }: { gallery: Gallery }) {
  const { address, firstPage } = gallery
  const announce = useAnnounce()
  const { data: newest } = useQuery({
    ...newestQuery(trpc.useUtils(), address.search),
    initialData: firstPage,
    // What has just come with the page is not asked for again, however long this took to be shown.
    refetchOnMount: ({ state }) => state.dataUpdateCount > 0,
    refetchInterval: interval,
    refetchOnWindowFocus: true,
  })
  const sentence = firstPage && newest && newPostsSentence(newest, firstPage)

  useEffect(() => {
    if (sentence) announce(`${sentence}.`)
  }, [announce, sentence])

  function show() {
    if (!newest) return
    gallery.startOver(newest)
    window.scrollTo({ top: 0, behavior: 'instant' })
    // The button goes, and with it the place of the keyboard.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    announce('Showing the newest posts.')
  }

  return (
    sentence && (
      <div className={styles['place']}>
        <Button variant="primary" onClick={show}>
          {sentence}
        </Button>
      </div>
    )
  )
}

/** `1 new post`, `2 new posts`; null without any. */
export function newPostsSentence(newest: PostPage, shown: PostPage): string | null {
  const known = new Set(shown.posts.map(({ id }) => id))
  const first = newest.posts.findIndex(({ id }) => known.has(id))
  const count = first === -1 ? newest.posts.length : first
  if (count === 0) return null
  if (first === -1 && newest.nextCursor !== null) return `More than ${count} new posts`
  return `${count} new ${count === 1 ? 'post' : 'posts'}`
}
