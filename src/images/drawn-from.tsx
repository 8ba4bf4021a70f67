import { Fragment } from 'react'
import styles from './drawn-from.module.css'
import { UserText } from '../ui/user-text.tsx'

/** Words of the prompt that a pattern shows. @param words null for an image whose engine does not report them */
export function DrawnFrom({ words }: { words: readonly string[] | null }) {
  if (!words) return null
  return (
    <p className={styles['words']}>
      {words.length === 0 && 'An ornament: the engine knows no word of the prompt.'}
      {words.length > 0 && 'Drawn from: '}
      {words.map((word, index) => (
        <Fragment key={word}>
          {index > 0 && ', '}
          <UserText text={word} />
        </Fragment>
      ))}
    </p>
  )
}
