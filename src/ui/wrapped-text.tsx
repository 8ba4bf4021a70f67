import { Fragment } from 'react'
import { hasLongRun, maxRunLength } from './text.tsx'

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
