import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useRef, type ReactNode } from 'react'
import type { EngineCapabilities } from '../../../shared/engines.ts'
import { SmallImage, describeImage } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fieldset, RangeField } from '../../ui/form.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { ImageFileButton } from '../../ui/image-file.tsx'
import { Notice } from '../../ui/notice.tsx'
import { shorten } from '../../ui/text.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { formatStrength, toReference, type ReferenceImage } from './form-options.ts'
import styles from './options.module.css'
import { useCreation } from './use-creation.ts'
import { isShareable, useOfferedImages, useUpload } from './use-own-images.ts'

/** Position of the slider while the default of the engine applies. */
const middleStrength = 0.6

/** Reference images with their strength, and a mask if the engine takes one. */
export function ReferenceOptions({ capabilities }: { capabilities: EngineCapabilities }) {
  const { i18n, t } = useLingui()
  const { accepted, addReference, changeOptions } = useCreation()
  const { references, mask, strength } = accepted
  const max = capabilities.referenceImages
  const strengthId = useId()
  return (
    <>
      <ImageChoice
        legend={max === 1 ? t`Reference image` : t`Reference images`}
        hint={
          max === 1 ? t`The new image starts from it.` : t`The new image starts from them, ${max} at most.`
        }
        images={references}
        max={max}
        onAdd={addReference}
        onRemove={({ id }) =>
          changeOptions((all) => ({ references: all.references.filter((image) => image.id !== id) }))
        }
      />
      {references.length > 0 && capabilities.strength && (
        <RangeField
          id={strengthId}
          label={t`Strength`}
          hint={t`Low: close to the reference image. High: free.`}
          action={
            strength !== null && (
              <ClearButton fieldId={strengthId} onClear={() => changeOptions({ strength: null })}>
                <Trans>Use the default</Trans>
              </ClearButton>
            )
          }
          min={0}
          max={1}
          step={0.05}
          value={strength ?? middleStrength}
          valueText={
            strength === null
              ? t({ message: 'Default', comment: 'The default strength' })
              : formatStrength(i18n, strength)
          }
          onChange={({ target }) => changeOptions({ strength: target.valueAsNumber })}
        />
      )}
      {references.length > 0 && capabilities.mask && (
        <ImageChoice
          legend={t`Mask`}
          hint={t`Only its white areas are redrawn.`}
          images={mask ? [mask] : []}
          max={1}
          isForEdit
          onAdd={(image) => changeOptions({ mask: toReference(image) })}
          onRemove={() => changeOptions({ mask: null })}
        />
      )}
    </>
  )
}

/** Button next to the label of a field, which then gets the focus. */
export function ClearButton(props: { fieldId: string; onClear: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={`textButton small ${styles['clear']}`}
      onClick={() => {
        props.onClear()
        document.getElementById(props.fieldId)?.focus()
      }}
    >
      {props.children}
    </button>
  )
}

/** Images of the user that are chosen from a file or from their own. One without a photo is not there any more. */
export function ImageChoice(props: {
  legend: string
  hint?: string
  images: readonly ReferenceImage[]
  max: number
  /** See `useUpload`. */
  isForEdit?: boolean
  onAdd: (image: ReferenceImage) => void
  onRemove: (image: ReferenceImage) => void
}) {
  const { t } = useLingui()
  const { legend, images, max, onAdd } = props
  const ownImages = useOfferedImages()
  const group = useRef<HTMLFieldSetElement>(null)
  const [dialog, openDialog] = useDialog()
  const { upload, isUploading, failure } = useUpload(props.isForEdit)
  const isFull = images.length >= max || isUploading
  const pick = () => openDialog(<ReferencePicker legend={legend} onPick={onAdd} />)
  const labelOfRemove = (number: number) => t`Remove image ${number}`

  return (
    <Fieldset ref={group} legend={legend} hint={props.hint} className={`tightest ${styles['wide']}`}>
      {images.length > 0 && (
        <ul className="row">
          {images.map((image, index) => (
            <li key={image.id} className={styles['reference']}>
              {image.photo !== '' && <SmallImage image={image} className="cover" />}
              <button
                type="button"
                className={`iconButton insetFocus ${styles['remove']}`}
                aria-label={labelOfRemove(index + 1)}
                onClick={() => {
                  props.onRemove(image)
                  group.current?.querySelector<HTMLElement>('[data-add]')?.focus()
                }}
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <ImageFileButton
          data-add=""
          isBusy={isUploading}
          aria-disabled={isFull}
          label={t({ message: `${legend}: file`, comment: 'legend: "Reference image" or "Mask"' })}
          onFile={(file) => void upload(file).then((image) => image && onAdd(image))}
        >
          {isUploading ? t`Uploading…` : t`Upload`}
        </ImageFileButton>
        {ownImages.images?.some(isShareable) && (
          <Button aria-disabled={isFull} onClick={pick}>{t`From your images`}</Button>
        )}
      </div>
      <Notice>{failure}</Notice>
      {dialog}
    </Fieldset>
  )
}

/** Dialog in which one of the user's images is chosen. */
function ReferencePicker(props: { legend: string; onPick: (image: ReferenceImage) => void }) {
  const { i18n, t } = useLingui()
  const { images, hasMore, isLoadingMore, loadMore } = useOfferedImages()
  return (
    <Dialog title={props.legend} description={t`Choose one of your images.`}>
      <ul className={styles['picker']}>
        {(images ?? []).filter(isShareable).map((image) => (
          <li key={image.id}>
            <BaseDialog.Close
              aria-label={shorten(describeImage(image, i18n))}
              onClick={() => props.onPick(image)}
            >
              <SmallImage image={image} className="cover" />
            </BaseDialog.Close>
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button isBusy={isLoadingMore} onClick={() => void loadMore()}>
          {isLoadingMore ? t`Loading…` : t`Show more`}
        </Button>
      )}
    </Dialog>
  )
}
