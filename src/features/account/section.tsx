import { useId, type ReactNode } from 'react'
import { Skeleton } from '../../ui/loading.tsx'
import styles from './account.module.css'

/** A section of the account page: title and introduction on one side, controls on the other. */
export function Section(props: { title: string; intro: ReactNode; children: ReactNode }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={`stack card ${styles['section']}`}>
      <div className="stack tight">
        <h2 id={headingId}>{props.title}</h2>
        <p className="intro">{props.intro}</p>
      </div>
      <div className={`stack ${styles['controls']}`}>{props.children}</div>
    </section>
  )
}

/** Placeholder of the size of the first sections. */
export function AccountSkeleton() {
  return (
    <div className="stack widest" aria-hidden="true">
      {[1, 2, 3].map((section) => (
        <div key={section} className={`stack card ${styles['section']}`}>
          <div className="stack tight">
            <Skeleton shape="line" />
          </div>
          <div className="stack">
            {(['line', 'control', 'line', 'control', 'pill'] as const).map((shape, index) => (
              <Skeleton key={[shape, index].join()} shape={shape} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
