import { expect, test } from 'vitest'
import { alternativeText } from './post-card.tsx'

test('describes an image by its prompt, or by its author without a prompt', () => {
  expect(alternativeText({ prompt: ' A diya on a river ', name: 'Asha' })).toBe('A diya on a river')
  expect(alternativeText({ prompt: '  ', name: 'Asha' })).toBe('Image by Asha')
})
