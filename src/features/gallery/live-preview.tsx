import { useLingui } from '@lingui/react/macro'
import { previewPath } from '../../../shared/routes.ts'
import { anotherSamplePrompt } from '../../../shared/sample-prompts.ts'
import { useEffect, useState } from 'react'
import { DrawnFrom } from '../../images/recipe.tsx'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { shorten } from '../../ui/text.tsx'
import styles from './hero.module.css'

/** Time without a key press after which the words are drawn, in milliseconds. */
const debounceMs = 180

/** The answer of `/api/preview`. */
interface Preview {
  readonly svg: string
  readonly drawnFrom: readonly string[]
  readonly notDrawn: readonly string[]
  readonly near: Readonly<Record<string, readonly string[]>>
}

interface Drawing {
  /** URL of the image; null if it could not be drawn. */
  readonly url: string | null
  readonly words?: Omit<Preview, 'svg'>
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
    <div className={`stack wider card ${styles['live']}`}>
      <div className={`layers ${styles['preview']}`}>
        {drawing ? (
          <>
            {/* Under the new drawing, which fades in. */}
            {former?.url && <img key={former.url} src={former.url} alt="" className="contain" />}
            {drawing.url && (
              <img
                key={drawing.url}
                src={drawing.url}
                alt={t`Preview of: ${drawnWords}`}
                className="contain appearing"
              />
            )}
          </>
        ) : (
          <PreviewPlaceholder />
        )}
      </div>
      <div className="stack tight">
        {drawing?.words && <DrawnFrom {...drawing.words} />}
        <p className="quiet small">
          {drawing?.url === null
            ? t`There is no preview right now. Keep it to make the image.`
            : t`Drawn from your words as you type. Keep it to get the full image, to share or download.`}
        </p>
      </div>
    </div>
  )
}

/** Returns the latest drawing and the one before it; null until there is one. */
function useDrawing(prompt: string): readonly [Drawing | null, Drawing | null] {
  const [drawings, setDrawings] = useState<[Drawing | null, Drawing | null]>([null, null])
  useEffect(() => {
    const stale = new AbortController()
    const show = (drawing: Drawing) => !stale.signal.aborted && setDrawings(([latest]) => [drawing, latest])
    const timer = setTimeout(() => {
      void draw(prompt, stale.signal).then(show, () => show({ url: null, prompt }))
    }, debounceMs)
    return () => {
      stale.abort()
      clearTimeout(timer)
    }
  }, [prompt])
  return drawings
}

async function draw(prompt: string, signal: AbortSignal): Promise<Drawing> {
  const response = await fetch(previewPath(prompt), {
    headers: { accept: 'application/json' },
    signal,
  })
  if (!response.ok) return { url: null, prompt }
  const { svg, ...words } = (await response.json()) as Preview
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  // Its element takes the decoded image from the browser's cache.
  await image.decode()
  return { url: image.src, words, prompt }
}
