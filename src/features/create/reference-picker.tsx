import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { describeImage, SmallImage } from '../../images/image.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { shorten } from '../../ui/text.tsx'
import type { ReferenceImage } from './form-options.ts'
import styles from './options.module.css'
import { isShareable, useOfferedImages } from './use-own-images.ts'

/** Dialog in which one of the user's images is chosen. */
export function ReferencePicker(props: { legend: string; onPick: (image: ReferenceImage) => void }) {
  const { i18n, t } = useLingui()
  const { images, hasMore, isLoadingMore, loadMore } = useOfferedImages()
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      title={props.legend}
      description={t`Choose one of your images.`}
      onClose={() => setOpen(false)}
    >
      <ul className={styles['picker']}>
        {(images ?? []).filter(isShareable).map((image) => (
          <li key={image.id}>
            <button
              type="button"
              aria-label={shorten(describeImage(image, i18n))}
              onClick={() => {
                props.onPick(image)
                setOpen(false)
              }}
            >
              <SmallImage image={image} className="cover" />
            </button>
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
