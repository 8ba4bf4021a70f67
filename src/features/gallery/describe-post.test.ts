import { expect, test } from 'vitest'
import { alternativeText } from './describe-post.ts'

test('an image is described by its prompt, or by its author where there is none', () => {
  expect(alternativeText({ prompt: ' A diya on a river ', name: 'Asha' })).toBe('A diya on a river')
  expect(alternativeText({ prompt: '  ', name: 'Asha' })).toBe('Image by Asha')
})
