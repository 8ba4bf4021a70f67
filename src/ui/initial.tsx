import styles from './initial.module.css'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first character of a name as users see it: a whole syllable in Devanagari, a whole emoji. */
export function initialOf(name: string): string {
  const [first] = graphemes.segment(name.trim())
  return first ? first.segment.toUpperCase() : '?'
}

/** A badge with the initial of the name that stands beside it. */
export function Initial({ name }: { name: string }) {
  // Server and browser may know different versions of Unicode, and part a syllable differently.
  return (
    <span aria-hidden="true" suppressHydrationWarning className={styles['initial']}>
      {initialOf(name)}
    </span>
  )
}
