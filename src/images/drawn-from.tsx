import { Trans, useLingui } from '@lingui/react/macro'
import styles from './drawn-from.module.css'
import { UserText } from '../ui/user-text.tsx'

/** Words of the prompt that a pattern shows. @param words null for an image whose engine does not report them */
export function DrawnFrom({ words }: { words: readonly string[] | null }) {
  const { i18n } = useLingui()
  if (!words) return null
  const list = new Intl.ListFormat(i18n.locales, { type: 'unit', style: 'short' })
    .formatToParts(words)
    .map(({ type, value }) => (type === 'element' ? <UserText key={value} text={value} /> : value))
  return (
    <p className={styles['words']}>
      {words.length === 0 ? (
        <Trans>An ornament: the engine knows no word of the prompt.</Trans>
      ) : (
        <Trans>Drawn from: {list}</Trans>
      )}
    </p>
  )
}
