import { useLingui } from '@lingui/react/macro'
import type { ElementType, HTMLAttributes } from 'react'

/** Letters of scripts by a language that is written in them. Several languages share most scripts: this is a guess. */
const languages = Object.entries({
  en: 'Latn',
  hi: 'Deva',
  bn: 'Beng',
  ta: 'Taml',
  te: 'Telu',
  gu: 'Gujr',
  pa: 'Guru',
  kn: 'Knda',
  ml: 'Mlym',
  ar: 'Arab',
  he: 'Hebr',
  ko: 'Hang',
  zh: 'Hani',
  // Japanese is written in Chinese characters too, so these count for both; Chinese comes first.
  ja: 'Hani Hira Kana',
  ru: 'Cyrl',
  el: 'Grek',
  th: 'Thai',
}).map(([language, scripts]) => {
  const classes = scripts.split(' ').map((script) => String.raw`\p{sc=${script}}`)
  return { language, letters: new RegExp(`[${classes.join('')}]`, 'gu') }
})

/** Guesses the language of a text by the script of most of its letters; null for a text without known letters. */
export function languageOf(text: string): string | null {
  let [found, most]: [string | null, number] = [null, 0]
  for (const { language, letters } of languages) {
    const count = text.match(letters)?.length ?? 0
    if (count > most) [found, most] = [language, count]
  }
  return found
}

/**
 * Language of a user's words for the attribute `lang`. Undefined if they are in the script of the page, as its own language
 * is the better guess then.
 */
export function useLanguageOf(text: string): string | undefined {
  const { i18n } = useLingui()
  const language = languageOf(text)
  if (language === null || language === i18n.locale) return undefined
  return scriptOf(language) === scriptOf(i18n.locale) ? undefined : language
}

function scriptOf(language: string): string | undefined {
  return new Intl.Locale(language).maximize().script
}

/**
 * A user's words in an element of their own, with the direction of their first letter and their language.
 *
 * @param props.as `bdi` by default, for words within a sentence
 * @param props.children other elements with the same words
 */
export function UserText({
  text,
  as: Element = 'bdi',
  children = text,
  ...attributes
}: { text: string; as?: ElementType } & Omit<HTMLAttributes<HTMLElement>, 'dir' | 'lang'>) {
  return (
    <Element {...attributes} dir="auto" lang={useLanguageOf(text)}>
      {children}
    </Element>
  )
}
