import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '../../../ui/loading.tsx'
import styles from './timeline.module.css'

/** Placeholders of a user's images while they load. */
export function PlaceholderGrid() {
  const { t } = useLingui()
  return (
    <div role="progressbar" aria-label={t`Loading your images`} className={styles['grid']}>
      {[1, 2, 3, 4, 5, 6].map((image) => (
        <Skeleton key={image} shape="square" />
      ))}
    </div>
  )
}

/** The same below a placeholder of their search. */
export function PlaceholderScreen() {
  return (
    <div className="stack widest">
      <Skeleton shape="control" />
      <PlaceholderGrid />
    </div>
  )
}
