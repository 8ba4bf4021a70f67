import { expect, test } from 'vitest'
import { samplePrompts } from '../../shared/sample-prompts.ts'
import { nameLimit, promptLimit } from '../../shared/limits.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { cleanText } from '../text/clean-text.ts'
import { seedText } from './seed-gallery.ts'

const texts = Array.from({ length: 20_000 }, (_, index) => seedText(index))

test('starts with the sample prompts', () => {
  expect(texts.slice(0, samplePrompts.length).map(({ prompt }) => prompt)).toEqual(samplePrompts)
})

test('gives each of the first 500 posts an image of its own, and later ones all of these in another order', () => {
  const rounds = [0, 1, 2].map((round) => texts.slice(500 * round, 500 * (round + 1)))
  const [first, second, third] = rounds.map((round) => round.map(({ image }) => image))
  expect(first).toEqual(first?.map((_, index) => index))
  for (const later of [second, third]) expect(later?.toSorted((a, b) => a - b)).toEqual(first)
  expect(new Set([first, second, third].map(String)).size).toBe(3)
  for (const { image, prompt } of texts)
    expect(prompt.startsWith(samplePrompts[image % samplePrompts.length] ?? '-')).toBe(true)
})

test('has authors with one name each, some with many posts', () => {
  const names = new Map<string, string>()
  const posts = new Map<string, number>()
  for (const { author, name } of texts) {
    expect(names.get(author) ?? name).toBe(name)
    names.set(author, name)
    posts.set(author, (posts.get(author) ?? 0) + 1)
  }
  expect(new Set(names.values()).size).toBe(names.size)
  expect(names.size).toBeGreaterThan(500)
  expect(Math.max(...posts.values())).toBeGreaterThan(500)
})

test('returns the same clean, short and mostly different texts each time', () => {
  expect(texts.map((_, index) => seedText(index))).toEqual(texts)
  for (const { name, prompt } of texts) {
    expect([cleanText(name), cleanText(prompt)]).toEqual([name, prompt])
    expect([exceededLimit(name, nameLimit), exceededLimit(prompt, promptLimit)]).toEqual([null, null])
  }
  expect(new Set(texts.slice(0, 500).map(({ prompt }) => prompt)).size).toBe(500)
  expect(new Set(texts.map(({ prompt }) => prompt)).size).toBeGreaterThan(texts.length * 0.8)
})
