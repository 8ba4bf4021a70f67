import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState, type CSSProperties, type MouseEvent } from 'react'
import { dimensions } from '../../../shared/engines.ts'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { hasModifier } from '../../browser/apis.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { averageColor, describeImage, sourceSet, SourceLabel } from '../../images/image.tsx'
import { Icon } from '../../ui/icons.tsx'
import { MoreMenu } from '../../ui/menu.tsx'
import { PreviewPlaceholder } from '../../ui/preview-placeholder.tsx'
import { lazyPart, Spinner, spinnerClass } from '../../ui/loading.tsx'
import { shorten, VisuallyHidden } from '../../ui/text.tsx'
import { elementIds } from './element-ids.ts'
import { ActionButton, DeleteButton, DownloadImage, type ImageActions } from './image-actions.tsx'
import buttons from './image-actions.module.css'
import styles from './stage.module.css'
import {
  aheadSentence,
  clockTime,
  imageFailureMessage,
  isWaiting,
  likelyShare,
  newImage,
  nextImage,
  remainingSentence,
  resultOf,
  startOf,
  usualSentence,
  waitSentence,
  type ImageProgress,
  type Progress,
} from './progress.ts'
import { useCreation, type Creation } from './use-creation.ts'
import { useComparisons } from './use-own-images.ts'

const ImageViewer = lazyPart(async () => (await import('../../images/image-viewer.tsx')).ImageViewer)

/**
 * The largest part of the page: the image of the draft or of the running batch, whole and in its own proportions; a batch of
 * several as a grid, of which one is chosen, and shown large.
 */
export function Stage({ actions }: { actions: ImageActions }) {
  const creation = useCreation()
  const { draft, progress } = creation
  const [largeId, setLargeId] = useState<string | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)
  const batch = progress?.images ?? draft.batch.map((image) => newImage(image.id, image))
  const total = batch.length
  const chosenId = progress ? progress.chosenId : (draft.image?.id ?? null)
  const large = total < 2 ? undefined : batch.find(({ id }) => id !== null && id === largeId)
  const shown = large ?? (progress?.images.length === 1 ? progress.images[0] : undefined)
  const results = batch.flatMap((image) => resultOf(image) ?? []).filter(isSucceeded)
  const single = total < 2 && draft.image ? [draft.image] : results
  const ratio = useRatio(creation)
  const opened = single.find(({ id }) => id === openId)
  const others = useComparisons(opened, single)

  /** Chooses an image of the batch. One that is chosen already is shown large, or in the grid again. */
  function choose(index: number, opens: boolean) {
    const image = batch[index]
    if (!image?.id || (!progress && image.row?.state !== 'succeeded')) return
    const isChosen = image.id === chosenId
    if (!isChosen) creation.choose(image.id)
    if (large && isChosen) setLargeId(null)
    else if (large || opens || isChosen) setLargeId(image.id)
  }

  useKeys(total > 1, (key) => {
    if (key === 'Escape') setLargeId(null)
    else choose(Number(key) - 1, false)
  })

  return (
    <div className={`stack wider ${styles['stage']}`} style={{ '--ratio': ratio } as CSSProperties}>
      {total < 2 || large ? (
        <Frame
          image={large ? resultOf(large) : draft.image}
          shown={shown}
          progress={progress}
          total={total}
          onBack={large && (() => setLargeId(null))}
          onOpen={setOpenId}
        />
      ) : null}
      {total > 1 && (
        <Batch
          images={batch}
          chosenId={chosenId}
          isStrip={large !== undefined}
          actions={actions}
          onChoose={choose}
          onOpen={setOpenId}
        />
      )}
      {openId !== null && (
        <ImageViewer
          images={single}
          shownId={openId}
          others={others}
          onShow={setOpenId}
          onClosed={() => setOpenId(null)}
        />
      )}
    </div>
  )
}

/** Width of the stage's image divided by its height, as far as it is known before the image is. */
function useRatio({ draft, progress, engine }: Creation): number {
  const finished = progress ? progress.images.map(resultOf).find((image) => image?.width) : draft.image
  if (finished?.width && finished.height) return finished.width / finished.height
  const size = progress?.size ?? engine?.capabilities.sizes[0]
  if (!progress || !size) return 1
  const [width, height] = dimensions(size)
  return width / height
}

/** Calls `onKey` for the digits 1 to 4 and Escape, unless they belong to a field, a menu or a dialog. */
function useKeys(isActive: boolean, onKey: (key: string) => void) {
  useWindowEvent('keydown', (event) => {
    const { key, target } = event
    if (!isActive || event.defaultPrevented || hasModifier(event) || !/^([1-4]|Escape)$/.test(key)) return
    const fields = 'textarea, select, input:not([type=radio]), [role=menu]'
    if (!(target instanceof Element) || target.closest(fields)) return
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return
    onKey(key)
  })
}

interface FrameProps {
  readonly image: Image | null
  readonly shown: ImageProgress | undefined
  readonly progress: Progress | null
  readonly total: number
  /** For one of a batch: a press goes back to it. */
  readonly onBack: (() => void) | undefined
  readonly onOpen: (id: string) => void
}

/** One image, or its progress over the former one. */
function Frame(props: FrameProps) {
  const { t } = useLingui()
  const { image, shown, progress, total, onBack } = props
  const finished = shown && resultOf(shown)
  const result = shown ? finished : image
  return (
    <div
      className={`card layers ${styles['frame']}`}
      aria-busy={progress !== null}
      // The specified square, until there is something to see.
      data-empty={(!image && !finished && !shown?.preview) || undefined}
    >
      <Content image={finished ?? image} shown={shown} progress={progress} />
      {result && isSucceeded(result) && (
        <>
          <SourceLabel {...result} source={result.recipe ? 'generated' : 'uploaded'} />
          {/* Not around the image: it would replace the element of the intermediate one. */}
          <button
            type="button"
            className={`insetFocus ${styles['cover']} ${onBack ? styles['back'] : ''}`}
            aria-label={onBack ? t`Back to all ${total} images` : t`Open image`}
            onClick={onBack ?? (() => props.onOpen(result.id))}
          />
          {onBack && (
            <div className={styles['actions']}>
              <ActionButton label={t`Open image`} onClick={() => props.onOpen(result.id)}>
                <Icon path="M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5" />
              </ActionButton>
            </div>
          )}
        </>
      )}
      {progress && shown && !finished && <GenerationStatus image={shown} progress={progress} />}
    </div>
  )
}

/** Uses the same element for intermediate and final images, so that one replaces the other without flicker. */
function Content({ image, shown, progress }: Pick<FrameProps, 'image' | 'shown' | 'progress'>) {
  const { i18n, t } = useLingui()
  if (shown?.preview) {
    const prompt = shorten(progress?.prompt ?? '')
    return <img className="contain" src={shown.preview} alt={t`Unfinished: ${prompt}`} />
  }
  // The status of a generation has a drawing of its own.
  if (!image) return progress ? null : <PreviewPlaceholder />
  if (!isSucceeded(image)) {
    return (
      <p className={`clamp ${styles['reason']}`}>
        {image.state === 'canceled' ? (
          <Trans comment="State of an image">Canceled</Trans>
        ) : (
          imageFailureMessage(image, i18n)
        )}
      </p>
    )
  }
  return <StageImage image={image} alt={shorten(describeImage(image, i18n))} />
}

/** An image in its own proportions, as large as the stage. */
function StageImage({ image, alt }: { image: SucceededImage; alt: string }) {
  const { photo, width, height } = image
  return (
    <img
      className="contain"
      src={photo}
      srcSet={sourceSet(image)}
      sizes={`min(100vw, ${Math.round((80 * width) / height)}vh)`}
      width={width}
      height={height}
      alt={alt}
      style={{ backgroundColor: averageColor(image.placeholder) }}
    />
  )
}

/** The images of a batch, from which one is chosen to be shared. */
function Batch(props: {
  images: readonly ImageProgress[]
  chosenId: string | null
  /** True below an image of the batch that is shown large. */
  isStrip: boolean
  actions: ImageActions
  onChoose: (index: number, opens: boolean) => void
  onOpen: (imageId: string) => void
}) {
  const { i18n, t } = useLingui()
  const { images, chosenId, isStrip, actions } = props
  const { draft, progress } = useCreation()
  const total = images.length
  const next = progress && nextImage(progress)
  const isEmpty = !draft.image && images.every((image) => !image.preview && !resultOf(image))
  return (
    <>
      <fieldset
        className={isStrip ? styles['strip'] : styles['grid']}
        data-empty={isEmpty || undefined}
        data-count={total}
      >
        <legend>
          <VisuallyHidden>{t`Images of this batch`}</VisuallyHidden>
        </legend>
        {images.map((image, index) => {
          const { state: descriptor, content } = describeTile(image, progress?.prompt ?? '', i18n)
          const number = index + 1
          const state = i18n._(descriptor)
          const label = t({
            message: `Image ${number} of ${total}, ${state}`,
            comment: 'state: such as "waiting" or "50 percent done"',
          })
          const result = resultOf(image)
          const choiceId = `choice-${result?.id}`
          return (
            <div
              key={image.id ?? index}
              id={image.id === null ? undefined : elementIds.cardOf(image.id)}
              className={styles['slot']}
            >
              <label className={`choice layers ${styles['tile']}`}>
                <input
                  id={result ? choiceId : undefined}
                  type="radio"
                  name="batch"
                  checked={image.id !== null && image.id === chosenId}
                  aria-label={label}
                  // A finished batch is for sharing.
                  disabled={!progress && result?.state !== 'succeeded'}
                  onChange={() => {}}
                  // Clicks of the keyboard, which has no `detail`, only choose.
                  onClick={({ detail }: MouseEvent) => props.onChoose(index, detail > 0)}
                />
                {content}
              </label>
              {!isStrip && result && isSucceeded(result) && (
                // Shown while the image is pointed at or has the focus.
                <div className={styles['actions']}>
                  <DownloadImage image={result} describedBy={choiceId} />
                  <DeleteButton describedBy={choiceId} onClick={() => actions.onDelete(result)} />
                  <MoreMenu
                    buttonClass={`iconButton hoverable ${buttons['action']}`}
                    items={[
                      { label: t`Open image`, onSelect: () => props.onOpen(result.id) },
                      ...actions.itemsOf(result),
                    ]}
                  />
                </div>
              )}
            </div>
          )
        })}
      </fieldset>
      {progress && next && !isStrip && (
        <div className={`card ${styles['statusLine']}`}>
          <GenerationStatus image={next} progress={progress} isLine />
        </div>
      )}
    </>
  )
}

/**
 * Status of a running generation: across the whole frame, or in a line below an intermediate image. It is not a live
 * region; changes of state are announced separately.
 */
export function GenerationStatus(props: { image: ImageProgress; progress: Progress; isLine?: boolean }) {
  const { i18n, t } = useLingui()
  const { image, progress } = props
  const { queue } = image
  const since = startOf(progress, image)
  const delayMessage = progress.isDisconnected
    ? t`Restoring the connection…`
    : image.isStopping && t`The server is restarting…`
  const isLine = props.isLine ?? image.preview !== null
  const isRunning = !isWaiting(image) && !delayMessage
  const share = isRunning ? image.share : null
  const percent = Math.floor((share ?? 0) * 100)
  return (
    <div className={styles['status']} data-line={isLine || undefined}>
      {share === null ? (
        isLine ? (
          <Spinner label={t`Generating the image`} />
        ) : (
          <span role="progressbar" aria-label={t`Generating the image`} className={styles['kolam']}>
            <PreviewPlaceholder lineClass={styles['line']} />
          </span>
        )
      ) : (
        <p className={`tabular ${styles['share']}`} aria-hidden="true">{t`${percent} %`}</p>
      )}
      <div className={styles['lines']}>
        {queue && !delayMessage && (
          <>
            <p className="strong">
              {queue.isPaused
                ? t`The engine is paused. The image is generated when it is resumed.`
                : i18n._(aheadSentence(queue.position))}
            </p>
            {queue.waitSeconds !== null && queue.waitSeconds >= 1 && (
              <p className="quiet small">{i18n._(waitSentence(queue.waitSeconds))}</p>
            )}
          </>
        )}
        {delayMessage && <p className="strong">{delayMessage}</p>}
        <Elapsed
          // Restarts the timer with each phase.
          key={since}
          since={since}
          usualSeconds={isRunning ? image.usualSeconds : null}
          share={share}
        />
      </div>
    </div>
  )
}

/**
 * Elapsed time and a bar: the fraction that the engine reports, or else an estimate from the usual duration, which is
 * hidden from screen readers. Ticks by itself, without rendering its parents.
 */
function Elapsed(props: { since: number; usualSeconds: number | null; share: number | null }) {
  const { i18n, t } = useLingui()
  const { usualSeconds, share } = props
  const [now, setNow] = useState(() => Date.now())
  // The server's clock may be ahead.
  const [since] = useState(() => Math.min(now, props.since))
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const sentence =
    share !== null
      ? remainingSentence(share, seconds)
      : usualSeconds !== null && usualSentence(usualSeconds, seconds)
  const filled = share ?? (usualSeconds === null ? null : likelyShare(usualSeconds, seconds))
  return (
    <>
      <p className="tabular">
        {/* Most patterns are drawn within the first second. */}
        <span role="timer">{seconds > 0 && clockTime(seconds)}</span>
      </p>
      {sentence && <p className="quiet small">{i18n._(sentence)}</p>}
      {filled !== null && (
        <span
          className={styles['bar']}
          {...(share === null
            ? { 'aria-hidden': true }
            : {
                role: 'progressbar',
                'aria-label': t`Generating the image`,
                'aria-valuenow': Math.floor(share * 100),
              })}
        >
          <span style={{ scale: `${filled} 1` }} />
        </span>
      )}
    </>
  )
}

/** The state of an image, which is announced with its number, and what its tile shows. */
function describeTile(image: ImageProgress, words: string, i18n: I18n) {
  const { preview, share } = image
  const result = resultOf(image)
  const mark = `quiet small strong tabular ${styles['mark']}`
  if (result && isSucceeded(result)) {
    return {
      state: msg({ message: 'ready', comment: 'State of an image' }),
      content: <StageImage image={result} alt="" />,
    }
  }
  if (result?.state === 'canceled') {
    const state = msg({ message: 'canceled', comment: 'State of an image' })
    return { state, content: <span className={mark}>–</span> }
  }
  if (result) {
    const reason = imageFailureMessage(result, i18n)
    return {
      state: msg`failed: ${reason}`,
      content: <span className={`alarming strong ${styles['mark']}`}>!</span>,
    }
  }
  if (isWaiting(image)) {
    const state = msg({ message: 'waiting', comment: 'State of an image' })
    return { state, content: <span className={mark}>…</span> }
  }
  const percent = Math.floor((share ?? 0) * 100)
  const prompt = shorten(words)
  const unfinished = i18n._(msg`Unfinished: ${prompt}`)
  return {
    state:
      share === null
        ? msg({ message: 'in progress', comment: 'State of an image' })
        : msg({ message: `${percent} percent done`, comment: 'State of an image' }),
    content: (
      <>
        {preview && <img className="contain" src={preview} alt={unfinished} />}
        {share === null ? (
          <span className={`${spinnerClass} ${styles['mark']}`} />
        ) : (
          <span className={preview ? `tabular ${styles['over']}` : mark}>
            <Trans>{percent} %</Trans>
          </span>
        )}
      </>
    ),
  }
}
