import type { Post } from '../../../shared/posts.ts'
import { shortened } from '../../ui/shortened.ts'
import { hasLongRun } from '../../ui/wrapped-text.tsx'

/** Says what a post's image shows, for those who can't see it: its prompt, cut where it grows long. */
export function alternativeText(post: Pick<Post, 'prompt' | 'name'>): string {
  const prompt = post.prompt.trim()
  return prompt ? shortened(prompt) : `Image by ${post.name}`
}

/** Whether a prompt is too long to be read whole on a card. */
export function isLongPrompt(prompt: string): boolean {
  return prompt.length > 80 || prompt.includes('\n')
}

/** More than the two lines of a closed card hold on the widest screen. */
const collapsedLength = 400

/** What a closed card shows of a prompt: the beginning of one that the browser would need long to lay out. */
export function collapsedPrompt(prompt: string): string {
  return hasLongRun(prompt) ? shortened(prompt, collapsedLength) : prompt
}
