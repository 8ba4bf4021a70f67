import type { Visibility } from '../../shared/posts.ts'
import type { RadioOption } from './form.tsx'

/** Choices of who sees a post. */
export const visibilityOptions: readonly RadioOption<Visibility>[] = [
  { value: 'public', label: 'Public', hint: 'Everyone, in the gallery and in searches' },
  { value: 'unlisted', label: 'Unlisted', hint: 'Only people with the link' },
  { value: 'private', label: 'Private', hint: 'Only you' },
]
