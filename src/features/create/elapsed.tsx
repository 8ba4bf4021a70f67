import { useEffect, useState } from 'react'
import styles from './generation-status.module.css'
import { clockTime, likelyShare, usualSentence } from './usual-time.ts'

/** Elapsed and usual time. Ticks by itself, without rendering its parents. */
export function Elapsed(props: { since: number; usualSeconds: number | null; share: number | null }) {
  const { since, usualSeconds, share } = props
  const seconds = useSecondsSince(since)
  return (
    <>
      <p className={styles['time']}>
        <span role="timer">{clockTime(seconds)}</span>
      </p>
      {usualSeconds !== null && (
        <>
          <p className={styles['usual']}>{usualSentence(usualSeconds, seconds)}</p>
          <span
            aria-hidden="true"
            className={styles['bar']}
            style={{ scale: `${share ?? likelyShare(usualSeconds, seconds)} 1` }}
          />
        </>
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
