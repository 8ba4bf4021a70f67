import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hasLongRun, initialOf, languageOf, shorten, UserText } from './text.tsx'
import { splitLongRuns } from './wrapped-text.tsx'

test.each([
  ['a peacock', 'en'],
  ['नृत्य करता मोर', 'hi'],
  ['বৃষ্টিতে ময়ূর', 'bn'],
  ['மழையில் மயில்', 'ta'],
  ['వర్షంలో నెమలి', 'te'],
  ['વરસાદમાં મોર', 'gu'],
  ['ਮੀਂਹ ਵਿੱਚ ਮੋਰ', 'pa'],
  ['ಮಳೆಯಲ್ಲಿ ನವಿಲು', 'kn'],
  ['മഴയിൽ മയിൽ', 'ml'],
  ['طاووس تحت المطر', 'ar'],
  ['טווס בגשם', 'he'],
  ['비 속의 공작', 'ko'],
  ['雨中孔雀', 'zh'],
  ['雨の中の孔雀', 'ja'],
  ['павлин под дождём', 'ru'],
  ['παγώνι στη βροχή', 'el'],
  ['นกยูงในสายฝน', 'th'],
  // Words of other languages do not change it.
  ['नृत्य करता मोर, digital art', 'hi'],
  ['a lamp that says शुभ, in gold', 'en'],
  ['512 × 512 🪔', null],
])('guesses the language of “%s” by its script', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

function renderIn(language: string, words: ReactNode): string {
  const i18n = setupI18n({ locale: language, messages: { [language]: {} } })
  return renderToStaticMarkup(<I18nProvider i18n={i18n}>{words}</I18nProvider>)
}

test('marks the direction of words, and their language if its script is not that of the page', () => {
  expect(renderIn('en', <UserText as="p" text="طاووس" className="prompt" />)).toBe(
    '<p class="prompt" dir="auto" lang="ar">طاووس</p>',
  )
  expect(renderIn('ar', <UserText text="طاووس" />)).toBe('<bdi dir="auto">طاووس</bdi>')
  expect(renderIn('ur', <UserText text="مور" />)).toBe('<bdi dir="auto">مور</bdi>')
  expect(renderIn('es', <UserText text="a peacock" />)).toBe('<bdi dir="auto">a peacock</bdi>')
  expect(renderIn('hi', <UserText text="a peacock" />)).toBe('<bdi dir="auto" lang="en">a peacock</bdi>')
})

test('shortens a text between words and never inside a character', () => {
  expect(shorten('one two three', 13)).toBe('one two three')
  expect(shorten('one two three', 12)).toBe('one two…')
  expect(shorten('🪔🪔🪔🪔', 3)).toBe('🪔🪔🪔…')
})

test.each([
  ['words', 'a lotus in the rain '.repeat(200)],
  ['nothing', ''],
  ['a word of 200 letters', 'a'.repeat(200)],
])('does not split a text of %s', (_, text) => {
  expect(hasLongRun(text)).toBe(false)
  expect(splitLongRuns(text)).toEqual([text])
})

test.each([
  ['Latin', 'a'],
  ['Hindi', 'क्षि'],
  ['Tamil', 'க்ஷௌ'],
  ['emoji', '👩🏽‍❤️‍💋‍👩🏿'],
  ['no-break spaces', 'a\u00a0'],
])('splits a long word of %s between characters', (_, character) => {
  const text = `A lotus ${character.repeat(600)} in the rain`
  expect(hasLongRun(text)).toBe(true)
  const pieces = splitLongRuns(text)
  expect(pieces.join('')).toBe(text)
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const boundaries = new Set([...graphemes.segment(text)].map(({ index }) => index))
  let end = 0
  for (const piece of pieces) {
    expect(boundaries.has(end)).toBe(true)
    expect(piece.length).toBeLessThanOrEqual(220)
    expect(hasLongRun(piece)).toBe(false)
    end += piece.length
  }
})

test('does not split a single long character', () => {
  const women = `👩${'\u200d👩'.repeat(300)}`
  expect(splitLongRuns(`${women} and ${women}`).join('')).toBe(`${women} and ${women}`)
})

test.each([
  ['Asha Rao', 'A'],
  ['  e\u0301mile', 'E\u0301'],
  ['लक्ष्मी', 'ल'],
  ['हिमा', 'हि'],
  ['👩🏽‍🎨 Mira', '👩🏽‍🎨'],
  ['', '?'],
])('the initial of %j is %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})
