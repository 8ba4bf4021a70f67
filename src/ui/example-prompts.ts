import { msg } from '@lingui/core/macro'

export const examplePrompts = [
  msg({
    message: 'A peacock dancing in the first rain',
    comment: 'A prompt, of words that the engine knows',
  }),
  msg({ message: 'Diwali lamps on the dark river', comment: 'A prompt, of words that the engine knows' }),
  msg({
    message: 'A pookalam of marigolds and lotus petals',
    comment: 'A prompt, of words that the engine knows',
  }),
]
