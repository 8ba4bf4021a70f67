import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { EngineCapabilities } from '../../../shared/engines.ts'
import { SmallImage } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import {
  formatStrength,
  toReference,
  type FormOptions,
  type OptionsPatch,
  type ReferenceImage,
} from './form-options.ts'
import styles from './options.module.css'
import { OptionGroup } from './size-options.tsx'
import { isShareable, useOfferedImages, useUpload } from './use-own-images.ts'

const ReferencePicker = lazyPart(async () => (await import('./reference-picker.tsx')).ReferencePicker)

/** Position of the slider while the default of the engine applies. */
const middleStrength = 0.6

/** Reference images with their strength, and a mask if the engine takes one. */
export function ReferenceOptions(props: {
  capabilities: EngineCapabilities
  options: FormOptions
  onChange: (patch: OptionsPatch) => void
}) {
  const { i18n, t } = useLingui()
  const { capabilities, options, onChange } = props
  const { references, mask, strength } = options
  const max = capabilities.referenceImages
  const strengthId = useId()
  const strengthText =
    strength === null
      ? t({ message: 'Default', comment: 'The default strength' })
      : formatStrength(i18n, strength)
  return (
    <>
      <ImageChoice
        legend={max === 1 ? t`Reference image` : t`Reference images`}
        hint={
          max === 1 ? t`The new image starts from it.` : t`The new image starts from them, ${max} at most.`
        }
        images={references}
        max={max}
        onChange={(change) =>
          onChange((current) => ({ references: change(current.references.slice(0, max)) }))
        }
      />
      {references.length > 0 && capabilities.strength && (
        <Field
          id={strengthId}
          label={t`Strength`}
          hint={t`Low: close to the reference image. High: free.`}
          action={
            strength !== null && (
              <ClearButton fieldId={strengthId} onClear={() => onChange({ strength: null })}>
                <Trans>Use the default</Trans>
              </ClearButton>
            )
          }
        >
          {(control) => (
            <div className={styles['range']}>
              <input
                {...control}
                className={undefined}
                type="range"
                min={0}
                max={1}
                step={0.05}
                value={strength ?? middleStrength}
                aria-valuetext={strengthText}
                onChange={(event) => onChange({ strength: event.target.valueAsNumber })}
              />
              <output className="tabular" htmlFor={control.id}>
                {strengthText}
              </output>
            </div>
          )}
        </Field>
      )}
      {references.length > 0 && capabilities.mask && (
        <ImageChoice
          legend={t`Mask`}
          hint={t`Only its white areas are redrawn.`}
          images={mask ? [mask] : []}
          max={1}
          onChange={(change) =>
            onChange((current) => ({ mask: change(current.mask ? [current.mask] : [])[0] ?? null }))
          }
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

/** Hidden input for an image file, which a button opens. */
export function ImageFileInput({
  ref,
  label,
  onFile,
}: {
  ref: Ref<HTMLInputElement>
  label: string
  onFile: (file: File) => void
}) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept="image/jpeg,image/png,image/webp"
      aria-label={label}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file) onFile(file)
        // The same file may be chosen again.
        target.value = ''
      }}
    />
  )
}

function ImageChoice(props: {
  legend: string
  hint: string
  images: readonly ReferenceImage[]
  max: number
  /** Gets a function of the current images, as uploads take time. */
  onChange: (change: (images: readonly ReferenceImage[]) => readonly ReferenceImage[]) => void
}) {
  const { t } = useLingui()
  const { legend, images, max, onChange } = props
  const ownImages = useOfferedImages()
  const fileInput = useRef<HTMLInputElement>(null)
  const group = useRef<HTMLFieldSetElement>(null)
  const [isPicking, setIsPicking] = useState(false)
  const { upload, isUploading, failure } = useUpload()
  const isFull = images.length >= max || isUploading
  const add = (image: ReferenceImage) =>
    onChange((current) => [...current.filter(({ id }) => id !== image.id), toReference(image)])

  const labelOfRemove = (number: number) => t`Remove image ${number}`

  return (
    <OptionGroup ref={group} legend={legend} hint={props.hint} isWide>
      {images.length > 0 && (
        <ul className="row">
          {images.map((image, index) => (
            <li key={image.id} className={styles['reference']}>
              <SmallImage image={image} className="cover" />
              <button
                type="button"
                className={`iconButton insetFocus ${styles['remove']}`}
                aria-label={labelOfRemove(index + 1)}
                onClick={() => {
                  onChange((current) => current.filter(({ id }) => id !== image.id))
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
        <Button
          data-add=""
          isBusy={isUploading}
          aria-disabled={isFull}
          onClick={() => !isFull && fileInput.current?.click()}
        >
          {isUploading ? t`Uploading…` : t`Upload`}
        </Button>
        {ownImages.images?.some(isShareable) && (
          <Button aria-disabled={isFull} onClick={() => !isFull && setIsPicking(true)}>
            <Trans>From your images</Trans>
          </Button>
        )}
        <ImageFileInput
          ref={fileInput}
          label={t({ message: `${legend}: file`, comment: 'legend: "Reference image" or "Mask"' })}
          onFile={(file) => void upload(file).then((image) => image && add(image))}
        />
      </div>
      <Notice>{failure}</Notice>
      {isPicking && <ReferencePicker legend={legend} onPick={add} onClosed={() => setIsPicking(false)} />}
    </OptionGroup>
  )
}
