import { expect, it } from 'vitest'
import { layoutNames } from '../design.ts'
import { motifs } from '../motifs/catalog.ts'
import { namedBackgrounds, namedColors } from '../named-colors.ts'
import { findColor, findMeanings, lexicon, splitWords, vocabulary } from './vocabulary.ts'

it('names motifs, colors, backgrounds and layouts that exist', () => {
  const { colors, ...groups } = vocabulary
  const entries = Object.values(groups).flat()
  const unknown = (names: readonly string[], known: readonly string[]) =>
    names.filter((name) => !known.includes(name))
  expect([
    unknown(Object.keys(colors), Object.keys(namedColors)),
    unknown(
      entries.flatMap((entry) => entry.colors ?? []),
      Object.keys(namedColors),
    ),
    unknown(
      entries.flatMap((entry) => entry.motifs ?? []),
      Object.keys(motifs),
    ),
    unknown(
      entries.flatMap((entry) => entry.backgrounds ?? []),
      Object.keys(namedBackgrounds),
    ),
    unknown(
      entries.flatMap((entry) => entry.layouts ?? []),
      layoutNames,
    ),
  ]).toEqual([[], [], [], [], []])
})

it('lists every word once', () => {
  for (const words of [
    lexicon.map(([word]) => word),
    Object.values(vocabulary.colors).flatMap((lines) => lines.flatMap(splitWords)),
  ]) {
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  }
})

it('keeps combining marks of Devanagari and Tamil in their words', () => {
  expect(splitWords('दीया, दीपावली और தாமரை!')).toEqual(['दीया', 'दीपावली', 'और', 'தாமரை'])
})

it('treats an emoji as a word', () => {
  expect(splitWords('🪔🦚 lamp')).toEqual(['🪔', '🦚', 'lamp'])
})

it('finds plurals and capitalized words', () => {
  const lotus = findMeanings(['lotus'])
  expect(lotus).toHaveLength(1)
  expect(findMeanings(splitWords('Lotuses'))).toEqual(lotus)
  expect(findMeanings(splitWords('LOTUS'))).toEqual(lotus)
})

it('finds a letter with a dot below in composed and decomposed form', () => {
  const [composed, decomposed] = splitWords('सफ़ेद सफ\u093Cेद')
  expect([composed, decomposed].map((word) => findColor(word ?? ''))).toEqual(['white', 'white'])
})
