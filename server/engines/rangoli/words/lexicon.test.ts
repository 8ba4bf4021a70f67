import { expect, it } from 'vitest'
import { layoutNames } from '../design.ts'
import { hasMotif, loadFigures } from '../figures/catalog.ts'
import { namedBackgrounds, namedColors, palettes } from '../named-colors.ts'
import { lexicon, vocabulary } from './lexicon.ts'
import { splitWords } from './spelling.ts'

it('names motifs, colors, backgrounds, palettes and layouts that exist', async () => {
  await loadFigures()
  const { festivals, objects, people, elements, plants, animals, scenes, moods, forms } = vocabulary
  const entries = [festivals, objects, people, elements, plants, animals, scenes, moods, forms].flat()
  const unknown = <T extends string>(names: readonly T[], isKnown: (name: T) => boolean) =>
    names.filter((name) => !isKnown(name))
  expect([
    ...unknown(Object.keys(vocabulary.colors), (name) => name in namedColors),
    ...unknown(
      entries.flatMap((entry) => entry.colors ?? []),
      (name) => name in namedColors,
    ),
    ...unknown(
      entries.flatMap((entry) => entry.motifs ?? []),
      hasMotif,
    ),
    ...unknown(
      entries.flatMap((entry) => entry.backgrounds ?? []),
      (name) => name in namedBackgrounds,
    ),
    ...unknown(
      entries.flatMap((entry) => entry.palettes ?? []),
      (name) => name in palettes,
    ),
    ...unknown(
      entries.flatMap((entry) => entry.layouts ?? []),
      (name) => layoutNames.includes(name),
    ),
  ]).toEqual([])
})

it('lists every word once', () => {
  for (const words of [
    lexicon.map(([word]) => word),
    Object.values(vocabulary.colors).flatMap((lines) => lines.flatMap(splitWords)),
  ]) {
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  }
})

it.each([
  ['दीया, दीपावली और தாமரை!', ['दीया', 'दीपावली', 'और', 'தாமரை']],
  ['🪔🦚 lamp', ['🪔', '🦚', 'lamp']],
  ['猫 and ねこ', ['猫', 'and', 'ね', 'こ']],
  ['सफ़ेद सफ\u093Cेद', ['सफेद', 'सफेद']],
])('splits %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})
