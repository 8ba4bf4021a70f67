import type { Selectable } from 'kysely'
import type { Image, ReadyImage } from '../../shared/images.ts'
import { originalFile } from '../../shared/image-files.ts'
import type { ImagesTable } from '../db/schema.ts'

/** The path of a stored image's original on this server. */
export function photoPath(folder: string): string {
  return `/uploads/${folder}/${originalFile}`
}

/** A generated image's row as its owner sees it. */
export function toImage(row: Selectable<ImagesTable>): Image {
  return {
    id: row.id,
    prompt: row.prompt,
    state: row.state,
    failure: row.failure,
    photo: row.folder && photoPath(row.folder),
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    engine: row.engine ?? '',
    model: row.model ?? '',
    isHidden: row.hidden_at !== null,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** Narrows an image to one whose image is stored. */
export function isReady(image: Image): image is ReadyImage {
  return image.state === 'ready'
}
