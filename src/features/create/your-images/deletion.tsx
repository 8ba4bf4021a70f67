import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { trashDays, type ListedImage } from '../../../../shared/images.ts'
import { completeDeletion, failureMessage } from '../../../api/failure.ts'
import { reloadLists, removePosts } from '../../../api/post-lists.ts'
import { trpc } from '../../../api/trpc.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { ConfirmCall } from '../../auth/confirm-call.tsx'
import { isShareable } from '../use-own-images.ts'
import { findNeighborOfCard } from './image-card.tsx'

function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1')
}

/** Dialog that deletes an image, which moves it to the trash, and removes it from every list. */
export function DeleteImage(props: { image: ListedImage; onDeleted: () => void; onClosed: () => void }) {
  const { i18n, t } = useLingui()
  const { image } = props
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const announceDeleted = useDeletedToast()

  async function remove() {
    await completeDeletion(api.client.images.delete.mutate({ id: image.id }))
    const neighbor = findNeighborOfCard(image.id)
    if (image.photo) removePosts(queryClient, (post) => post.photo === image.photo)
    props.onDeleted()
    await api.images.list.invalidate()
    announceDeleted([image])
    return () => neighbor
  }

  return (
    <ConfirmCall
      title={t`Delete this image?`}
      description={describeDeletion([image], i18n)}
      confirm={t`Delete`}
      failed={t`The image could not be deleted. Try again in a moment.`}
      call={remove}
      onClosed={props.onClosed}
    />
  )
}

/** Dialog that deletes an image in the trash permanently. */
export function DeletePermanently({ image, onClosed }: { image: ListedImage; onClosed: () => void }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const toast = useToast()
  const posts = image.posts.length

  async function remove() {
    try {
      await api.client.images.deletePermanently.mutate({ id: image.id })
    } catch (error) {
      // The image may have been restored in another tab.
      await api.images.list.invalidate()
      throw error
    }
    const neighbor = findNeighborOfCard(image.id)
    await Promise.all([api.images.list.invalidate(), api.images.quota.invalidate()])
    toast(t`The image is deleted permanently.`)
    return () => neighbor
  }

  return (
    <ConfirmCall
      title={t`Delete this image permanently?`}
      description={
        posts > 0
          ? t`This permanently deletes it, with ${plural(posts, { one: '# post', other: '# posts' })} and their likes.`
          : t`This permanently deletes it. It was not shared.`
      }
      confirm={t`Delete permanently`}
      failed={t`The image could not be deleted. Try again in a moment.`}
      call={remove}
      onClosed={onClosed}
    />
  )
}

/** Dialog that deletes all images in the trash permanently. */
export function EmptyTrash({ onClosed }: { onClosed: () => void }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const toast = useToast()

  async function empty() {
    try {
      const { deleted } = await api.client.images.emptyTrash.mutate()
      toast(
        t`${plural(deleted, { one: '# image is deleted permanently.', other: '# images are deleted permanently.' })}`,
      )
    } finally {
      // Also after a failure: a part of the images may be deleted.
      await Promise.all([api.images.list.invalidate(), api.images.quota.invalidate()])
    }
    return pageHeading
  }

  return (
    <ConfirmCall
      title={t`Empty the trash?`}
      description={t`This permanently deletes all images in it, with their posts and likes.`}
      confirm={t`Empty trash`}
      cancel={t`Keep them`}
      failed={t`The trash could not be emptied. Try again in a moment.`}
      call={empty}
      onClosed={onClosed}
    />
  )
}

/** Dialog that deletes all failed images. */
export function ClearFailed({ onClosed }: { onClosed: () => void }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const toast = useToast()

  async function clear() {
    await api.client.images.deleteFailed.mutate()
    await api.images.list.invalidate()
    toast(t`The failed images are cleared.`)
    return pageHeading
  }

  return (
    <ConfirmCall
      title={t`Clear all failed images?`}
      description={t`This permanently removes their prompts from this list.`}
      confirm={t`Clear`}
      cancel={t`Keep them`}
      failed={t`The images could not be cleared. Try again in a moment.`}
      call={clear}
      onClosed={onClosed}
    />
  )
}

/** Says what happens to images that are deleted, and to their posts. */
export function describeDeletion(images: readonly ListedImage[], i18n: I18n): string {
  const trashed = images.filter(isShareable)
  const hidden = images.filter(({ isHidden }) => isHidden).length
  const failed = images.length - trashed.length - hidden
  const sentences = [
    trashed.length > 0 && describeTrashed(trashed),
    hidden > 0 &&
      msg`${plural(hidden, { one: 'This permanently removes a hidden image from this list. The administrators keep it until they have decided about it.', other: 'This permanently removes # hidden images from this list. The administrators keep them until they have decided about them.' })}`,
    failed > 0 &&
      msg`${plural(failed, { one: 'This permanently removes the prompt of a failed image from this list.', other: 'This permanently removes the prompts of # failed images from this list.' })}`,
  ]
  return sentences
    .filter((sentence) => sentence !== false)
    .map((sentence) => i18n._(sentence))
    .join(' ')
}

function describeTrashed(images: readonly ListedImage[]) {
  const posts = images.flatMap((image) => image.posts).length
  if (images.length === 1) {
    return posts > 0
      ? msg`It moves to the trash, and others no longer see its ${plural(posts, { one: 'post', other: '# posts' })}. You can restore it for ${trashDays} days, with its likes.`
      : msg`It moves to the trash, where you can restore it for ${trashDays} days.`
  }
  return posts > 0
    ? msg`They move to the trash, and others no longer see their ${plural(posts, { one: 'post', other: '# posts' })}. You can restore them for ${trashDays} days, with their likes.`
    : msg`They move to the trash, where you can restore them for ${trashDays} days.`
}

/** Returns a function that says that images are deleted, with a button that restores them. */
export function useDeletedToast(): (deleted: readonly ListedImage[]) => void {
  const { t } = useLingui()
  const toast = useToast()
  const restore = useRestore()
  return (deleted) => {
    const restorable = deleted.filter(isShareable).map(({ id }) => id)
    const count = deleted.length
    toast(
      restorable.length < count
        ? t`${plural(count, { one: 'The image is deleted.', other: '# images are deleted.' })}`
        : t`${plural(count, { one: 'The image is in the trash.', other: '# images are in the trash.' })}`,
      restorable.length > 0 ? { label: t`Undo`, onClick: () => void restore(restorable) } : undefined,
    )
  }
}

/**
 * Returns a function that restores images from the trash, reloads the lists, and says so. It returns false if it failed for
 * one of the images.
 */
export function useRestore(): (imageIds: readonly string[]) => Promise<boolean> {
  const { i18n, t } = useLingui()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const toast = useToast()

  return async (imageIds) => {
    const count = imageIds.length
    let isRestored = true
    try {
      await inBatches(imageIds, async (id) => {
        await api.client.images.restore.mutate({ id })
      })
      toast(t`${plural(count, { one: 'The image is restored.', other: '# images are restored.' })}`)
    } catch (error) {
      isRestored = false
      toast(
        failureMessage(error, i18n) ??
          t`${plural(count, { one: 'The image could not be restored. You find it in the trash.', other: 'The images could not be restored. You find them in the trash.' })}`,
      )
    }
    reloadLists(queryClient)
    await api.images.list.invalidate()
    return isRestored
  }
}

/** Number of calls that are made at once, in one request. */
const batchSize = 5

/** Calls `work` for all items, batch by batch. @throws the first error, after the other calls of its batch */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { signal, progress }: { readonly signal?: AbortSignal; readonly progress?: (done: number) => void } = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    if (signal?.aborted) return
    const results = await Promise.allSettled(items.slice(start, start + batchSize).map(work))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    progress?.(Math.min(start + batchSize, items.length))
  }
}
