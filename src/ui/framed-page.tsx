import type { ReactNode } from 'react'
import styles from './page.module.css'
import { PageHeading } from './page.tsx'

/** A page with its heading, an introduction and its content. */
export function Page(props: { title: ReactNode; intro: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <PageHeading title={props.title}>{props.intro}</PageHeading>
      {props.children}
    </div>
  )
}

/** A card with what a page has to say, and the next step. */
export function Panel({ children }: { children: ReactNode }) {
  return <div className={`stack card narrow ${styles['panel']}`}>{children}</div>
}
