/** Sides, in pixels, of the square WebP thumbnails that lie beside each original. */
export const thumbnailSizes = [320, 480, 640] as const

export type ThumbnailSize = (typeof thumbnailSizes)[number]

export const originalFile = 'original.jpg'

/** The file name of one thumbnail inside an image's folder. */
export function thumbnailFile(size: ThumbnailSize): string {
  return `${size}.webp`
}

/** The address of one thumbnail of the image whose original is at `photo`. */
export function thumbnailUrl(photo: string, size: ThumbnailSize): string {
  return photo.slice(0, photo.lastIndexOf('/') + 1) + thumbnailFile(size)
}
