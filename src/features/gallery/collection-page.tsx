import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import type { Collection } from '../../../shared/collections.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import { CollectionHead, EmptyCollection } from '../collections/collection-head.tsx'
import { CollectionLoader } from '../collections/collection-loader.tsx'
import { HiddenCollection } from '../collections/lazy-parts.ts'
import { useCollectionPosts } from '../collections/use-collection-posts.ts'
import { pageClass } from '../../ui/page.tsx'
import { PostList } from './post-list.tsx'
import { useGallery, useListAddress } from './use-gallery.ts'

/** The page of a collection: its posts, which contributors remove and its owner moves. */
export function CollectionPage() {
  const address = useListAddress()
  const id = address.collectionId ?? ''
  return (
    <CollectionLoader id={id}>
      {(collection) => <CollectionPosts key={id} collection={collection} address={address} />}
    </CollectionLoader>
  )
}

function CollectionPosts({ collection, address }: { collection: Collection; address: ListAddress }) {
  const gallery = useGallery(address)
  const posts = gallery.slots.flatMap(({ post }) => post ?? [])
  const { itemsOf, moveTo } = useCollectionPosts(collection, posts, gallery.total)
  const page = useRef<HTMLDivElement>(null)
  useMoveByDrag(page, (postId, onto) => collection.isOwner && moveTo(postId, onto))
  return (
    <div ref={page} className={pageClass}>
      <CollectionHead collection={collection} />
      {collection.hiddenNotice && (
        <HiddenCollection collection={collection} notice={collection.hiddenNotice} />
      )}
      {gallery.firstPage?.total === 0 ? (
        <EmptyCollection collection={collection} />
      ) : (
        <PostList address={address} gallery={gallery} itemsOf={itemsOf} />
      )}
    </div>
  )
}

/** Reports the card that is dragged, and the one that it is dropped on. The menu of a card has the same for the keyboard. */
function useMoveByDrag(
  page: RefObject<HTMLElement | null>,
  move: (postId: string, onto: string) => void,
): void {
  const onMove = useEffectEvent(move)
  useEffect(() => {
    const element = page.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    let dragged: string | null = null
    const postAt = ({ target }: Event) =>
      (target instanceof Element && target.closest('li[id^="post-"]')?.id.slice('post-'.length)) || null
    element.addEventListener('dragstart', (event) => (dragged = postAt(event)), { signal })
    element.addEventListener('dragover', (event) => dragged && postAt(event) && event.preventDefault(), {
      signal,
    })
    element.addEventListener(
      'drop',
      (event) => {
        const onto = postAt(event)
        if (!dragged || !onto || onto === dragged) return
        event.preventDefault()
        onMove(dragged, onto)
      },
      { signal },
    )
    return () => stop.abort()
  }, [page])
}
