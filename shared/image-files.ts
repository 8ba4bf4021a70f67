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
  return inFolderOf(photo, thumbnailFile(size))
}

/** Longest sides, in pixels, of the uncropped WebP copies, which are created on the first request. None is larger than its original. */
export const fitSizes = [640, 1280] as const

export type FitSize = (typeof fitSizes)[number]

/** Returns the file name of an uncropped copy in an image's folder. */
export function fitFile(size: FitSize): string {
  return `fit-${size}.webp`
}

/** Returns the path of an uncropped copy, given the path of the original. */
export function fitUrl(photo: string, size: FitSize): string {
  return inFolderOf(photo, fitFile(size))
}

/** Returns the file name of a PNG or WebP with Content Credentials, as an engine delivered it. */
export function credentialsFile(format: 'png' | 'webp', sha256: string): string {
  return `credentials-${sha256}.${format}`
}

/** Names that files of these SHA-256 have if they are kept for their Content Credentials. */
export function credentialsFiles(digests: readonly string[]): readonly string[] {
  return digests.flatMap((one) => [credentialsFile('png', one), credentialsFile('webp', one)])
}

/** Size in pixels. */
export interface ImageDimensions {
  readonly width: number
  readonly height: number
}

export const imageShapes = ['square', 'landscape', 'portrait'] as const

/** Proportions of an image: as wide as high, wider, or higher. */
export type ImageShape = (typeof imageShapes)[number]

/** Returns the size of an image that is scaled down to fit, in its proportions. */
export function sizeWithin({ width, height }: ImageDimensions, bounds: ImageDimensions): ImageDimensions {
  const scale = Math.min(1, bounds.width / width, bounds.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

function inFolderOf(photo: string, file: string): string {
  return photo.slice(0, photo.lastIndexOf('/') + 1) + file
}

/** Path of a stored image's original, or of another of its files, on this server. */
export function photoPath(folder: string, file = originalFile): string {
  return `/uploads/${folder}/${file}`
}

export function ratioOf({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.round((width / height) * 1000) / 1000
}
