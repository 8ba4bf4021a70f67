import type { PersonData } from '../../../shared/account.ts'

/** One file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly lastModified: Date
  readonly input: Blob | string
}

/** How many of how many pictures are in it, or could not be fetched. */
export interface ArchiveProgress {
  readonly done: number
  readonly total: number
}

/** What an archive needs of the page around it. */
interface ArchiveServices {
  fetchPicture(photo: string): Promise<Blob>
  now(): Date
  tell(progress: ArchiveProgress): void
}

interface Picture {
  readonly file: string
  readonly photo: string
  readonly createdAt: string
}

/**
 * The files of a person's archive, each made when it is asked for: the pictures, one after another, and at last
 * data.json, which says which file is which picture, and which pictures could not be fetched.
 *
 * @param missed told of each picture that could not be fetched; throws, and so ends the archive, where that is
 * because nobody wants it any more
 */
export async function* archiveFiles(
  services: ArchiveServices,
  data: PersonData,
  missed: (cause: unknown) => void,
): AsyncGenerator<ArchiveFile> {
  const wanted = picturesOf(data)
  const pictures: Omit<Picture, 'createdAt'>[] = []
  const missingPictures: string[] = []
  services.tell({ done: 0, total: wanted.length })
  for (const [index, { file, photo, createdAt }] of wanted.entries()) {
    try {
      const input = await services.fetchPicture(photo)
      pictures.push({ file, photo })
      yield { name: file, lastModified: new Date(createdAt), input }
    } catch (cause) {
      missed(cause)
      missingPictures.push(photo)
    }
    services.tell({ done: index + 1, total: wanted.length })
  }
  const content = JSON.stringify({ ...data, pictures, missingPictures }, null, 2)
  yield { name: 'data.json', lastModified: services.now(), input: content }
}

/** Every picture once: a post mostly shows one of the person's images, but may show one that they brought. */
function picturesOf({ images, posts }: PersonData): Picture[] {
  const pictures = new Map<string, Picture>()
  for (const { id, photo, createdAt } of [...images, ...posts]) {
    if (photo === null || pictures.has(photo)) continue
    pictures.set(photo, { file: `pictures/${id}.jpg`, photo, createdAt })
  }
  return [...pictures.values()]
}
