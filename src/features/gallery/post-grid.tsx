import type { ReactNode, Ref } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './post-grid.module.css'

/**
 * The one list of the gallery: 1, 2, 3 or 4 columns. `isStale` while the posts for another search come; `before` and
 * `after` are the room of the rows that are not in it, in pixels.
 */
export function PostGrid(props: {
  ref?: Ref<HTMLUListElement>
  isStale: boolean
  before: number
  after: number
  children: ReactNode
}) {
  const { ref, isStale, before, after } = props
  return (
    <ul
      ref={ref}
      className={styles['grid']}
      data-stale={isStale || undefined}
      aria-busy={isStale || undefined}
      {...(before + after > 0 && { style: { paddingBlock: `${before}px ${after}px` } })}
    >
      {props.children}
    </ul>
  )
}

/** Stands where a post will be. */
export function PostPlaceholder() {
  return (
    <li className={styles['placeholder']} aria-hidden="true">
      <Skeleton shape="square" />
    </li>
  )
}

/** As large as posts will be, so that nothing jumps when they come. */
export function PostGridSkeleton() {
  return (
    <div className={styles['grid']} aria-hidden="true">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={styles['placeholder']}>
          <Skeleton shape="square" />
        </div>
      ))}
    </div>
  )
}
