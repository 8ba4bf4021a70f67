import type { AccountData } from '../../../shared/account.ts'

/** One file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly lastModified: Date
  readonly input: Blob | string
}

/** How many of how many images are in it, or could not be fetched. */
export interface ArchiveProgress {
  readonly done: number
  readonly total: number
}

/** What an archive needs of the page around it. */
interface ArchiveServices {
  fetchImage(photo: string): Promise<Blob>
  now(): Date
  tell(progress: ArchiveProgress): void
}

interface ImageFile {
  readonly file: string
  readonly photo: string
  readonly createdAt: string
}

/**
 * The files of a user's archive, each made when it is asked for: the images, one after another, and at last
 * data.json, which says which file is which image, and which images could not be fetched.
 *
 * @param missed told of each image that could not be fetched; throws, and so ends the archive, where that is
 * because nobody wants it any more
 */
export async function* archiveFiles(
  services: ArchiveServices,
  data: AccountData,
  missed: (cause: unknown) => void,
): AsyncGenerator<ArchiveFile> {
  const wanted = imagesOf(data)
  const files: Omit<ImageFile, 'createdAt'>[] = []
  const missingFiles: string[] = []
  services.tell({ done: 0, total: wanted.length })
  for (const [index, { file, photo, createdAt }] of wanted.entries()) {
    try {
      const input = await services.fetchImage(photo)
      files.push({ file, photo })
      yield { name: file, lastModified: new Date(createdAt), input }
    } catch (cause) {
      missed(cause)
      missingFiles.push(photo)
    }
    services.tell({ done: index + 1, total: wanted.length })
  }
  const content = JSON.stringify({ ...data, files, missingFiles }, null, 2)
  yield { name: 'data.json', lastModified: services.now(), input: content }
}

/** Every image once: a post mostly shows one of the user's images, but may show one that they brought. */
function imagesOf({ images, posts }: AccountData): ImageFile[] {
  const files = new Map<string, ImageFile>()
  for (const { id, photo, createdAt } of [...images, ...posts]) {
    if (photo === null || files.has(photo)) continue
    files.set(photo, { file: `images/${id}.jpg`, photo, createdAt })
  }
  return [...files.values()]
}
