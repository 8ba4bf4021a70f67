import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId } from 'react'
import { Link } from 'wouter'
import { isFinished, isSucceeded, type Image } from '../../../shared/images.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { describeImage, SmallImage } from '../../images/image.tsx'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/text.tsx'
import screen from './create-form.module.css'
import styles from './feed.module.css'
import { imageFailureMessage, nextImage, type Progress } from './progress.ts'
import { elementIds, focusFirst, scrollToStage, useFocusHandover } from './element-ids.ts'
import { GenerationStatus } from './stage.tsx'
import { useCreation } from './use-creation.ts'
import { batchesOf, useOwnImages } from './use-own-images.ts'

/** Number of finished requests that are listed. */
const finishedCount = 8

/** The user's requests, newest first: running ones that are not on the stage, then the latest finished ones. */
export function Feed() {
  const { t } = useLingui()
  const { running, progress: shown, pickUp } = useCreation()
  const ownImages = useOwnImages({ filter: 'all' }, running)
  const { images, isCurrent } = ownImages
  useEffect(() => {
    // Follows what was started in another tab, on another device, or before the page was reloaded.
    if (isCurrent) pickUp(batchesOf((images ?? []).filter(({ state }) => !isFinished(state))).toReversed())
  }, [images, isCurrent, pickUp])
  const headingId = useId()
  const waiting = running.filter(({ key }) => key !== shown?.key).toReversed()
  const finished = batchesOf(ownImages.listed.filter(({ state }) => isFinished(state))).slice(
    0,
    finishedCount,
  )
  const isEmpty = waiting.length === 0 && finished.length === 0
  if (isEmpty && !ownImages.failure && !ownImages.hasMore) return null
  return (
    <section aria-labelledby={headingId} className={`stack ${screen['feed']}`}>
      <div className={`ends ${styles['top']}`}>
        <h2 id={headingId}>{t`Your images`}</h2>
        <Link href={pagePaths.yourImages}>{t`All your images`}</Link>
      </div>
      {!isEmpty && (
        <ul className={styles['requests']}>
          {waiting.map((progress) => (
            <RunningRequest key={progress.key} progress={progress} />
          ))}
          {finished.map((batch) => (
            <FinishedRequest key={batch[0]?.id} batch={batch} />
          ))}
        </ul>
      )}
      <Notice action={<RetryButton onClick={ownImages.retry} />}>{ownImages.failure}</Notice>
    </section>
  )
}

/** A batch that is generated while another one is on the stage. */
function RunningRequest({ progress }: { progress: Progress }) {
  const { t } = useLingui()
  const creation = useCreation()
  const promptId = useId()
  const next = nextImage(progress)
  const item = useFocusHandover<HTMLLIElement>(elementIds.generate)
  return (
    <li ref={item} className={`row centered card ${styles['request']}`}>
      <div className={`stack tightest ${styles['text']}`}>
        <UserText as="p" id={promptId} text={progress.prompt} className="clamp" />
        {next && <GenerationStatus image={next} progress={progress} isLine />}
      </div>
      <div className="row">
        <Button
          aria-describedby={promptId}
          onClick={() => {
            // Before the scrolling, which a focus would end.
            focusFirst(elementIds.generate)
            creation.follow(progress.key)
            scrollToStage()
          }}
        >
          <Trans comment="Button that shows a running request large">Show</Trans>
        </Button>
        <Button
          aria-describedby={promptId}
          isBusy={progress.isCanceling}
          onClick={() => void creation.cancel(progress.key)}
        >
          {progress.isCanceling ? t`Canceling…` : t`Cancel`}
        </Button>
      </div>
    </li>
  )
}

/** The images of a request, which go on the stage, and why others failed. */
function FinishedRequest({ batch }: { batch: readonly Image[] }) {
  const { i18n, t } = useLingui()
  const creation = useCreation()
  const promptId = useId()
  const [first] = batch
  const failed = batch.find(({ state }) => state === 'failed')
  const total = batch.length
  const isShown = !creation.progress && batch.some(({ id }) => id === creation.draft.image?.id)
  return (
    first && (
      <li className={`row centered card ${styles['request']}`} aria-current={isShown || undefined}>
        {batch.some(isSucceeded) && (
          <div className="row tightest">
            {batch.map((image, index) => {
              const number = index + 1
              return (
                isSucceeded(image) && (
                  <button
                    key={image.id}
                    type="button"
                    className="hoverable thumb"
                    aria-label={total === 1 ? t`Edit & share` : t`Edit & share image ${number} of ${total}`}
                    aria-describedby={promptId}
                    onClick={() => creation.putIntoForm(image, total > 1 ? batch : [])}
                  >
                    <SmallImage image={image} className="cover" />
                  </button>
                )
              )
            })}
          </div>
        )}
        <div className={`stack tightest ${styles['text']}`}>
          <UserText as="p" id={promptId} text={describeImage(first, i18n)} className="clamp" />
          {failed && <p className="quiet small">{imageFailureMessage(failed, i18n)}</p>}
        </div>
        {failed && (
          <Button aria-describedby={promptId} onClick={() => void creation.retry(failed)}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </li>
    )
  )
}
