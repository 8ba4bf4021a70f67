import { randomUUID } from 'node:crypto'
import { insertPosts } from '../../server/posts/post-queries.ts'
import { imageFromEngine } from '../../server/images/processing.ts'
import { searchText } from '../../server/text/search-text.ts'
import { plainJpeg } from './engine.ts'
import type { TestServer } from './test-server.ts'

/** Rows per statement. SQLite allows 32,766 values per statement. */
const batchSize = 2_000

interface PostText {
  readonly name: string
  readonly prompt: string
  readonly authorId?: string
  /** Milliseconds since 1970. */
  readonly createdAt?: number
}

/**
 * Inserts posts of one image directly into the database, the newest last.
 *
 * @param image other columns of the image, which has its files for any size
 * @returns the ids of the posts
 */
export async function fillGallery(
  server: TestServer,
  texts: readonly PostText[],
  image: { readonly width?: number; readonly height?: number; readonly engine?: string } = {},
): Promise<string[]> {
  const { db, blobs, engines, now } = server.services
  const { files, sha256, width, height, placeholder } = await imageFromEngine(
    await plainJpeg('the gallery'),
    engines.default,
  )
  const imageId = randomUUID()
  const folder = await blobs.put(files)
  await db
    .insertInto('images')
    .values({
      id: imageId,
      owner_id: 'no-account',
      source: image.engine === undefined ? 'uploaded' : 'generated',
      prompt: '',
      state: 'succeeded',
      folder,
      sha256,
      width,
      height,
      placeholder,
      created_at: now(),
      ...image,
    })
    .execute()
  await blobs.link(db, folder)
  const rows = texts.map(({ name, prompt, authorId = 'no-account', createdAt = now() }) => ({
    id: randomUUID(),
    author_id: authorId,
    image_id: imageId,
    name,
    prompt,
    search_text: searchText(name, prompt),
    created_at: createdAt,
  }))
  for (let done = 0; done < rows.length; done += batchSize) {
    await insertPosts(db, rows.slice(done, done + batchSize))
  }
  return rows.map(({ id }) => id)
}

/** Creates texts of posts that differ only in their number. */
export function numberedPosts(count: number, prompt = 'Post'): { name: string; prompt: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: 'Asha', prompt: `${prompt} ${index + 1}` }))
}

/** Row of an image, whose file does not exist. */
export const imageRow = (id: string) =>
  ({
    id,
    folder: id,
    sha256: id,
    owner_id: 'asha',
    source: 'generated',
    engine: 'rangoli',
    prompt: '',
    state: 'succeeded',
    width: 1,
    height: 1,
    placeholder: '',
    created_at: 1,
  }) as const
