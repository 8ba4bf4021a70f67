import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type ComponentProps } from 'react'
import type { Recipe, SucceededImage } from '../../../shared/images.ts'
import { infotext } from '../../../shared/infotext.ts'
import { upscaleMaxPixels } from '../../../shared/limits.ts'
import { useDownload } from '../../images/download-image.ts'
import { RecipeRows } from '../../images/recipe.tsx'
import { buttonClass, Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { DownloadIcon, Icon, UnfoldIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { Menu, type MenuItems } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import styles from './image-actions.module.css'
import { takesReference } from './form-options.ts'
import { useCreation, type Creation } from './use-creation.ts'
import { useOfferedImages } from './use-own-images.ts'

/** A button with an icon, next to an image or over it. */
export function ActionButton({
  label,
  ...button
}: Omit<ComponentProps<'button'>, 'type' | 'className'> & { label: string }) {
  return (
    <button
      {...button}
      type="button"
      className={`iconButton hoverable ${styles['action']}`}
      aria-label={label}
      title={label}
    />
  )
}

/** Button that downloads an image, with an error if that fails. */
export function DownloadImage({ image, describedBy }: { image: SucceededImage; describedBy: string }) {
  const { t } = useLingui()
  const { credentialsUrl } = image
  const { failure, download } = useDownload('images', image.id)
  return (
    <>
      <ActionButton label={t`Download image`} aria-describedby={describedBy} onClick={() => download()}>
        <DownloadIcon />
      </ActionButton>
      {credentialsUrl !== null && (
        <ActionButton
          label={t`Download with Content Credentials`}
          aria-describedby={describedBy}
          onClick={() => download(credentialsUrl)}
        >
          {/* A seal. */}
          <Icon path="M10 3a4.75 4.75 0 1 0 0 9.5A4.75 4.75 0 0 0 10 3zM7.25 12 6.5 17l3.5-1.75L13.5 17l-.75-5" />
        </ActionButton>
      )}
      <Notice>{failure}</Notice>
    </>
  )
}

export function DeleteButton(props: {
  label?: string | undefined
  describedBy: string
  onClick: () => void
}) {
  const { t } = useLingui()
  return (
    <ActionButton
      label={props.label ?? t`Delete image`}
      aria-describedby={props.describedBy}
      onClick={props.onClick}
    >
      {/* A bin. */}
      <Icon path="M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 8.5l.25 5M11.5 8.5l-.25 5" />
    </ActionButton>
  )
}

/** Settings that an image was generated with. @param props.isOpenAtFirst true if they are shown without a press */
export function RecipeDetails({
  recipe,
  isOpenAtFirst = false,
}: {
  recipe: Recipe
  isOpenAtFirst?: boolean
}) {
  const { t } = useLingui()
  const { putSettingsIntoForm } = useCreation()
  const id = useId()
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <div className="small">
      <button
        type="button"
        className={`textButton ${styles['toggle']}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <UnfoldIcon className={`foldArrow ${styles['arrow']}`} />
        <Trans comment="Settings that an image was generated with">Settings</Trans>
      </button>
      <div id={id} hidden={!isOpen} className={styles['panel']}>
        {isOpen && (
          <>
            <RecipeRows recipe={recipe} />
            <div className={`row ${styles['actions']}`}>
              <button
                type="button"
                className="textButton underlinable"
                onClick={() => void putSettingsIntoForm(recipe)}
              >
                <Trans>Use these settings</Trans>
              </button>
              <CopyButton label={t`Copy`} text={infotext(recipe)} copied={t`The settings are copied.`} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** Returns the factors by which engines that are available enlarge an image. */
function upscaleFactors({ isHidden, width, height }: SucceededImage, { engines }: Creation): number[] {
  const factors = engines.flatMap(({ isAvailable, capabilities }) =>
    isAvailable && !isHidden ? capabilities.upscale : [],
  )
  const fits = (factor: number) => width * height * factor ** 2 <= upscaleMaxPixels
  return [...new Set(factors)].filter(fits).toSorted((one, other) => one - other)
}

/** Button with the factors by which an image can be enlarged; nothing without any. */
export function UpscaleMenu({ image, describedBy }: { image: SucceededImage; describedBy: string }) {
  const creation = useCreation()
  const factors = upscaleFactors(image, creation)
  if (factors.length === 0) return null
  return (
    <Menu
      button={<Trans comment="Button that makes an image larger">Upscale</Trans>}
      buttonClass={buttonClass('plain')}
      describedBy={describedBy}
      items={factors.map((factor) => ({
        label: `${factor}×`,
        onSelect: () => void creation.upscale(image, factor),
      }))}
    />
  )
}

const MaskEditor = lazyPart(async () => (await import('./mask-editor/mask-editor.tsx')).MaskEditor)

/**
 * Returns the dialog in which a part of an image is marked, and a function that opens it; null without an engine that takes
 * masks: the chosen one, or another one.
 */
function useChangePart() {
  const [dialog, openDialog] = useDialog()
  const { engine: chosen, engines } = useCreation()
  const engine = [chosen, ...engines].find((one) => one?.isAvailable && one.capabilities.mask)
  const open = (image: SucceededImage) => engine && openDialog(<MaskEditor image={image} engine={engine} />)
  return [dialog, engine ? open : null] as const
}

/** Button that marks a part of an image that is to change. */
export function ChangePart({ image, describedBy }: { image: SucceededImage; describedBy: string }) {
  const [dialog, open] = useChangePart()
  return (
    <>
      {open && !image.isHidden && (
        <Button aria-describedby={describedBy} onClick={() => open(image)}>
          <Trans>Change part of it</Trans>
        </Button>
      )}
      {dialog}
    </>
  )
}

const DeleteImage = lazyPart(async () => (await import('./your-images/deletion.tsx')).DeleteImage)

/** Actions of finished images, and the dialog that they open. */
export function useImageActions() {
  const { t } = useLingui()
  const creation = useCreation()
  const { images } = useOfferedImages()
  const [dialog, openDialog] = useDialog()
  const [editor, changePart] = useChangePart()
  return [
    <>
      {dialog}
      {editor}
    </>,
    {
      onDelete(image: SucceededImage) {
        const own = images?.find(({ id }) => id === image.id) ?? { ...image, posts: [] }
        openDialog(<DeleteImage image={own} onDeleted={() => {}} />)
      },
      itemsOf(image: SucceededImage): MenuItems {
        const { recipe } = image
        const engine = creation.engines.find(({ id }) => id === image.engine)
        return [
          recipe &&
            engine?.capabilities.seed &&
            engine.isAvailable && { label: t`Vary`, onSelect: () => void creation.vary(image, recipe) },
          recipe && {
            label: t`Use these settings`,
            onSelect: () => void creation.putSettingsIntoForm(recipe),
          },
          takesReference(creation.draft.options, creation.engine) && {
            label: t`Use as reference`,
            onSelect: () => creation.addReference(image),
          },
          changePart && !image.isHidden && { label: t`Change part of it`, onSelect: () => changePart(image) },
          ...upscaleFactors(image, creation).map((factor) => ({
            label: t`Upscale ${factor}×`,
            onSelect: () => void creation.upscale(image, factor),
          })),
        ]
      },
    },
  ] as const
}

export type ImageActions = ReturnType<typeof useImageActions>[1]
