import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './account.module.css'

/** One matter of an account: what it is, and beside it what can be done about it. */
export function Section(props: { title: string; intro: ReactNode; children: ReactNode }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={styles['section']}>
      <div className={styles['about']}>
        <h2 id={headingId} className={styles['heading']}>
          {props.title}
        </h2>
        <p className={styles['intro']}>{props.intro}</p>
      </div>
      <div className={styles['controls']}>{props.children}</div>
    </section>
  )
}
