import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import styles from './generation-status.module.css'
import { clockTime, likelyShare, remainingSentence, usualSentence } from './usual-time.ts'

/**
 * Elapsed time and a bar: the fraction that the engine reports, or else an estimate from the usual duration, which is
 * hidden from screen readers. Ticks by itself, without rendering its parents.
 */
export function Elapsed(props: { since: number; usualSeconds: number | null; share: number | null }) {
  const { i18n, t } = useLingui()
  const { since, usualSeconds, share } = props
  const seconds = useSecondsSince(since)
  const estimate = usualSeconds === null ? null : likelyShare(usualSeconds, seconds)
  const sentence =
    share === null
      ? usualSeconds === null
        ? null
        : usualSentence(usualSeconds, seconds)
      : remainingSentence(share, seconds)
  return (
    <>
      <p className={styles['time']}>
        {/* Most patterns are drawn within the first second. */}
        <span role="timer">{seconds > 0 && clockTime(seconds)}</span>
      </p>
      {sentence && <p className={styles['usual']}>{i18n._(sentence)}</p>}
      {share !== null ? (
        <span
          role="progressbar"
          aria-label={t`Generating the image`}
          aria-valuenow={Math.floor(share * 100)}
          className={styles['bar']}
        >
          <span style={{ scale: `${share} 1` }} />
        </span>
      ) : (
        estimate !== null && (
          <span aria-hidden="true" className={styles['bar']}>
            <span style={{ scale: `${estimate} 1` }} />
          </span>
        )
      )}
    </>
  )
}

function useSecondsSince(since: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000))
}
