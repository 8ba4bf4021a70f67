import type { ReactNode } from 'react'
import styles from './page-heading.module.css'

/** What a page is, in its one h1, and a quiet line about it. The h1 takes focus after a change of page. */
export function PageHeading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['heading']}>
      <h1 tabIndex={-1} className={styles['title']}>
        {keepCompoundsWhole(title)}
      </h1>
      <p className={styles['intro']}>{children}</p>
    </div>
  )
}

/** So that a line never ends with "Text-to-". */
function keepCompoundsWhole(title: string): ReactNode {
  return title.split(/(\S+-\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className={styles['compound']}>
        {part}
      </span>
    ),
  )
}
