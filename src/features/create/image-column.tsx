import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { CancelGeneration } from './cancel-generation.tsx'
import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import { Preview } from './preview.tsx'
import type { Creation } from './use-creation.ts'

/** The form's image, and below it the one thing that can be done with it now. */
export function ImageColumn({ creation }: { creation: Creation }) {
  const { draft, progress } = creation
  const { image } = draft
  const column = useSeenFrom(progress !== null)
  return (
    <div ref={column} className={styles['preview']}>
      <Preview image={image} progress={progress} />
      {!progress && creation.promptDiffers && (
        <p className={styles['note']}>
          The prompt has changed since this image was made. What you share is the prompt as it is now.
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

/** Brings the column into view when work on its image begins: on a phone it stands below the button for it. */
function useSeenFrom(isAtWork: boolean) {
  const column = useRef<HTMLDivElement>(null)
  const wasAtWork = useRef(isAtWork)
  useEffect(() => {
    const begins = isAtWork && !wasAtWork.current
    wasAtWork.current = isAtWork
    if (!begins) return
    const { matches: isStill } = window.matchMedia('(prefers-reduced-motion: reduce)')
    column.current?.scrollIntoView({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' })
  }, [isAtWork])
  return column
}
