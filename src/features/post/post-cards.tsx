import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentProps, type MouseEvent } from 'react'
import { ratioOf } from '../../../shared/image-files.ts'
import type { ListView } from '../../../shared/page-data.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { pageKeys } from '../../api/page-data.ts'
import { useStable } from '../../browser/use-stable.ts'
import { withOtherMessages } from '../../i18n/messages.ts'
import { describeSource } from '../../images/image.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import type { MenuItems } from '../../ui/menu.tsx'
import { useSession } from '../auth/session.ts'
import { CardItems, PostCard } from './post-card.tsx'
import { usePostMenu } from './post-menu.tsx'
import styles from './post-cards.module.css'

const LikePost = lazyPart(async () => (await import('./likes.ts')).LikePost)

const DropZone = lazyPart(
  async () => (await withOtherMessages(import('../collections/drop-zone.tsx'))).DropZone,
)

/** A position in the gallery with its post, or without one until its page has loaded. */
export interface Slot {
  readonly key: string
  readonly index: number
  readonly post: Post | null
}

/** Cards of posts in a grid of squares or rows of whole images, with what their menus open. */
export function PostCards(props: {
  slots: readonly Slot[]
  label: string
  view: ListView
  /** Total number of posts; null if all of them are in the document. */
  listSize: number | null
  isBelow?: boolean
  /** True for the only post of its list. */
  isLone?: boolean
  itemsOf?: ((post: Post) => MenuItems) | undefined
  onOpen: (event: MouseEvent, post: Post) => void
  /** Other properties of the list. */
  list?: ComponentProps<'ul'>
}) {
  const { slots, view, listSize } = props
  const { t } = useLingui()
  const { viewer } = useSession()
  const [dialog, itemsOf] = usePostMenu({ report: t`Report post`, remove: t`Delete post` })
  const allItemsOf = (post: Post) => [...(props.itemsOf?.(post) ?? []), ...itemsOf(post)]
  const [liking, setLiking] = useState<{ readonly id: string; readonly press: number } | null>(null)
  const like = useStable(({ id }: Post) => setLiking((last) => ({ id, press: (last?.press ?? 0) + 1 })))
  const [, setChanges] = useState(0)
  const queryClient = useQueryClient()
  const isLiked = ({ id }: Post) =>
    viewer !== null &&
    queryClient.getQueryData<PostDetails | null>(pageKeys.post(id, viewer.id))?.isLiked === true
  const showsSource = new Set(slots.flatMap(({ post }) => (post ? [describeSource(post)] : []))).size > 1
  return (
    <CardItems value={allItemsOf}>
      <ul
        {...props.list}
        className={view === 'shapes' ? styles['rows'] : styles['grid']}
        data-view={view}
        data-lone={props.isLone || undefined}
        data-stale={props.list?.['aria-busy'] || undefined}
        aria-label={props.label}
      >
        {slots.map(({ key, index, post }) =>
          post ? (
            <PostCard
              key={key}
              post={post}
              index={index}
              listSize={listSize}
              isBelow={props.isBelow}
              isLone={props.isLone}
              showsSource={showsSource}
              shape={view === 'shapes' ? shapeIn(slots, index, post) : null}
              isLiked={isLiked(post)}
              onOpen={props.onOpen}
              onLike={like}
            />
          ) : (
            <li key={key} className={styles['placeholder']} aria-hidden="true">
              <Skeleton shape="square" />
            </li>
          ),
        )}
      </ul>
      {liking && (
        <LikePost key={liking.press} id={liking.id} onChange={() => setChanges((count) => count + 1)} />
      )}
      {dialog}
      {viewer && !props.isBelow && <DropZone />}
    </CardItems>
  )
}

/** The shape of an image in a row of whole images, on phones in a row of two. */
function shapeIn(slots: readonly Slot[], index: number, post: Post) {
  const ratio = ratioOf(post)
  const neighbor = slots[index - (slots[0]?.index ?? 0) + (index % 2 === 0 ? 1 : -1)]?.post
  const share = ratio / (ratio + (neighbor ? ratioOf(neighbor) : ratio))
  return { ratio, share: Math.round(share * 1000) / 1000 }
}

/** Placeholders of the posts' size, to avoid a layout shift when those have loaded. */
export function GridSkeleton() {
  return (
    <div className={styles['grid']} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles['placeholder']}>
          <Skeleton shape="square" />
        </div>
      ))}
    </div>
  )
}
