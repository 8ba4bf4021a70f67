import { expect, test } from 'vitest'
import { alternativeText, sourceLabel } from './describe-post.ts'

test.each([
  [{ source: 'generated', engine: 'rangoli' }, 'Pattern'],
  [{ source: 'generated', engine: 'openai' }, 'AI-made'],
  [{ source: 'uploaded', engine: null }, 'Uploaded'],
] as const)('%o is labelled %s', (post, label) => {
  expect(sourceLabel(post)).toBe(label)
})

test('a picture is described by its prompt, or by its author where there is none', () => {
  expect(alternativeText({ prompt: ' A diya on a river ', name: 'Asha' })).toBe('A diya on a river')
  expect(alternativeText({ prompt: '  ', name: 'Asha' })).toBe('Picture by Asha')
})
