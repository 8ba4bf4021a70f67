import type { ListedImage } from '../../../../shared/images.ts'

/** Formats a number of things: `1 image`, `2 images`. */
export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** Says what is deleted with images. */
export function describeDeletion(images: readonly ListedImage[]): string {
  const posts = images.reduce((sum, image) => sum + image.posts.length, 0)
  const those = images.length === 1 ? 'it' : 'them'
  return posts > 0
    ? `This permanently deletes ${those}, with ${countOf(posts, 'post')} and their likes.`
    : `This permanently deletes ${those}. ${images.length === 1 ? 'It was' : 'They were'} not shared.`
}
