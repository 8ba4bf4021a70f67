/** Sides, in pixels, of the square WebP thumbnails that are stored with each original. */
export const thumbnailSizes = [320, 480, 640] as const

export type ThumbnailSize = (typeof thumbnailSizes)[number]

export const originalFile = 'original.jpg'

/** Returns the file name of a thumbnail in an image's folder. */
export function thumbnailFile(size: ThumbnailSize): string {
  return `${size}.webp`
}

/** Returns the path of a thumbnail, given the path of the original. */
export function thumbnailUrl(photo: string, size: ThumbnailSize): string {
  return photo.slice(0, photo.lastIndexOf('/') + 1) + thumbnailFile(size)
}
