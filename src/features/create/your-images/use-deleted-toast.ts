import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { isSucceeded, type ListedImage } from '../../../../shared/images.ts'
import { useToast } from '../../../ui/announcer.tsx'
import { useRestore } from './use-restore.ts'

/** Reports whether an image can be restored after it was deleted: it has a file, and no administrator decides about it. */
export function isRestorable(image: ListedImage): boolean {
  return isSucceeded(image) && !image.isHidden
}

/** Returns a function that says that images are deleted, with a button that restores them. */
export function useDeletedToast(): (deleted: readonly ListedImage[]) => void {
  const { t } = useLingui()
  const toast = useToast()
  const restore = useRestore()
  return (deleted) => {
    const restorable = deleted.filter(isRestorable).map(({ id }) => id)
    const count = deleted.length
    toast(
      restorable.length < count
        ? t`${plural(count, { one: 'The image is deleted.', other: '# images are deleted.' })}`
        : t`${plural(count, { one: 'The image is in the trash.', other: '# images are in the trash.' })}`,
      restorable.length > 0 ? { label: t`Undo`, onClick: () => void restore(restorable) } : undefined,
    )
  }
}
