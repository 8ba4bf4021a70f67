import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { Elapsed } from './elapsed.tsx'
import styles from './generation-status.module.css'
import { aheadSentence, type ImageProgress, type Progress } from './creation-store.ts'
import { waitSentence } from './usual-time.ts'

/**
 * Status of a running generation: across the whole preview, or in a line below an intermediate image. It is not a live
 * region; changes of state are announced separately.
 */
export function GenerationStatus({ image, progress }: { image: ImageProgress; progress: Progress }) {
  const { i18n, t } = useLingui()
  const { phase, preview, ahead, waitSeconds, isPaused } = image
  const delayMessage = describeDelay(image, progress)
  const isRunning = phase === 'running' && !delayMessage
  const share = isRunning ? image.share : null
  const percent = Math.floor((share ?? 0) * 100)
  return (
    <div className={styles['status']} data-partial={preview !== null || undefined}>
      {share === null ? (
        preview ? (
          <Spinner label={t`Generating the image`} />
        ) : (
          <span role="progressbar" aria-label={t`Generating the image`} className={styles['kolam']}>
            <PreviewPlaceholder lineClass={styles['line']} />
          </span>
        )
      ) : (
        <p className={styles['share']} aria-hidden="true">{t`${percent} %`}</p>
      )}
      <div className={styles['lines']}>
        {phase === 'queued' && !delayMessage && (
          <>
            <p className={styles['ahead']}>
              {isPaused
                ? t`The engine is paused. The image is generated when it is resumed.`
                : i18n._(aheadSentence(ahead))}
            </p>
            {waitSeconds !== null && waitSeconds >= 1 && (
              <p className={styles['usual']}>{i18n._(waitSentence(waitSeconds))}</p>
            )}
          </>
        )}
        {delayMessage && <p className={styles['ahead']}>{i18n._(delayMessage)}</p>}
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

function describeDelay(
  { isStopping }: ImageProgress,
  { isDisconnected }: Progress,
): MessageDescriptor | null {
  if (isDisconnected) return msg`Restoring the connection…`
  return isStopping ? msg`The server is restarting…` : null
}
