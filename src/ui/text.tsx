import { Fragment } from 'react'
import type { ReactNode } from 'react'
import styles from './text.module.css'

/** Maximum number of code units without a space that are shown without a break opportunity. */
const maxRunLength = 200

/** Length of alternative texts, in characters: enough to tell images apart, short enough to be listened to. */
const alternativeTextLength = 160

const longRun = new RegExp(`[^ ]{${maxRunLength + 1}}`)
const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

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

/** Splits a text between characters wherever more than `maxRunLength` code units follow each other without a space. */
export function splitLongRuns(text: string): string[] {
  if (!hasLongRun(text)) return [text]
  const pieces: string[] = []
  let start = 0
  let run = 0
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    run = segment === ' ' ? 0 : run + segment.length
    if (run <= maxRunLength) continue
    if (index > start) pieces.push(text.slice(start, index))
    start = index
    run = segment.length
  }
  return [...pieces, text.slice(start)]
}

/**
 * A user's text with break opportunities in its longest words. Without them, the time to break a word into lines grows
 * with the square of its length in scripts with clusters: Chromium needs 20 s for 16,000 code units of Tamil. Render it
 * in the browser only, which may split a text elsewhere than the server.
 */
export function WrappedText({ text }: { text: string }) {
  const [first, ...rest] = splitLongRuns(text)
  let offset = 0
  return (
    <>
      {first}
      {rest.map((piece) => (
        <Fragment key={(offset += piece.length)}>
          <wbr />
          {piece}
        </Fragment>
      ))}
    </>
  )
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

/** A date and time in the viewer's time zone. `at` is in ISO 8601. */
export function DateTime({ at }: { at: string }) {
  return <time dateTime={at}>{dateTimeFormat.format(new Date(at))}</time>
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles['hidden']}>{children}</span>
}
