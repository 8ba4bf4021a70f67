import type { ReactNode } from 'react'
import styles from './page.module.css'
import { pageClass, PageHeading, textPageClass } from './page.tsx'

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
