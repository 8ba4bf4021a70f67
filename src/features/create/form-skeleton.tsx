import { Skeleton } from '../../ui/loading.tsx'
import styles from './create-form.module.css'

/** Placeholder in the size of the form, shown until the session is known. */
export function FormSkeleton() {
  return (
    <div className={styles['form']} aria-hidden="true">
      <div className={styles['fields']}>
        <Skeleton shape="line" />
        <Skeleton shape="control" />
        <Skeleton shape="line" />
        <Skeleton shape="area" />
        <Skeleton shape="pill" />
      </div>
      <div className={styles['preview']}>
        <Skeleton shape="square" />
      </div>
    </div>
  )
}
