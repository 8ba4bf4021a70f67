import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PostPage } from '../../../shared/posts.ts'
import { searchText } from '../../text/search-text.ts'
import { fillGallery } from '../../../test/support/posts.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

test('no response is older than its request, while two servers of one database write', async () => {
  const first = await startTestServer()
  const second = await startTestServer({ folder: first.directory })
  await fillGallery(first, [{ name: 'Asha', prompt: 'Post 1' }])
  const { image_id: imageId } = await first.services.db
    .selectFrom('posts')
    .select('image_id')
    .executeTakeFirstOrThrow()

  /** Posts whose insertion was acknowledged, and deletions that were. */
  let added = 1
  const deleted = new Set<string>()
  const done = new AbortController()

  async function write(server: typeof first): Promise<void> {
    for (let step = 0; !done.signal.aborted; step += 1) {
      const id = randomUUID()
      const prompt = `Post ${step}`
      const row = { id, author_id: 'asha', image_id: imageId, name: 'Asha', prompt, created_at: step }
      await server.services.db
        .insertInto('posts')
        .values({ ...row, search_text: searchText('Asha', prompt) })
        .execute()
      added += 1
      if (step % 4 === 0) {
        added -= 1
        await server.services.db.deleteFrom('posts').where('id', '=', id).execute()
        deleted.add(id)
      }
      await pause(Math.random() * 4)
    }
  }

  async function read(server: typeof first): Promise<void> {
    for (let request = 0; request < 25; request += 1) {
      const [atLeast, gone] = [added, new Set(deleted)]
      const response = await server.request('/trpc/posts.list')
      const { result } = (await response.json()) as { result: { data: PostPage } }
      expect(result.data.total).toBeGreaterThanOrEqual(atLeast)
      expect(result.data.posts.filter(({ id }) => gone.has(id))).toEqual([])
    }
  }

  const writers = [first, second].map(write)
  await Promise.all([first, second, first, second].map(read)).finally(() => done.abort())
  await Promise.all(writers)
})
