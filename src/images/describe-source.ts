import type { Post } from '../../shared/posts.ts'

/** Says in one word where an image came from. */
export function describeSource(image: Pick<Post, 'source' | 'engine'>): string {
  if (image.source === 'uploaded') return 'Uploaded'
  return image.engine === 'rangoli' ? 'Pattern' : 'AI-made'
}
