import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { languageOf, UserText } from './user-text.tsx'

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
