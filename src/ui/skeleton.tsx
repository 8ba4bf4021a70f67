import styles from './skeleton.module.css'

/** Holds the place of something that is loading.. */
export function Skeleton({ shape }: { shape: 'line' | 'control' | 'area' | 'square' | 'pill' }) {
  return <span aria-hidden="true" className={`${styles['skeleton']} ${styles[shape]}`} />
}
