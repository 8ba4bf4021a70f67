import type { Post } from '../../shared/posts.ts'
import { shortened } from '../ui/shortened.ts'

/** Says what a post's picture shows, for those who can't see it: its prompt, cut where it grows long. */
export function alternativeText(post: Pick<Post, 'prompt' | 'name'>): string {
  const prompt = post.prompt.trim()
  return prompt ? shortened(prompt) : `Picture by ${post.name}`
}

/** Says in one word where a post's picture came from. */
export function sourceLabel(post: Pick<Post, 'source' | 'engine'>): string {
  if (post.source === 'uploaded') return 'Uploaded'
  return post.engine === 'rangoli' ? 'Pattern' : 'AI-made'
}

/** Whether a prompt is too long to be read whole on a card. */
export function isLongPrompt(prompt: string): boolean {
  return prompt.length > 80 || prompt.includes('\n')
}
