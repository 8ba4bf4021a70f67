import { withOtherMessages } from '../../i18n/messages.ts'
import { lazyPart } from '../../ui/loading.tsx'

/** The dialog in which the viewer adds posts to collections. */
export const AddToCollection = lazyPart(
  async () => (await withOtherMessages(import('./add-to-collection.tsx'))).AddToCollection,
)

/** What a card of a post is dropped on. */
export const DropZone = lazyPart(async () => (await withOtherMessages(import('./drop-zone.tsx'))).DropZone)
