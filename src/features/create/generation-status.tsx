import { PreviewPlaceholder } from '../../ui/brand/preview-placeholder.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { Elapsed } from './elapsed.tsx'
import styles from './generation-status.module.css'
import { aheadSentence, type ImageProgress, type Progress } from './creation-store.ts'
import { roundedTime } from './usual-time.ts'

/**
 * Status of a running generation: across the whole preview, or in a line below an intermediate image. It is not a live
 * region; changes of state are announced separately.
 */
export function GenerationStatus({ image, progress }: { image: ImageProgress; progress: Progress }) {
  const { phase, preview, ahead, waitSeconds } = image
  const delayMessage = describeDelay(image, progress)
  const isRunning = phase === 'running' && !delayMessage
  const share = isRunning ? image.share : null
  return (
    <div className={styles['status']} data-partial={preview !== null || undefined}>
      {share === null ? (
        preview ? (
          <Spinner label="Generating the image" />
        ) : (
          <span role="progressbar" aria-label="Generating the image" className={styles['kolam']}>
            <PreviewPlaceholder lineClass={styles['line']} />
          </span>
        )
      ) : (
        <p className={styles['share']} aria-hidden="true">{`${Math.floor(share * 100)} %`}</p>
      )}
      <div className={styles['lines']}>
        {phase === 'queued' && !delayMessage && (
          <>
            <p className={styles['ahead']}>{aheadSentence(ahead)}</p>
            {waitSeconds !== null && waitSeconds >= 1 && (
              <p className={styles['usual']}>{`starts in ${roundedTime(waitSeconds)}`}</p>
            )}
          </>
        )}
        {delayMessage && <p className={styles['ahead']}>{delayMessage}</p>}
        <Elapsed
          // Restarts the timer with each phase.
          key={image.since}
          since={image.since}
          usualSeconds={isRunning ? image.usualSeconds : null}
          share={share}
        />
      </div>
    </div>
  )
}

function describeDelay({ isStopping }: ImageProgress, { isDisconnected }: Progress): string | null {
  if (isDisconnected) return 'Restoring the connection…'
  return isStopping ? 'The server is restarting…' : null
}
