import { useLingui } from '@lingui/react/macro'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useCloseOnBack } from '../browser/dialog-history.ts'
import { fitUrl } from '../../shared/image-files.ts'
import type { SucceededImage } from '../../shared/images.ts'
import { arrowStep } from '../browser/apis.ts'
import { shorten, UserText } from '../ui/text.tsx'
import { WrappedText } from '../ui/wrapped-text.tsx'
import { CloseIcon, Icon } from '../ui/icons.tsx'
import styles from './image-viewer.module.css'
import { averageColor, describeImage } from './image.tsx'

/** Shows whole images, as large as the window allows, one at a time. Arrow keys go to the next and previous one. */
export function ImageViewer(props: {
  images: readonly SucceededImage[]
  shownId: string
  onShow: (id: string) => void
  /** Returns the element that gets focus after closing, given the last image; by default the one that had it before. */
  focusAfter?: (shownId: string) => HTMLElement | null
  /** Called when the closing animation has ended. */
  onClosed: () => void
}) {
  const { i18n, t } = useLingui()
  const { images, onShow } = props
  const [open, setOpen] = useState(true)
  useCloseOnBack(open, () => setOpen(false))
  const index = images.findIndex(({ id }) => id === props.shownId)
  const image = images[index]
  if (!image) return null
  const text = describeImage(image, i18n)
  const [previous, next] = [images[index - 1], images[index + 1]]
  const number = index + 1
  const total = images.length

  function onKeyDown(event: KeyboardEvent) {
    const step = arrowStep(event.key)
    const target = step !== 0 && images[index + step]
    if (target) onShow(target.id)
  }

  return (
    <Dialog.Root
      open={open}
      onOpenChange={setOpen}
      onOpenChangeComplete={(isOpen) => !isOpen && props.onClosed()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={`fading ${styles['backdrop']}`} />
        <Dialog.Popup
          className={`fading ${styles['popup']}`}
          finalFocus={() => props.focusAfter?.(image.id) ?? true}
          onKeyDown={onKeyDown}
        >
          <Dialog.Title className={styles['title']}>
            <UserText as="span" text={text} className={`clamp ${styles['prompt']}`}>
              <WrappedText text={shorten(text)} />
            </UserText>
          </Dialog.Title>
          <a
            className={styles['frame']}
            href={image.photo}
            target="_blank"
            rel="noreferrer"
            aria-label={t`Open the original in a new tab`}
          >
            <img
              key={image.id}
              src={fitUrl(image.photo, 1280)}
              width={image.width}
              height={image.height}
              alt={shorten(text)}
              style={{
                backgroundColor: averageColor(image.placeholder),
                // As large as fits, but not larger than the original.
                width: `min(100cqi, 100cqb * ${image.width / image.height}, ${image.width}px)`,
              }}
            />
          </a>
          {images.length > 1 && (
            <div className={`tabular ${styles['steps']}`}>
              <Step label={t`Previous image`} image={previous} onShow={onShow} />
              <span>{t`${number} of ${total}`}</span>
              <Step label={t`Next image`} image={next} onShow={onShow} />
            </div>
          )}
          <Dialog.Close className={`iconButton ${styles['close']}`} aria-label={t`Close`}>
            <CloseIcon />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Step(props: { label: string; image: SucceededImage | undefined; onShow: (id: string) => void }) {
  const { image } = props
  return (
    <button
      type="button"
      className={`iconButton ${styles['step']}`}
      aria-label={props.label}
      aria-disabled={!image}
      onClick={() => image && props.onShow(image.id)}
    >
      {/* Points right, to what follows. */}
      <Icon size={12}>
        <path d="M4.5 2.5 8 6l-3.5 3.5" />
      </Icon>
    </button>
  )
}
