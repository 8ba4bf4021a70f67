import { useLingui } from '@lingui/react/macro'
import { useId, type KeyboardEvent } from 'react'
import { isSucceeded, type ListedImage } from '../../../../shared/images.ts'
import { arrowStep, hasModifier } from '../../../browser/apis.ts'
import { describeImage } from '../../../images/image.tsx'
import { lazyPart } from '../../../ui/loading.tsx'
import { UserText } from '../../../ui/text.tsx'
import { useDialog } from '../../../ui/use-dialog.tsx'
import { WrappedText } from '../../../ui/wrapped-text.tsx'
import { elementIds } from '../element-ids.ts'
import { RecipeDetails } from '../image-actions.tsx'
import { batchesOf, useComparisons, useOwnImages, type Section } from '../use-own-images.ts'
import { DeleteImage, DeletePermanently } from './deletion.tsx'
import { DaysLeft, ImageActions, SharedLink } from './image-tile.tsx'

const ImageViewer = lazyPart(async () => (await import('../../../images/image-viewer.tsx')).ImageViewer)

/** Returns the dialog about the deletion of an image, and a function that opens it. */
export function useDeletion(isTrash: boolean) {
  const [dialog, openDialog] = useDialog()
  const Deletion = isTrash ? DeletePermanently : DeleteImage
  const confirm = (image: ListedImage, onDeleted = () => {}) =>
    openDialog(<Deletion image={image} onDeleted={onDeleted} />)
  return [dialog, confirm] as const
}

/**
 * The viewer over a timeline, with what is known and what can be done about an image beside it. It goes on to the next month, and
 * loads it.
 */
export function OwnImageViewer(props: {
  isTrash: boolean
  sections: readonly Section[]
  total: number
  open: { readonly section: number; readonly id: string }
  onShow: (section: number, id: string) => void
  onClosed: () => void
}) {
  const { sections, open, onClosed } = props
  const listAt = (index: number) => sections[index]?.list ?? null
  const earlier = useOwnImages(listAt(open.section - 1))
  const own = useOwnImages(listAt(open.section))
  const later = useOwnImages(listAt(open.section + 1))
  // Those of the month before are next to this one's once all of them are loaded.
  const known = earlier.hasMore ? [] : earlier.listed
  const parts = [known, own.listed, own.hasMore ? [] : later.listed]
  const images = parts.flat()
  const shown = images.filter(isSucceeded)
  const index = shown.findIndex(({ id }) => id === open.id)
  const image = shown[index]
  const batch = batchesOf(images).find((one) => one.some(({ id }) => id === open.id)) ?? []
  const others = useComparisons(image, batch)
  if (!image) return null
  const before = sections.slice(0, open.section).reduce((sum, { count }) => sum + count, 0)
  const neighbor = shown[index + 1] ?? shown[index - 1]
  const show = (id: string) => {
    const part = parts.findIndex((listed) => listed.some((one) => one.id === id))
    props.onShow(open.section + Math.max(0, part) - 1, id)
  }
  return (
    <ImageViewer
      images={shown}
      shownId={open.id}
      position={before - known.length + images.indexOf(image) + 1}
      total={props.total}
      others={others}
      onNearEnd={() => {
        if (own.hasMore) void own.loadMore()
        else if (later.hasMore) void later.loadMore()
      }}
      panel={
        <ImagePanel
          key={open.id}
          isTrash={props.isTrash}
          image={image}
          onDeleted={() => (neighbor ? show(neighbor.id) : onClosed())}
        />
      }
      onShow={show}
      focusAfter={(id) => document.getElementById(elementIds.cardOf(id))?.querySelector('button') ?? null}
      onClosed={onClosed}
    />
  )
}

function ImagePanel(props: { isTrash: boolean; image: ListedImage; onDeleted: () => void }) {
  const { i18n } = useLingui()
  const { image, isTrash } = props
  const { recipe } = image
  const promptId = useId()
  const [dialog, confirmDeletion] = useDeletion(isTrash)
  const text = describeImage(image, i18n)
  const created = i18n.date(image.createdAt, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <div className="stack">
      <UserText as="p" id={promptId} text={text} className="breakable">
        <WrappedText text={text} />
      </UserText>
      <p className="line quiet small">
        <time dateTime={image.createdAt}>{created}</time>
        {image.expiresAt !== undefined && <DaysLeft at={image.expiresAt} isTrash={isTrash} />}
        {!isTrash &&
          !image.isHidden &&
          image.posts.map((post) => (
            <SharedLink key={post.id} post={post} describedBy={promptId} className="chip hoverable" />
          ))}
      </p>
      <div className="row">
        <ImageActions
          isTrash={isTrash}
          image={image}
          describedBy={promptId}
          onDelete={() => confirmDeletion(image, props.onDeleted)}
        />
      </div>
      {recipe && !isTrash && <RecipeDetails recipe={recipe} isOpenAtFirst />}
      {dialog}
    </div>
  )
}

/** Moves the focus between images by the arrow keys, in the order and the columns that they have on the screen. */
export function moveBetweenImages(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event
  if (hasModifier(event) || !(target instanceof HTMLElement)) return
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  const step = isVertical ? (key === 'ArrowUp' ? -1 : 1) : arrowStep(key)
  if (step === 0) return
  const own = target.closest('li')
  if (!own) return
  const items = [...currentTarget.querySelectorAll<HTMLElement>('li:has(button, input)')]
  const others =
    step === -1 ? items.slice(0, items.indexOf(own)).toReversed() : items.slice(items.indexOf(own) + 1)
  const boxOf = (item: HTMLElement) => item.getBoundingClientRect()
  const { left, top } = boxOf(own)
  const rowTop = others.map((item) => boxOf(item).top).find((other) => other !== top)
  const distance = (item: HTMLElement) => Math.abs(boxOf(item).left - left)
  // The one above or below, or the nearest one of a shorter row.
  const neighbor = isVertical
    ? others
        .filter((item) => boxOf(item).top === rowTop)
        .toSorted((one, other) => distance(one) - distance(other))[0]
    : others[0]
  if (!neighbor) return
  event.preventDefault()
  neighbor.querySelector<HTMLElement>('button, input')?.focus()
}
