import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ListedImage } from '../../../../shared/images.ts'
import { failureMessage } from '../../../api/failure.ts'
import { completeDeletion } from '../../../api/missing.ts'
import { reloadLists, removePosts } from '../../../api/post-changes.ts'
import { trpc } from '../../../api/trpc.ts'
import { toast } from '../../../ui/announcer.tsx'
import { isShareable } from '../use-own-images.ts'

/** Number of calls that are made at once, in one request. */
const batchSize = 5

interface BatchOptions {
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
 * Returns a function that deletes images, which moves them to the trash, removes them from every list, and says so, with a
 * button that restores them.
 *
 * @param onDeleted called for each deleted image
 */
export function useDeleteImages(onDeleted: (imageId: string) => void) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const restore = useRestore()
  return async (images: readonly ListedImage[], options?: BatchOptions): Promise<void> => {
    const deleted: ListedImage[] = []
    const remove = async (image: ListedImage) => {
      await completeDeletion(api.client.images.delete.mutate({ id: image.id }))
      deleted.push(image)
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
