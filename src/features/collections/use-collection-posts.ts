import { useLingui } from '@lingui/react/macro'
import type { Collection } from '../../../shared/collections.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import type { Post } from '../../../shared/posts.ts'
import { trpc } from '../../api/trpc.ts'
import { findNeighbor } from '../../browser/apis.ts'
import { announce } from '../../ui/announcer.tsx'
import type { MenuItems } from '../../ui/menu.tsx'
import { useCall } from '../auth/call-failure.tsx'
import { cardId } from '../post/post-card.tsx'
import type { Slot } from '../post/post-cards.tsx'
import { useReloadCollections } from './collection-loader.tsx'

/** What the viewer can do with the posts of a collection, of which those near the window are loaded. */
export function useCollectionPosts(
  collection: Collection,
  { address, slots, total }: { address: ListAddress; slots: readonly Slot[]; total: number },
) {
  const { i18n, t } = useLingui()
  const { id, isOwner, mayAdd } = collection
  const isMovable = isOwner && address.order === 'new'
  const posts = slots.flatMap(({ post, index }) => (post ? [{ id: post.id, place: index + 1 }] : []))
  const { client } = trpc.useUtils()
  const failed = t`The collection could not be changed. Try again in a moment.`
  const { run } = useCall(failed, useReloadCollections(), { isQueued: true, isFailureToasted: true })

  /** Moves a post to the place of another one: the posts between them move up or down. */
  function moveTo(postId: string, onto: string) {
    const from = posts.findIndex((post) => post.id === postId)
    const to = posts.findIndex((post) => post.id === onto)
    const target = posts[to]
    if (!isMovable || from === -1 || !target) return
    const placesAfter = total - target.place
    const next = placesAfter === 0 ? { id: null } : posts.find((post) => post.place === target.place + 1)
    const { movePost } = client.collections
    run(async () => {
      const { postCount } = await movePost.mutate({ id, postId, before: to > from && next ? next.id : onto })
      // The next one is not loaded.
      if (to > from && !next) await movePost.mutate({ id, postId: onto, before: postId })
      const all = i18n.number(postCount)
      // Posts that were added meanwhile are the first ones.
      const place = i18n.number(postCount - placesAfter)
      announce(t`Moved to place ${place} of ${all}.`)
    })
  }

  async function remove(postId: string) {
    await client.collections.removePosts.mutate({ id, postIds: [postId] })
    // The button of the menu, which has the focus, is removed with the post.
    const hasFocus = document.getElementById(cardId(postId))?.contains(document.activeElement)
    if (hasFocus) findNeighbor(cardId(postId))?.focus({ preventScroll: true })
  }

  function itemsOf(post: Post): MenuItems {
    const at = posts.findIndex((one) => one.id === post.id)
    const [earlier, later] = [posts[at - 1], posts[at + 1]]
    const cover = { id, coverPostId: post.id }
    return [
      isMovable && earlier && { label: t`Move earlier`, onSelect: () => moveTo(post.id, earlier.id) },
      isMovable && later && { label: t`Move later`, onSelect: () => moveTo(post.id, later.id) },
      isOwner && {
        label: t`Use as cover`,
        onSelect: () => run(() => client.collections.update.mutate(cover), t`The cover is changed.`),
      },
      mayAdd &&
        (isOwner || post.isAddedByYou) && {
          label: t`Remove from the collection`,
          onSelect: () => run(() => remove(post.id), t`Removed from the collection.`),
        },
    ]
  }

  return { itemsOf, moveTo }
}
