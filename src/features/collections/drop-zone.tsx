import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { UserText } from '../../ui/text.tsx'
import { postIdAt } from '../post/post-card.tsx'
import { useAdding } from './add-to-collection.tsx'
import styles from './collections.module.css'
import { useWindowEvent } from '../../browser/use-window-event.ts'

/** Number of collections to drop on: the newest of the viewer. */
const shownMax = 5

/** Collections of the viewer at the bottom of the window, while the card of a post is dragged. */
export function DropZone() {
  const { t } = useLingui()
  const [postId, setPostId] = useState<string | null>(null)
  const [overId, setOverId] = useState<string | null>(null)
  const { data } = trpc.collections.list.useQuery(
    { isMine: true, limit: shownMax },
    { enabled: postId !== null },
  )
  const { set } = useAdding(postId === null ? [] : [postId], true)
  // Later: a browser ends the drag if the page changes in its first event.
  useWindowEvent('dragstart', (event) => setTimeout(setPostId, 0, postIdAt(event)))
  useWindowEvent('dragend', () => setPostId(null))
  if (postId === null || !data?.collections.length) return null
  return (
    <div className={`stack tight card raised appearing ${styles['dropZone']}`} aria-hidden="true">
      <p className="quiet small">{t`Drop on a collection to add the image`}</p>
      <div className="row">
        {data.collections.map((collection) => (
          <div
            key={collection.id}
            className={`card ${styles['drop']}`}
            data-over={overId === collection.id || undefined}
            onDragOver={(event) => {
              event.preventDefault()
              setOverId(collection.id)
            }}
            onDragLeave={() => setOverId(null)}
            onDrop={(event) => {
              event.preventDefault()
              setOverId(null)
              set(collection, true)
            }}
          >
            <UserText text={collection.title} className="ellipsis" />
          </div>
        ))}
      </div>
    </div>
  )
}
