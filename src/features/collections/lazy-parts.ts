import { loadOtherMessages } from '../../i18n/messages.ts'
import { lazyPart } from '../../ui/loading.tsx'

/** The dialog in which the viewer adds posts to collections. */
export const AddToCollection = lazyPart(async () => {
  const [part] = await Promise.all([import('./add-to-collection.tsx'), loadOtherMessages()])
  return part.AddToCollection
})

/** Why a collection is hidden. */
export const HiddenCollection = lazyPart(async () => {
  const [part] = await Promise.all([import('./hidden-collection.tsx'), loadOtherMessages()])
  return part.HiddenCollection
})

/** What a card of a post is dropped on. */
export const DropZone = lazyPart(async () => {
  const [part] = await Promise.all([import('./drop-zone.tsx'), loadOtherMessages()])
  return part.DropZone
})
