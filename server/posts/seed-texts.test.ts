import { expect, test } from 'vitest'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import { nameLimit, promptLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { cleanText } from '../text/clean-text.ts'
import { seedText } from './seed-texts.ts'

const texts = Array.from({ length: 20_000 }, (_, index) => seedText(index))

test('the first posts are the sample prompts, and every later one begins with the one that its picture shows', () => {
  expect(texts.slice(0, samplePrompts.length).map(({ prompt }) => prompt)).toEqual(samplePrompts)
  for (const { sample, prompt } of texts) expect(prompt.startsWith(sample)).toBe(true)
})

test('texts are the same each time, clean, short enough and seldom alike', () => {
  expect(texts.map((_, index) => seedText(index))).toEqual(texts)
  for (const { name, prompt } of texts) {
    expect([cleanText(name), cleanText(prompt)]).toEqual([name, prompt])
    expect([exceededLimit(name, nameLimit), exceededLimit(prompt, promptLimit)]).toEqual([null, null])
  }
  expect(new Set(texts.map(({ prompt }) => prompt)).size).toBeGreaterThan(texts.length * 0.8)
})
