import { expect, test } from 'vitest'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import { nameLimit, promptLimit, type TextLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { cleanText } from '../text/clean-text.ts'
import { seedText } from './seed-gallery.ts'

const texts = Array.from({ length: 4_000 }, (_, index) => seedText(index))

test('starts with the sample prompts, each with an image of its own, which later posts show in another order', () => {
  expect(texts.slice(0, samplePrompts.length).map(({ prompt }) => prompt)).toEqual(samplePrompts)
  const rounds = [0, 1, 2].map((round) => texts.slice(500 * round, 500 * (round + 1)))
  const [first, second, third] = rounds.map((round) => round.map(({ image }) => image))
  expect(first).toEqual(first?.map((_, index) => index))
  for (const later of [second, third]) expect(later?.toSorted((a, b) => a - b)).toEqual(first)
  expect(new Set([first, second, third].map(String)).size).toBe(3)
})

test('returns the same clean, short and mostly different texts each time, by authors with one name each', () => {
  expect(texts.map((_, index) => seedText(index))).toEqual(texts)
  const isClean = (text: string, limit: TextLimit) => cleanText(text) === text && !exceededLimit(text, limit)
  const bad = texts.filter(({ name, prompt }) => !isClean(name, nameLimit) || !isClean(prompt, promptLimit))
  expect(bad).toEqual([])
  expect(new Set(texts.map(({ prompt }) => prompt)).size).toBeGreaterThan(texts.length * 0.8)
  const names = new Map(texts.map(({ author, name }) => [author, name]))
  expect(texts.filter(({ author, name }) => names.get(author) !== name)).toEqual([])
  expect(names.size).toBeGreaterThan(300)
})
