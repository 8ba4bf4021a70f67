import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '../../../api/failure.ts'
import { reloadLists } from '../../../api/post-lists.ts'
import { trpc } from '../../../api/trpc.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { inBatches } from './in-batches.ts'

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
