import { useLingui } from '@lingui/react/macro'
import type { ElementType, HTMLAttributes, ReactNode } from 'react'
import { avatarPath } from '../../shared/routes.ts'
import styles from './text.module.css'

/** Maximum number of code units without a space that are shown without a break opportunity. */
export const maxRunLength = 200

/** Length of alternative texts, in characters: enough to tell images apart, short enough to be listened to. */
const alternativeTextLength = 160

const longRun = new RegExp(`[^ ]{${maxRunLength + 1}}`)

/** An initial before a character that cannot be a part of it. */
const plainInitial = /^[!-~\p{L}](?=[ -~\p{Lu}\p{Ll}]|$)/u

/** Shortens a text to `maxLength` characters, between words where possible. */
export function shorten(text: string, maxLength = alternativeTextLength): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const cut = characters.slice(0, maxLength).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > maxLength / 2 ? cut.slice(0, lastSpace) : cut}…`
}

/** Checks whether a text has a word that browsers take long to break into lines. */
export function hasLongRun(text: string): boolean {
  return longRun.test(text)
}

/** First user-perceived character of a name, such as a Devanagari syllable or an emoji. */
export function initialOf(name: string): string {
  const text = name.trim()
  const first =
    plainInitial.exec(text)?.[0] ??
    // The first segmenter of a tab takes a slow phone 50 ms.
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text).containing(0)?.segment
  return first?.toUpperCase() ?? '?'
}

/** A badge with the initial of a name that is shown next to it, within the drawing of its user. */
export function Initial({ name, userId }: { name: string; userId: string }) {
  return (
    <span aria-hidden="true" className={`layers ${styles['badge']}`}>
      <img src={avatarPath(userId)} alt="" loading="lazy" />
      {/* Server and browser may segment a name differently, by their versions of Unicode. */}
      <span suppressHydrationWarning className={styles['initial']}>
        {initialOf(name)}
      </span>
    </span>
  )
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}

/** A link that is visible while it has the focus, and moves it to the element with the id `to`, past what is between. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={`#${to}`} className={styles['skip']}>
      {children}
    </a>
  )
}

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
  return { language, pattern: `[${classes.join('')}]` }
})

/** Compiled with the first text in another script than the Latin one: this takes a slow phone 100 ms. */
let letters: readonly { readonly language: string; readonly pattern: RegExp }[] | null = null

/** Guesses the language of a text by the script of most of its letters; null for a text without known letters. */
export function languageOf(text: string): string | null {
  if (/^\p{ASCII}*$/u.test(text)) return /[a-z]/i.test(text) ? 'en' : null
  letters ??= languages.map(({ language, pattern }) => ({ language, pattern: new RegExp(pattern, 'gu') }))
  let [found, most]: [string | null, number] = [null, 0]
  for (const { language, pattern } of letters) {
    const count = text.match(pattern)?.length ?? 0
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

/** A user's words in an element of their own, with the direction of their first letter and their language. */
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

/** The day of a time, which server and browser render alike. `at` is in ISO 8601. */
export function Day({ at }: { at: string }) {
  const { i18n } = useLingui()
  return (
    // They may abbreviate months differently, by their versions of the locale data.
    <time dateTime={at} suppressHydrationWarning>
      {i18n.date(at, { dateStyle: 'medium', timeZone: 'UTC' })}
    </time>
  )
}
