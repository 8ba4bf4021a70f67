import { expect, test } from 'vitest'
import { translatedSamplePrompts } from '../../../shared/sample-prompts.ts'
import { compose } from './compose.ts'
import { drawnFrom, interpretPrompt } from './interpret-prompt.ts'

function wordsOf(prompt: string): readonly string[] {
  const design = interpretPrompt(prompt)
  return drawnFrom(prompt, design, compose(design))
}

test.each([
  ['A blue peacock in the rain', ['blue', 'peacock', 'rain']],
  ['Peacocks, a peacock and one more PEACOCK', ['Peacocks']],
  ['सावन की बारिश में नाचता हुआ मोर', ['सावन', 'मोर']],
  ['un pavo real', ['pavo real']],
  ['अँधेरा', ['अँधेरा']],
  ['a 🐢 at night', ['🐢', 'night']],
  ['a kolam', ['kolam']],
  ['quantum bureaucracy', []],
  ['', []],
])('names the words that the image of %j shows', (prompt, words) => {
  expect(wordsOf(prompt)).toEqual(words)
})

test('names no figure that the layout has no place for, and at most twelve words', () => {
  const animals = [
    'cat',
    'dog',
    'horse',
    'fox',
    'owl',
    'turtle',
    'elephant',
    'tiger',
    'cow',
    'fish',
    'butterfly',
  ]
  const words = wordsOf(animals.join(' and '))
  expect(words.length).toBeGreaterThan(0)
  expect(words.length).toBeLessThan(animals.length)
  const moods =
    'pastel neon dark happy ink vintage quiet wild dreamy four five six eight ten kolam quilt red green'
  expect(wordsOf(moods).length).toBeLessThanOrEqual(12)
})

test.each(Object.values(translatedSamplePrompts).flat())('knows words of the sample prompt %j', (prompt) => {
  expect(wordsOf(prompt).length).toBeGreaterThan(0)
})
