import type { ReactNode } from 'react'
import styles from './text.module.css'

/** Maximum number of code units without a space that are shown without a break opportunity. */
export const maxRunLength = 200

/** Length of alternative texts, in characters: enough to tell images apart, short enough to be listened to. */
const alternativeTextLength = 160

const longRun = new RegExp(`[^ ]{${maxRunLength + 1}}`)
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

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
  const [first] = graphemes.segment(name.trim())
  return first ? first.segment.toUpperCase() : '?'
}

/** A badge with the initial of a name that is shown next to it. */
export function Initial({ name }: { name: string }) {
  // Server and browser may segment a name differently, by their versions of Unicode.
  return (
    <span aria-hidden="true" suppressHydrationWarning className={styles['initial']}>
      {initialOf(name)}
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
