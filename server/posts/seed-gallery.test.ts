import { expect, test } from 'vitest'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import { nameLimit, promptLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { cleanText } from '../text/clean-text.ts'
import { seedText } from './seed-gallery.ts'

const texts = Array.from({ length: 20_000 }, (_, index) => seedText(index))

test('starts with the sample prompts, and begins every later prompt with the sample prompt of its image', () => {
  expect(texts.slice(0, samplePrompts.length).map(({ prompt }) => prompt)).toEqual(samplePrompts)
  for (const { sample, prompt } of texts) expect(prompt.startsWith(sample)).toBe(true)
})

test('returns the same clean, short and mostly different texts each time', () => {
  expect(texts.map((_, index) => seedText(index))).toEqual(texts)
  for (const { name, prompt } of texts) {
    expect([cleanText(name), cleanText(prompt)]).toEqual([name, prompt])
    expect([exceededLimit(name, nameLimit), exceededLimit(prompt, promptLimit)]).toEqual([null, null])
  }
  expect(new Set(texts.map(({ prompt }) => prompt)).size).toBeGreaterThan(texts.length * 0.8)
})
