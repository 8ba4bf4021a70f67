import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { ListedImage } from '../../../../shared/images.ts'

/** Says what is deleted with images. */
export function describeDeletion(images: readonly ListedImage[]): MessageDescriptor {
  const posts = images.reduce((sum, image) => sum + image.posts.length, 0)
  if (images.length === 1) {
    return posts > 0
      ? msg`This permanently deletes it, with ${plural(posts, { one: '# post', other: '# posts' })} and their likes.`
      : msg`This permanently deletes it. It was not shared.`
  }
  return posts > 0
    ? msg`This permanently deletes them, with ${plural(posts, { one: '# post', other: '# posts' })} and their likes.`
    : msg`This permanently deletes them. They were not shared.`
}
