import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { OwnPost } from '../../../shared/images.ts'
import { postPath } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { canOfferNotifications } from '../../browser/device-notifications.ts'
import { DrawnFrom } from '../../images/recipe.tsx'
import { toast } from '../../ui/announcer.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox, RadioGroup } from '../../ui/form.tsx'
import { BellIcon } from '../../ui/icons.tsx'
import { useVisibilityOptions } from '../../ui/post-options.ts'
import { shorten, UserText } from '../../ui/text.tsx'
import { useDevice } from '../auth/use-device.ts'
import styles from './create-form.module.css'
import type { SharingOptions } from './creation-store.ts'
import { elementIds, focusFirst, scrollToStage, useFocusHandover } from './element-ids.ts'
import {
  ChangePart,
  DeleteButton,
  DownloadImage,
  RecipeDetails,
  UpscaleMenu,
  useImageActions,
} from './image-actions.tsx'
import type { Progress } from './progress.ts'
import { Stage } from './stage.tsx'
import { useCreation } from './use-creation.ts'
import { useOfferedImages } from './use-own-images.ts'

/** Words that change a pattern. The engine knows them in every language of the interface. */
const suggestedWords = [
  msg({ message: 'at dusk', comment: 'Added to a prompt. The engine must know the word.' }),
  msg({ message: 'in gold', comment: 'Added to a prompt. The engine must know the word.' }),
]

/** The stage, and below it the actions that are available for the selected image. */
export function ImageColumn() {
  const { i18n, t } = useLingui()
  const creation = useCreation()
  const { draft, progress } = creation
  const { image } = draft
  const recipe = image?.recipe
  const engine = creation.engines.find(({ id }) => id === image?.engine)
  useScrollToStage(progress !== null)
  const stageId = useId()
  const [dialog, actions] = useImageActions()
  const own = useOfferedImages().images?.find(({ id }) => id === image?.id)
  const isShared = own && (recipe ? true : !creation.promptDiffers) && !creation.isSharing
  const post = isShared ? own.posts[0] : undefined
  return (
    <div id={elementIds.stage} className={`stack wider ${styles['stage']}`}>
      <div id={stageId}>
        <Stage actions={actions} />
      </div>
      {!progress && image && creation.reusedIds.includes(image.id) && !creation.promptDiffers && (
        <SameWords />
      )}
      {!progress && creation.promptDiffers && image?.recipe && image.prompt !== '' && (
        <Note>
          <Trans>
            The prompt has changed since this image was made. Sharing uses the one that made it: “
            <UserText text={shorten(image.prompt)} />”
          </Trans>
        </Note>
      )}
      {!progress && image?.isHidden && (
        <Note>{t`A moderator has hidden this image. It cannot be shared.`}</Note>
      )}
      {progress && <CancelGeneration progress={progress} />}
      {!progress && image && (
        // The same for all images of a batch, so that the choice of another one keeps the options of sharing.
        <Fragment key={image.createdAt}>
          <div className="row centered">
            {!image.isHidden && <Sharing post={post} />}
            {!image.isHidden && post && (
              <Link href={postPath(post.id)} className={buttonClass('plain')}>
                {i18n._(sharedLabels[post.visibility])}
              </Link>
            )}
            {engine?.capabilities.seed && recipe && (
              <>
                {recipe.seed !== null && (
                  <Button onClick={() => void creation.putSettingsIntoForm(recipe)}>{t`Same again`}</Button>
                )}
                <Button aria-disabled={!engine.isAvailable} onClick={() => void creation.vary(image, recipe)}>
                  <Trans>Vary</Trans>
                </Button>
              </>
            )}
            <ChangePart image={image} describedBy={stageId} />
            <UpscaleMenu image={image} describedBy={stageId} />
            <DownloadImage key={image.id} image={image} describedBy={stageId} />
            <DeleteButton describedBy={stageId} onClick={() => actions.onDelete(image)} />
          </div>
          {recipe && <DrawnFrom {...recipe} />}
          {recipe && <RecipeDetails recipe={recipe} />}
          <NotificationOffer />
        </Fragment>
      )}
      {dialog}
    </div>
  )
}

/** Of links to the post of a shared image. Sharing it again leads to the same post. */
const sharedLabels = {
  public: msg`In the gallery — open`,
  unlisted: msg`Shared by its link — open`,
  private: msg`Your private post — open`,
} as const

/** The button that shares the chosen image, and who sees what of the post. */
function Sharing({ post }: { post: OwnPost | undefined }) {
  const { t } = useLingui()
  const creation = useCreation()
  const visibilityOptions = useVisibilityOptions()
  const [options, setOptions] = useState<SharingOptions>({})
  const settings = trpc.account.settings.useQuery()
  const { batch, image } = creation.draft
  const total = batch.length
  const number = batch.findIndex(({ id }) => id === image?.id) + 1
  return (
    <>
      <Button
        id={elementIds.share}
        aria-describedby={number > 0 ? `${elementIds.share}-chosen` : undefined}
        isBusy={creation.isSharing}
        onClick={() => void creation.share(options)}
      >
        {creation.isSharing ? t`Sharing…` : t`Share with the Community`}
      </Button>
      {number > 0 && (
        <span id={`${elementIds.share}-chosen`} className="quiet small tabular">
          <Trans>
            chosen: {number} of {total}
          </Trans>
        </span>
      )}
      <details className={`small ${styles['sharing']}`}>
        <summary>{t`Sharing options`}</summary>
        <RadioGroup
          legend={t`Who can see it`}
          name="visibility"
          value={options.visibility ?? post?.visibility ?? settings.data?.defaultVisibility ?? null}
          options={visibilityOptions}
          onChange={(visibility) => setOptions({ ...options, visibility })}
        />
        {(
          [
            ['hidePrompt', t`Hide the prompt from others`],
            ['isSensitive', t`Sensitive: blur the image until it is clicked`],
          ] as const
        ).map(([name, label]) => (
          <Checkbox
            key={name}
            isChecked={options[name] ?? false}
            onChange={(isChecked) => setOptions({ ...options, [name]: isChecked })}
          >
            {label}
          </Checkbox>
        ))}
      </details>
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className={`quiet small ${styles['note']}`}>{children}</p>
}

/** Explains why Generate made no new image, and offers words that make another one. */
function SameWords() {
  const { i18n, t } = useLingui()
  const creation = useCreation()
  const prompt = creation.draft.prompt.trim()
  return (
    <>
      <Note>{t`The same words make the same pattern. It was not counted.`}</Note>
      <div className="row">
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

/** Cancels the generation. When this button disappears, focus moves to the button of the next step. */
function CancelGeneration({ progress: { isCanceling, key } }: { progress: Progress }) {
  const { t } = useLingui()
  const { cancel } = useCreation()
  const { generate, share } = elementIds
  const container = useFocusHandover<HTMLDivElement>(...(isCanceling ? [generate] : [share, generate]))
  return (
    <div ref={container}>
      <Button isBusy={isCanceling} onClick={() => void cancel(key)}>
        {isCanceling ? t`Canceling…` : t`Cancel`}
      </Button>
    </div>
  )
}

/** Button that lets the browser ask whether it may show notifications. Not shown again after an answer. */
function NotificationOffer() {
  const { t } = useLingui()
  const { viewer } = useCreation()
  const [isOffered, setIsOffered] = useState(() => canOfferNotifications(viewer.id))
  const { update } = useDevice(viewer, (state) => {
    // The focused button disappears.
    focusFirst(elementIds.share, elementIds.generate)
    setIsOffered(false)
    toast(
      state === 'on'
        ? t`You will be notified when an image is ready while you are elsewhere.`
        : t`You will not be notified. The settings of the browser can allow it.`,
    )
  })

  return (
    isOffered && (
      <button
        type="button"
        className={`textButton small underlinable ${styles['notify']}`}
        onClick={() => update.mutate(true)}
      >
        <BellIcon />
        <Trans>Notify me when an image is ready</Trans>
      </button>
    )
  )
}

/** Scrolls to the stage when a generation starts, which removes the buttons of the former image. */
function useScrollToStage(isGenerating: boolean): void {
  const wasGenerating = useRef(isGenerating)
  useEffect(() => {
    const hasStarted = isGenerating && !wasGenerating.current
    wasGenerating.current = isGenerating
    if (!hasStarted) return
    if (document.activeElement === document.body) focusFirst(elementIds.generate)
    scrollToStage()
  }, [isGenerating])
}
