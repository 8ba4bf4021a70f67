import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { Ref } from 'react'
import { isSucceeded, type ListedImage } from '../../../../shared/images.ts'
import { findNeighborButton } from '../../../browser/apis.ts'
import { ImageViewer } from '../../../images/image-viewer.tsx'
import { Button } from '../../../ui/button.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { WrappedText } from '../../../ui/wrapped-text.tsx'
import { DeleteButton } from '../delete-button.tsx'
import cardStyles from '../image-card.module.css'
import { cardId, Thumbnail } from '../image-card.tsx'
import { useDaysUntil } from '../use-days-until.ts'
import { DeletePermanently } from './delete-permanently.tsx'
import styles from './image-grid.module.css'
import { useRestore } from './use-restore.ts'

/** The images in a user's trash, which can be restored or deleted permanently. */
export function Trash({ list, images }: { list: Ref<HTMLUListElement>; images: readonly ListedImage[] }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ListedImage | null>(null)
  return (
    <>
      {images.length > 0 && (
        <ul ref={list} className={styles['grid']}>
          {images.map((image) => (
            <TrashCard
              key={image.id}
              image={image}
              onOpen={() => setOpenId(image.id)}
              onDelete={() => setDeleting(image)}
            />
          ))}
        </ul>
      )}
      {openId !== null && (
        <ImageViewer
          images={images.filter(isSucceeded)}
          shownId={openId}
          onShow={setOpenId}
          focusAfter={(id) => document.getElementById(cardId(id))?.querySelector('button') ?? null}
          onClosed={() => setOpenId(null)}
        />
      )}
      {deleting && (
        <DeletePermanently key={deleting.id} image={deleting} onClosed={() => setDeleting(null)} />
      )}
    </>
  )
}

function TrashCard(props: { image: ListedImage; onOpen: () => void; onDelete: () => void }) {
  const { t } = useLingui()
  const { image } = props
  const promptId = useId()
  const restore = useRestore()
  const [isRestoring, setIsRestoring] = useState(false)

  async function restoreImage() {
    const card = document.getElementById(cardId(image.id))
    const neighbor = findNeighborButton(cardId(image.id)) ?? document.querySelector<HTMLElement>('main h1')
    setIsRestoring(true)
    const isRestored = await restore([image.id])
    setIsRestoring(false)
    // The focused button goes away with the image, if it has not already.
    const focused = document.activeElement
    if (isRestored && (focused === document.body || card?.contains(focused))) neighbor?.focus()
  }

  return (
    <li id={cardId(image.id)} className={cardStyles['card']}>
      <div
        className={
          image.isHidden ? `${cardStyles['square']} ${cardStyles['isHidden']}` : cardStyles['square']
        }
      >
        {isSucceeded(image) && <Thumbnail image={image} describedBy={promptId} onOpen={props.onOpen} />}
        {image.expiresAt !== undefined && <Remaining expiresAt={image.expiresAt} />}
      </div>
      <UserText
        as="p"
        text={image.prompt}
        id={promptId}
        className={cardStyles['prompt']}
        title={image.prompt}
      >
        <WrappedText text={image.prompt} />
      </UserText>
      <div className={cardStyles['actions']}>
        <Button wide isBusy={isRestoring} aria-describedby={promptId} onClick={() => void restoreImage()}>
          {t({ message: 'Restore', comment: 'Button that takes an image out of the trash' })}
        </Button>
        <DeleteButton label={t`Delete permanently`} describedBy={promptId} onClick={props.onDelete} />
      </div>
    </li>
  )
}

/** Says how long an image stays in the trash. */
function Remaining({ expiresAt }: { expiresAt: string }) {
  const { t } = useLingui()
  const days = useDaysUntil(expiresAt)
  return (
    <span className={cardStyles['remaining']}>
      {days > 0 ? (
        t`${plural(days, { one: '# day left', other: '# days left' })}`
      ) : (
        <Trans>Will be deleted soon</Trans>
      )}
    </span>
  )
}
