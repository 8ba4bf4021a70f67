import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { Ref } from 'react'
import { isSucceeded, type ListedImage } from '../../../../shared/images.ts'
import { Button } from '../../../ui/button.tsx'
import { DeleteButton } from '../image-actions.tsx'
import { DeletePermanently, useRestore } from './deletion.tsx'
import {
  Card,
  CardActions,
  cardId,
  DaysLeft,
  findNeighborOfCard,
  Thumbnail,
  useDaysUntil,
} from './image-card.tsx'
import { ImageGrid } from './image-grid.tsx'

/** The images in a user's trash, which can be restored or deleted permanently. */
export function Trash({ list, images }: { list: Ref<HTMLUListElement>; images: readonly ListedImage[] }) {
  return (
    <ImageGrid
      list={list}
      images={images}
      renderCard={(image, actions) => <TrashCard key={image.id} image={image} {...actions} />}
      renderDeletion={(image, onClosed) => <DeletePermanently image={image} onClosed={onClosed} />}
    />
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
    const neighbor = findNeighborOfCard(image.id)
    setIsRestoring(true)
    const isRestored = await restore([image.id])
    setIsRestoring(false)
    // The focused button is removed with the card, if it has not been already.
    const focused = document.activeElement
    if (isRestored && (focused === document.body || card?.contains(focused))) neighbor?.focus()
  }

  return (
    <Card
      image={image}
      promptId={promptId}
      square={
        <>
          {isSucceeded(image) && <Thumbnail image={image} describedBy={promptId} onOpen={props.onOpen} />}
          {image.expiresAt !== undefined && <Remaining expiresAt={image.expiresAt} />}
        </>
      }
    >
      <CardActions>
        <Button wide isBusy={isRestoring} aria-describedby={promptId} onClick={() => void restoreImage()}>
          {t({ message: 'Restore', comment: 'Button that takes an image out of the trash' })}
        </Button>
        <DeleteButton label={t`Delete permanently`} describedBy={promptId} onClick={props.onDelete} />
      </CardActions>
    </Card>
  )
}

/** Says how long an image stays in the trash. */
function Remaining({ expiresAt }: { expiresAt: string }) {
  const { t } = useLingui()
  const days = useDaysUntil(expiresAt)
  return <DaysLeft days={days} sentence={t`${plural(days, { one: '# day left', other: '# days left' })}`} />
}
