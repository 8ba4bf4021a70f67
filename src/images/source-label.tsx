import type { Post } from '../../shared/posts.ts'
import { describeSource } from './describe-source.ts'
import styles from './source-label.module.css'

/** Says, in a corner of the image that it stands over, where that came from. */
export function SourceLabel(image: Pick<Post, 'source' | 'engine'>) {
  return <span className={styles['label']}>{describeSource(image)}</span>
}
