import type { Generations } from './generation/generations.ts'
import type { ImageLinks } from './image-links.ts'
import type { UploadServices } from './upload-image.ts'
import type { MoveServices, TrashServices } from './trash.ts'

/** Services that the procedures of this module take. */
export interface ImagesServices extends UploadServices, TrashServices, MoveServices {
  readonly generations: Generations
  readonly imageLinks: ImageLinks
}
