import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { trashDays, type ListedImage } from '../../../../shared/images.ts'
import { isRestorable } from './use-deleted-toast.ts'

/** Says what happens to images that are deleted, and to their posts. */
export function describeDeletion(images: readonly ListedImage[], i18n: I18n): string {
  const trashed = images.filter(isRestorable)
  const hidden = images.filter(({ isHidden }) => isHidden).length
  const failed = images.length - trashed.length - hidden
  const sentences = [
    ...(trashed.length > 0 ? [i18n._(describeTrashed(trashed))] : []),
    ...(hidden > 0
      ? [
          i18n._(
            msg`${plural(hidden, { one: 'This permanently removes a hidden image from this list. The administrators keep it until they have decided about it.', other: 'This permanently removes # hidden images from this list. The administrators keep them until they have decided about them.' })}`,
          ),
        ]
      : []),
    ...(failed > 0
      ? [
          i18n._(
            msg`${plural(failed, { one: 'This permanently removes the prompt of a failed image from this list.', other: 'This permanently removes the prompts of # failed images from this list.' })}`,
          ),
        ]
      : []),
  ]
  return sentences.join(' ')
}

function describeTrashed(images: readonly ListedImage[]) {
  const posts = countPosts(images)
  if (images.length === 1) {
    return posts > 0
      ? msg`It moves to the trash, and others no longer see its ${plural(posts, { one: 'post', other: '# posts' })}. You can restore it for ${trashDays} days, with its likes.`
      : msg`It moves to the trash, where you can restore it for ${trashDays} days.`
  }
  return posts > 0
    ? msg`They move to the trash, and others no longer see their ${plural(posts, { one: 'post', other: '# posts' })}. You can restore them for ${trashDays} days, with their likes.`
    : msg`They move to the trash, where you can restore them for ${trashDays} days.`
}

/** Says what is deleted permanently with an image in the trash. */
export function describePermanentDeletion(image: ListedImage, i18n: I18n): string {
  const posts = countPosts([image])
  return i18n._(
    posts > 0
      ? msg`This permanently deletes it, with ${plural(posts, { one: '# post', other: '# posts' })} and their likes.`
      : msg`This permanently deletes it. It was not shared.`,
  )
}

function countPosts(images: readonly ListedImage[]): number {
  return images.reduce((sum, image) => sum + image.posts.length, 0)
}
