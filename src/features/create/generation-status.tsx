import { Spinner } from '../../ui/loading.tsx'
import { Elapsed } from './elapsed.tsx'
import styles from './generation-status.module.css'
import { aheadSentence, type Progress } from './creation-store.ts'

/**
 * What is known of an image in the making: over the whole preview, or in a line below the image so far.
 * Nothing of it is a live region; the turns are announced.
 */
export function GenerationStatus({ progress }: { progress: Progress }) {
  const { phase, preview } = progress
  const trouble = troubleSentence(progress)
  return (
    <div className={styles['status']} data-partial={preview !== null || undefined}>
      <Spinner label="Generating the image" size={preview ? 'small' : 'large'} />
      <div className={styles['lines']}>
        {phase === 'queued' && !trouble && <p className={styles['ahead']}>{aheadSentence(progress.ahead)}</p>}
        {trouble && <p className={styles['ahead']}>{trouble}</p>}
        <Elapsed
          // Each phase has a clock of its own.
          key={progress.since}
          since={progress.since}
          usualSeconds={phase === 'running' && !trouble ? progress.usualSeconds : null}
          share={progress.share}
        />
      </div>
    </div>
  )
}

function troubleSentence({ isDisconnected, isStopping }: Progress): string | null {
  if (isDisconnected) return 'Restoring the connection…'
  return isStopping ? 'The server is restarting…' : null
}
