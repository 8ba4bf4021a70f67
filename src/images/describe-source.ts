import type { Post } from '../../shared/posts.ts'

/** Says in one word where a picture came from. */
export function describeSource(picture: Pick<Post, 'source' | 'engine'>): string {
  if (picture.source === 'uploaded') return 'Uploaded'
  return picture.engine === 'rangoli' ? 'Pattern' : 'AI-made'
}
