import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { trashDays, type ListedImage } from '../../../../shared/images.ts'
import { failureMessage } from '../../../api/failure.ts'
import { completeDeletion } from '../../../api/missing.ts'
import { reloadLists, removePosts } from '../../../api/post-changes.ts'
import { trpc } from '../../../api/trpc.ts'
import { toast } from '../../../ui/announcer.tsx'
import { ConfirmCall } from '../../auth/call-form.tsx'
import { useCreation } from '../use-creation.ts'
import { isShareable } from '../use-own-images.ts'

export function DeleteImage({ image, onDeleted }: { image: ListedImage; onDeleted: () => void }) {
  const { i18n, t } = useLingui()
  const deleteImages = useDeleteImages(onDeleted)
  return (
    <ConfirmCall
      title={t`Delete this image?`}
      description={describeDeletion([image], i18n)}
      confirm={t`Delete`}
      failed={t`The image could not be deleted. Try again in a moment.`}
      call={() => deleteImages([image])}
    />
  )
}

/** Dialog that deletes an image in the trash permanently. */
export function DeletePermanently({ image, onDeleted }: { image: ListedImage; onDeleted: () => void }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const posts = image.posts.length
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
      outcome={t`The image is deleted permanently.`}
      onSettled={() => api.images.invalidate()}
      call={async () => {
        await api.client.images.deletePermanently.mutate({ id: image.id })
        onDeleted()
      }}
    />
  )
}

/** Dialog that deletes all images of a list permanently: those in the trash, or those that failed. */
export function ClearList({ isTrash }: { isTrash: boolean }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const { deleteFailed, emptyTrash } = api.client.images
  const shared = { cancel: t`Keep them`, onSettled: () => api.images.invalidate() }
  return isTrash ? (
    <ConfirmCall
      {...shared}
      title={t`Empty the trash?`}
      description={t`This permanently deletes all images in it, with their posts and likes.`}
      confirm={t`Empty trash`}
      failed={t`The trash could not be emptied. Try again in a moment.`}
      call={async () => {
        const { deleted } = await emptyTrash.mutate()
        toast(
          t`${plural(deleted, { one: '# image is deleted permanently.', other: '# images are deleted permanently.' })}`,
        )
      }}
    />
  ) : (
    <ConfirmCall
      {...shared}
      title={t`Clear all failed images?`}
      description={t`This permanently removes their prompts from this list.`}
      confirm={t`Clear`}
      failed={t`The images could not be cleared. Try again in a moment.`}
      outcome={t`The failed images are cleared.`}
      call={() => deleteFailed.mutate()}
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
  return sentences.flatMap((sentence) => (sentence ? i18n._(sentence) : [])).join(' ')
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

/** Number of calls that are made at once, in one request. */
const batchSize = 5

export interface BatchOptions {
  readonly signal?: AbortSignal
  readonly progress?: (done: number) => void
}

/** Calls `work` for all items, batch by batch. @throws the first error, after the other calls of its batch */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  { signal, progress }: BatchOptions = {},
): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    if (signal?.aborted) return
    const results = await Promise.allSettled(items.slice(start, start + batchSize).map(work))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    progress?.(Math.min(start + batchSize, items.length))
  }
}

/**
 * Returns a function that deletes images, which moves them to the trash, removes them from the form and every list, and says so,
 * with a button that restores them.
 *
 * @param onDeleted called for each deleted image
 */
export function useDeleteImages(onDeleted: (imageId: string) => void) {
  const { t } = useLingui()
  const creation = useCreation()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const restore = useRestore()
  return async (images: readonly ListedImage[], options?: BatchOptions): Promise<void> => {
    const deleted: ListedImage[] = []
    const remove = async (image: ListedImage) => {
      await completeDeletion(api.client.images.delete.mutate({ id: image.id }))
      deleted.push(image)
      creation.remove(image.id)
      onDeleted(image.id)
    }
    try {
      await inBatches(images, remove, options)
    } finally {
      const photos = new Set(deleted.flatMap(({ photo }) => photo ?? []))
      if (photos.size > 0) removePosts(queryClient, (post) => photos.has(post.photo))
      await api.images.invalidate()
      const count = deleted.length
      const restorable = deleted.filter(isShareable).map(({ id }) => id)
      const undo = { label: t`Undo`, onClick: () => void restore(restorable) }
      const sentence =
        restorable.length < count
          ? t`${plural(count, { one: 'The image is deleted.', other: '# images are deleted.' })}`
          : t`${plural(count, { one: 'The image is in the trash.', other: '# images are in the trash.' })}`
      if (count > 0) toast(sentence, restorable.length > 0 ? undo : undefined)
    }
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
  return async (imageIds) => {
    const count = imageIds.length
    const error: unknown = await inBatches(imageIds, async (id) => {
      await api.client.images.restore.mutate({ id })
    }).catch((cause: unknown) => cause)
    toast(
      error === undefined
        ? t`${plural(count, { one: 'The image is restored.', other: '# images are restored.' })}`
        : (failureMessage(error, i18n) ??
            t`${plural(count, { one: 'The image could not be restored. You find it in the trash.', other: 'The images could not be restored. You find them in the trash.' })}`),
    )
    reloadLists(queryClient)
    await api.images.invalidate()
    return error === undefined
  }
}
