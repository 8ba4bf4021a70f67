import type { ReactNode } from 'react'
import styles from './page.module.css'

export const pageClass = `stack widest ${styles['page']}`

/** Class names of a page that is a column to read or fill in. */
export const textPageClass = `${pageClass} ${styles['text']}`

/** The page's h1, which gets focus after navigation, and an introduction. */
export function PageHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={`stack tight ${styles['heading']}`}>
      <h1 tabIndex={-1} className={styles['title']}>
        {typeof title === 'string' ? keepCompoundsWhole(title) : title}
      </h1>
      {children && <p className={`intro ${styles['intro']}`}>{children}</p>}
    </div>
  )
}

/** Keeps "Text-to-Image" on one line. */
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

/**
 * A page with its heading, an introduction and its content.
 *
 * @param props.isText true for a column to read or fill in, in place of the width for images and tables
 */
export function Page(props: { title: ReactNode; intro: ReactNode; isText?: boolean; children: ReactNode }) {
  return (
    <div className={props.isText ? textPageClass : pageClass}>
      <PageHeading title={props.title}>{props.intro}</PageHeading>
      {props.children}
    </div>
  )
}

/** A card with what a page has to say, and the next step. */
export function Panel({ children }: { children: ReactNode }) {
  return <div className={`stack card narrow ${styles['panel']}`}>{children}</div>
}
