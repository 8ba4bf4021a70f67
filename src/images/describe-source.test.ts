import { expect, test } from 'vitest'
import { describeSource } from './describe-source.ts'

test.each([
  [{ source: 'generated', engine: 'rangoli' }, 'Pattern'],
  [{ source: 'generated', engine: 'openai' }, 'AI-made'],
  [{ source: 'uploaded', engine: null }, 'Uploaded'],
] as const)('%o is labelled %s', (image, label) => {
  expect(describeSource(image)).toBe(label)
})
