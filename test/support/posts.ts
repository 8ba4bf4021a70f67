import { randomUUID } from 'node:crypto'
import { imageFromEngine } from '../../server/images/processing.ts'
import { searchText } from '../../server/posts/search/normalize.ts'
import { plainJpeg } from './engine.ts'
import type { TestServer } from './test-server.ts'

/** Rows of one statement; SQLite takes 32,766 values in one. */
const batchSize = 2_000

/**
 * Puts posts into the gallery without going through a transport, the last one the newest. They show one image.
 *
 * @returns the new posts' ids
 */
export async function fillGallery(
  server: TestServer,
  texts: readonly { name: string; prompt: string }[],
): Promise<string[]> {
  const { db, blobs, engine, now } = server.services
  const { files, sha256, width, height, placeholder } = await imageFromEngine(
    await plainJpeg('the gallery'),
    engine,
  )
  const imageId = randomUUID()
  await db
    .insertInto('images')
    .values({
      id: imageId,
      owner_id: 'nobody',
      source: 'uploaded',
      prompt: '',
      state: 'succeeded',
      folder: await blobs.put(files),
      sha256,
      width,
      height,
      placeholder,
      created_at: now(),
    })
    .execute()
  const rows = texts.map(({ name, prompt }) => ({
    id: randomUUID(),
    author_id: 'nobody',
    image_id: imageId,
    name,
    prompt,
    search_text: searchText(name, prompt),
    created_at: now(),
  }))
  for (let done = 0; done < rows.length; done += batchSize) {
    await db
      .insertInto('posts')
      .values(rows.slice(done, done + batchSize))
      .execute()
  }
  return rows.map(({ id }) => id)
}

/** `count` posts that differ in their number only. */
export function numberedPosts(count: number, prompt = 'Post'): { name: string; prompt: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: 'Asha', prompt: `${prompt} ${index + 1}` }))
}
