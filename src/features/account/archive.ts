import type { AccountData } from '../../../shared/account.ts'

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly lastModified: Date
  readonly input: Blob | string
}

/** Number of images processed, including those that could not be fetched. */
export interface ArchiveProgress {
  readonly done: number
  readonly total: number
}

interface ArchiveServices {
  fetchImage(path: string): Promise<Blob>
  now(): Date
  onProgress(progress: ArchiveProgress): void
}

interface ImageFile {
  readonly file: string
  readonly photo: string
  readonly createdAt: string
}

/**
 * Generates the files of a user's archive on demand: the images one by one, then data.json, which maps files to images
 * and lists images that could not be fetched.
 *
 * @param onMissing called with the error of each image that could not be fetched; throws to abort the archive
 */
export async function* archiveFiles(
  services: ArchiveServices,
  data: AccountData,
  onMissing: (cause: unknown) => void,
): AsyncGenerator<ArchiveFile> {
  const images = imagesOf(data)
  const files: Omit<ImageFile, 'createdAt'>[] = []
  const missingFiles: string[] = []
  services.onProgress({ done: 0, total: images.length })
  for (const [index, { file, photo, createdAt }] of images.entries()) {
    try {
      const input = await services.fetchImage(photo)
      files.push({ file, photo })
      yield { name: file, lastModified: new Date(createdAt), input }
    } catch (cause) {
      onMissing(cause)
      missingFiles.push(photo)
    }
    services.onProgress({ done: index + 1, total: images.length })
  }
  const content = JSON.stringify({ ...data, files, missingFiles }, null, 2)
  yield { name: 'data.json', lastModified: services.now(), input: content }
}

/** Every image once. Most posts show one of the generated images, the others an upload. */
function imagesOf({ images, posts }: AccountData): ImageFile[] {
  const files = new Map<string, ImageFile>()
  for (const { id, photo, createdAt } of [...images, ...posts]) {
    if (photo === null || files.has(photo)) continue
    files.set(photo, { file: `images/${id}.jpg`, photo, createdAt })
  }
  return [...files.values()]
}
