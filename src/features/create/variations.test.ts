import { expect, test } from 'vitest'
import { escapeChoices, withoutEscapes } from '../../../shared/expand-prompt.ts'
import { imageCount, promptsOf } from './variations.tsx'

test.each([
  ['a kite', 'a kite'],
  ['a {red} kite | {', 'a {red} kite | {'],
  ['a {red|blue} kite', String.raw`a \{red\|blue\} kite`],
  [String.raw`\{red|blue} {`, String.raw`\\{red\|blue\} \{`],
  [String.raw`a \| b`, String.raw`a \\| b`],
])('a finished prompt %s asks for itself in the form', (finished, escaped) => {
  expect(escapeChoices(finished)).toBe(escaped)
  expect(promptsOf(escaped)).toEqual([finished])
  expect(withoutEscapes(escaped)).toBe(finished)
  expect(imageCount(escaped, 3)).toBe(3)
})

test('leaves the escapes of a prompt with choices to the server', () => {
  const prompt = String.raw`{red|blue} \{kite\}`
  expect(withoutEscapes(prompt)).toBe(prompt)
  expect(promptsOf(prompt)).toEqual(['red {kite}', 'blue {kite}'])
  expect(imageCount(prompt, 3)).toBe(2)
})
