import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { CancelGeneration } from './cancel-generation.tsx'
import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import { Preview } from './preview.tsx'
import type { Creation } from './use-creation.ts'

/** The form's image, and below it the action that is available for it. */
export function ImageColumn({ creation }: { creation: Creation }) {
  const { draft, progress } = creation
  const { image } = draft
  const column = useScrollIntoView(progress !== null)
  return (
    <div ref={column} className={styles['preview']}>
      <Preview image={image} progress={progress} />
      {!progress && creation.promptDiffers && (
        <p className={styles['note']}>
          The prompt has changed since this image was made. Sharing uses the current prompt.
        </p>
      )}
      {!progress && image?.isHidden && (
        <p className={styles['note']}>An administrator has hidden this image. It cannot be shared.</p>
      )}
      <div className={styles['step']}>
        {progress ? (
          <CancelGeneration isCanceling={progress.isCanceling} onCancel={() => void creation.cancel()} />
        ) : (
          image &&
          !image.isHidden && (
            <Button
              id={elementIds.share}
              variant="primary"
              wide
              isBusy={creation.isSharing}
              onClick={() => void creation.share()}
            >
              {creation.isSharing ? 'Sharing…' : 'Share with the Community'}
            </Button>
          )
        )}
      </div>
    </div>
  )
}

/** Scrolls the column into view when a generation starts: on a phone it is below the Generate button. */
function useScrollIntoView(isGenerating: boolean) {
  const column = useRef<HTMLDivElement>(null)
  const wasGenerating = useRef(isGenerating)
  useEffect(() => {
    const hasStarted = isGenerating && !wasGenerating.current
    wasGenerating.current = isGenerating
    if (!hasStarted) return
    const { matches: isReduced } = window.matchMedia('(prefers-reduced-motion: reduce)')
    column.current?.scrollIntoView({ block: 'nearest', behavior: isReduced ? 'instant' : 'smooth' })
  }, [isGenerating])
  return column
}
