import { Spinner } from '../../ui/spinner.tsx'
import styles from './result-count.module.css'

/** How many posts there are, or that they are coming. `total` is null where nobody knows. */
export function ResultCount({ total, isLoading }: { total: number | null; isLoading: boolean }) {
  return (
    <div className={styles['line']}>
      {isLoading && <Spinner label="Loading posts" />}
      <p className={styles['count']} aria-live="polite">
        {isLoading ? 'Loading…' : total !== null && countSentence(total)}
      </p>
    </div>
  )
}

/** `Showing 1 post`, `Showing 2 posts`. */
export function countSentence(total: number): string {
  return `Showing ${total} ${total === 1 ? 'post' : 'posts'}`
}
