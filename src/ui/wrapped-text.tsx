import { Fragment } from 'react'

/** Number of code units without a space beyond which a text gets a break opportunity. */
const runMax = 200

const longRun = new RegExp(`[^ ]{${runMax + 1}}`)

/** Reports whether a text has a word that browsers need long to break into lines. */
export function hasLongRun(text: string): boolean {
  return longRun.test(text)
}

/** Splits a text between two characters, wherever more than `runMax` code units stand without a space. */
export function splitLongRuns(text: string): string[] {
  if (!hasLongRun(text)) return [text]
  const pieces: string[] = []
  let start = 0
  let run = 0
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    run = segment === ' ' ? 0 : run + segment.length
    if (run <= runMax) continue
    if (index > start) pieces.push(text.slice(start, index))
    start = index
    run = segment.length
  }
  return [...pieces, text.slice(start)]
}

/**
 * Shows a user's text with break opportunities in its longest words. Without them the time to break a word into lines
 * grows with the square of its length in scripts with clusters: Chromium needs 20 s for 16,000 code units of Tamil. Not
 * for what the server renders, as browsers may split a text elsewhere.
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
