import { Spinner } from '../../ui/loading.tsx'
import { Elapsed } from './elapsed.tsx'
import styles from './generation-status.module.css'
import { aheadSentence, type Progress } from './creation-store.ts'

/**
 * Status of a running generation: across the whole preview, or in a line below an intermediate image. It is not a live
 * region; changes of state are announced separately.
 */
export function GenerationStatus({ progress }: { progress: Progress }) {
  const { phase, preview } = progress
  const delayMessage = describeDelay(progress)
  return (
    <div className={styles['status']} data-partial={preview !== null || undefined}>
      <Spinner label="Generating the image" size={preview ? 'small' : 'large'} />
      <div className={styles['lines']}>
        {phase === 'queued' && !delayMessage && (
          <p className={styles['ahead']}>{aheadSentence(progress.ahead)}</p>
        )}
        {delayMessage && <p className={styles['ahead']}>{delayMessage}</p>}
        <Elapsed
          // Restarts the timer with each phase.
          key={progress.since}
          since={progress.since}
          usualSeconds={phase === 'running' && !delayMessage ? progress.usualSeconds : null}
          share={progress.share}
        />
      </div>
    </div>
  )
}

function describeDelay({ isDisconnected, isStopping }: Progress): string | null {
  if (isDisconnected) return 'Restoring the connection…'
  return isStopping ? 'The server is restarting…' : null
}
