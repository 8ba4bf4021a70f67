import { useLingui } from '@lingui/react/macro'
import { anotherSamplePrompt } from '../../../shared/sample-prompts.ts'
import { useEffect, useState } from 'react'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { shorten } from '../../ui/text.tsx'
import styles from './hero.module.css'

/** Time without a key press after which the words are drawn, in milliseconds. */
const debounceMs = 180

interface Drawing {
  /** URL of the image; null if it could not be drawn. */
  readonly url: string | null
  readonly prompt: string
}

/** Returns another prompt to start from, in the language of the page. */
export function surprise(current: string): string {
  return anotherSamplePrompt(current, document.documentElement.lang)
}

/** The pattern of a prompt, drawn by the server while the prompt is typed, and not stored. */
export function LivePreview({ prompt }: { prompt: string }) {
  const { t } = useLingui()
  const [drawing, former] = useDrawing(prompt)
  const drawnWords = drawing && shorten(drawing.prompt)
  return (
    <div className={styles['live']}>
      <div className={styles['preview']}>
        {drawing ? (
          <>
            {/* Under the new drawing, which fades in. */}
            {former?.url && <img key={former.url} src={former.url} alt="" />}
            {drawing.url && (
              <img
                key={drawing.url}
                src={drawing.url}
                alt={t`Preview of: ${drawnWords}`}
                className={styles['new']}
              />
            )}
          </>
        ) : (
          <PreviewPlaceholder />
        )}
      </div>
      <p className={styles['hint']}>
        {drawing?.url === null
          ? t`There is no preview right now. Keep it to make the image.`
          : t`Drawn from your words as you type. Keep it to get the full image, to share or download.`}
      </p>
    </div>
  )
}

/** Returns the latest drawing and the one before it; null until there is one. */
function useDrawing(prompt: string): readonly [Drawing | null, Drawing | null] {
  const [drawings, setDrawings] = useState<[Drawing | null, Drawing | null]>([null, null])
  useEffect(() => {
    const image = new Image()
    let isStale = false
    const show = (url: string | null) => !isStale && setDrawings(([latest]) => [{ url, prompt }, latest])
    const timer = setTimeout(() => {
      image.src = `/api/preview?${new URLSearchParams({ prompt })}`
      // Its element takes the decoded image from the browser's cache.
      image.decode().then(
        () => show(image.src),
        () => show(null),
      )
    }, debounceMs)
    return () => {
      isStale = true
      clearTimeout(timer)
      // Cancels the request.
      image.src = ''
    }
  }, [prompt])
  return drawings
}
