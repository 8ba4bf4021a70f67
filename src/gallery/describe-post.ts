import type { Post } from '../../shared/posts.ts'

const alternativeMaxLength = 160

/** Says what a post's picture shows, for those who can't see it: its prompt, cut where it grows long. */
export function alternativeText(post: Pick<Post, 'prompt' | 'name'>): string {
  const prompt = post.prompt.trim()
  return prompt ? shorten(prompt, alternativeMaxLength) : `Picture by ${post.name}`
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

/** Cuts a text between words, near `maxLength`, and never inside a character. */
export function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const cut = characters.slice(0, maxLength).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > maxLength / 2 ? cut.slice(0, lastSpace) : cut}…`
}
