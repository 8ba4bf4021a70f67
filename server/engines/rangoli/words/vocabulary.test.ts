import { expect, it } from 'vitest'
import { colorWords } from '../named-colors.ts'
import { findColor, findMeanings, lexicon, splitWords } from './vocabulary.ts'

it('lists every word once', () => {
  for (const words of [lexicon.map(([word]) => word), colorWords.flatMap(([, list]) => splitWords(list))]) {
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
