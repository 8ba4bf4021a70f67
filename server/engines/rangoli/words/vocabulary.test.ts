import { expect, it } from 'vitest'
import { colourWords } from './color-words.ts'
import { findColour, findMeaning, lexicon, split } from './vocabulary.ts'

it('lists no word twice', () => {
  for (const words of [lexicon.map(([word]) => word), colourWords.flatMap(([, list]) => split(list))]) {
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  }
})

it('keeps the signs of Devanagari and Tamil with their letters', () => {
  expect(split('दीया, दीपावली और தாமரை!')).toEqual(['दीया', 'दीपावली', 'और', 'தாமரை'])
})

it('takes an emoji for a word', () => {
  expect(split('🪔🦚 lamp')).toEqual(['🪔', '🦚', 'lamp'])
})

it('knows plurals and capitals', () => {
  const lotus = findMeaning('lotus')
  expect(findMeaning('lotuses')).toBe(lotus)
  expect(split('LOTUS').map(findMeaning)).toEqual([lotus])
})

it('knows both spellings of a letter with a dot below', () => {
  const [composed, decomposed] = split('सफ़ेद सफ\u093Cेद')
  expect([composed, decomposed].map((word) => findColour(word ?? ''))).toEqual(['white', 'white'])
})
