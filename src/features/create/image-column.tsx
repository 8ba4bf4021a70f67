import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useRef } from 'react'
import type { SucceededImage } from '../../../shared/images.ts'
import { DrawnFrom } from '../../images/recipe.tsx'
import { Button } from '../../ui/button.tsx'
import { BatchStrip } from './batch-strip.tsx'
import { CancelGeneration } from './cancel-generation.tsx'
import styles from './create-form.module.css'
import { DownloadImage } from './download-image.tsx'
import { NotificationOffer } from './notification-offer.tsx'
import { Preview } from './preview.tsx'
import { Sharing, SharedLink } from './sharing.tsx'
import { RecipeDetails } from './recipe-details.tsx'
import type { Creation } from './use-creation.ts'
import { useSettingsIntoForm } from './use-image-into-form.ts'
import type { OwnImages } from './use-own-images.ts'

/** Words that change a pattern. The engine knows them in every language of the interface. */
const suggestedWords = [
  msg({ message: 'at dusk', comment: 'Added to a prompt. The engine must know the word.' }),
  msg({ message: 'in gold', comment: 'Added to a prompt. The engine must know the word.' }),
]

/** The form's images, and below them the actions that are available for the selected one. */
export function ImageColumn({ creation, ownImages }: { creation: Creation; ownImages: OwnImages }) {
  const { draft, progress } = creation
  const { image } = draft
  const column = useScrollIntoView(progress !== null)
  const previewId = useId()
  const own = ownImages.images?.find(({ id }) => id === image?.id)
  const post = creation.promptDiffers || creation.isSharing ? undefined : own?.posts[0]
  return (
    <div ref={column} className={styles['preview']}>
      <div id={previewId}>
        <Preview image={image} progress={progress} />
      </div>
      <BatchStrip draft={draft} progress={progress} onChoose={creation.choose} />
      {!progress && image && creation.reusedIds.includes(image.id) && !creation.promptDiffers && (
        <SameWords creation={creation} />
      )}
      {!progress && creation.promptDiffers && (
        <p className={styles['note']}>
          <Trans>The prompt has changed since this image was made. Sharing uses the current prompt.</Trans>
        </p>
      )}
      {!progress && image?.isHidden && (
        <p className={styles['note']}>
          <Trans>An administrator has hidden this image. It cannot be shared.</Trans>
        </p>
      )}
      <div className={styles['step']}>
        {progress ? (
          <CancelGeneration isCanceling={progress.isCanceling} onCancel={() => void creation.cancel()} />
        ) : (
          image && !image.isHidden && (post ? <SharedLink post={post} /> : <Sharing creation={creation} />)
        )}
      </div>
      {!progress && image && (
        <>
          <Again key={image.id} image={image} creation={creation} describedBy={previewId} />
          <NotificationOffer />
        </>
      )}
    </div>
  )
}

/** Explains why Generate made no new image, and offers words that make another one. */
function SameWords({ creation }: { creation: Creation }) {
  const { i18n } = useLingui()
  const prompt = creation.draft.prompt.trim()
  return (
    <>
      <p className={styles['note']}>
        <Trans>The same words make the same pattern. It was not counted.</Trans>
      </p>
      <div className={styles['words']}>
        {suggestedWords
          .map((words) => i18n._(words))
          .filter((words) => !prompt.includes(words))
          .map((words) => (
            <Button key={words} onClick={() => void creation.generateFrom(`${prompt} ${words}`)}>
              {`… ${words}`}
            </Button>
          ))}
      </div>
    </>
  )
}

/** Actions that go on from a finished image. */
function Again(props: { image: SucceededImage; creation: Creation; describedBy: string }) {
  const { image, creation } = props
  const { recipe } = image
  const putIntoForm = useSettingsIntoForm(creation)
  const engine = creation.engines.list.find(({ id }) => id === image.engine)
  return (
    <>
      {recipe && <DrawnFrom words={recipe.drawnFrom} />}
      <div className={styles['again']}>
        {engine?.capabilities.seed && recipe && (
          <>
            {recipe.seed !== null && (
              <Button onClick={() => void putIntoForm(recipe)}>
                <Trans>Same again</Trans>
              </Button>
            )}
            <Button
              aria-disabled={!engine.isAvailable}
              onClick={() => engine.isAvailable && void creation.vary(image, recipe)}
            >
              <Trans>Vary</Trans>
            </Button>
          </>
        )}
        <DownloadImage image={image} describedBy={props.describedBy} />
      </div>
      {recipe && <RecipeDetails recipe={recipe} isBusy={false} onUse={() => void putIntoForm(recipe)} />}
    </>
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
