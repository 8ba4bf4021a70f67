import { useRef } from 'react'
import type { Collection } from '../../../shared/collections.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { CollectionHead, EmptyCollection, HiddenCollection } from '../collections/collection-head.tsx'
import { CollectionLoader } from '../collections/collection-loader.tsx'
import { useCollectionPosts } from '../collections/use-collection-posts.ts'
import { postIdAt } from '../post/post-card.tsx'
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
  const { itemsOf, moveTo } = useCollectionPosts(collection, gallery)
  useMoveByDrag(moveTo)
  return (
    <div className={pageClass}>
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
function useMoveByDrag(move: (postId: string, onto: string) => void): void {
  const dragged = useRef<string>(null)
  useWindowEvent('dragstart', (event) => (dragged.current = postIdAt(event)))
  // Otherwise a file from another program would be dropped for the former card.
  useWindowEvent('dragend', () => (dragged.current = null))
  useWindowEvent('dragover', (event) => dragged.current && postIdAt(event) && event.preventDefault())
  useWindowEvent('drop', (event) => {
    const onto = postIdAt(event)
    if (!dragged.current || !onto || onto === dragged.current) return
    event.preventDefault()
    move(dragged.current, onto)
  })
}
