import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/databases.ts'
import { eventually } from '../../../test/support/generations.ts'
import { imageRow } from '../../../test/support/posts.ts'
import { insertPosts } from '../../posts/post-queries.ts'
import { readGalleryState } from '../gallery.ts'
import type { Database } from '../open-database.ts'

async function addImage(db: Database): Promise<string> {
  const id = randomUUID()
  await db.insertInto('images').values(imageRow(id)).execute()
  return id
}

const newPost = (imageId: string) => ({
  id: randomUUID(),
  author_id: 'asha',
  image_id: imageId,
  name: 'Asha',
  prompt: 'A lotus',
  search_text: 'asha\u001fa lotus',
  created_at: 1,
})

async function seqs(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('posts').select('seq').orderBy('seq').execute()
  return rows.map(({ seq }) => seq)
}

describe('posts on PostgreSQL', () => {
  test('are numbered without gaps or repetitions, also after rollbacks and deletions', async () => {
    const db = await openTestDatabase()
    const imageId = await addImage(db)
    const add = (count: number) => {
      const posts = Array.from({ length: count }, () => newPost(imageId))
      return db.insertInto('posts').values(posts).execute()
    }
    await add(3)
    const failed = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('posts').values(newPost(imageId)).execute()
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await add(1)
    expect(await seqs(db)).toEqual([1, 2, 3, 4])
    await db.deleteFrom('posts').where('seq', '>=', 3).execute()
    await add(1)
    expect(await seqs(db)).toEqual([1, 2, 5])
    await insertPosts(db, [newPost(imageId), newPost(imageId)])
    await add(1)
    expect(await seqs(db)).toEqual([1, 2, 5, 6, 7, 8])
    expect(await readGalleryState(db)).toEqual({ posts: 6, newest: 8, changes: 2 })
  })

  test('are visible in the order of their numbers while others write', async () => {
    const db = await openTestDatabase()
    const imageId = await addImage(db)
    const [writers, postsOfWriter] = [3, 30]
    let isWriting = true
    const seen: number[] = []
    const read = async () => {
      for (let last = 0, isLast = false; !isLast;) {
        isLast = !isWriting
        const { newest } = await readGalleryState(db)
        const rows = await db
          .selectFrom('posts')
          .select('seq')
          .where('seq', '>', last)
          .where('seq', '<=', newest)
          .execute()
        seen.push(...rows.map(({ seq }) => seq))
        last = newest
      }
    }
    const reader = read()
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let written = 0; written < postsOfWriter; written += 1) {
          await db.transaction().execute(async (transaction) => {
            await transaction.insertInto('posts').values(newPost(imageId)).execute()
            await pause(Math.random() * 3)
          })
        }
      }),
    )
    isWriting = false
    await reader
    expect(seen.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: writers * postsOfWriter }, (_, index) => index + 1),
    )
  })
})

test('the counters of the gallery on PostgreSQL are exact after concurrent changes', async () => {
  const db = await openTestDatabase()
  const imageId = await addImage(db)
  await Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      const own: string[] = []
      for (let step = 0; step < 40; step += 1) {
        const post = newPost(imageId)
        own.push(post.id)
        await db.insertInto('posts').values(post).execute()
        const hidden = own[step - 2]
        const deleted = own[step - 5]
        if (hidden && step % 3 === worker % 3)
          await db
            .updateTable('posts')
            .set({ hidden_at: sql`CASE WHEN hidden_at IS NULL THEN 1 END` })
            .where('id', '=', hidden)
            .execute()
        if (deleted && step % 4 === 0) await db.deleteFrom('posts').where('id', '=', deleted).execute()
      }
    }),
  )
  const { visible } = await db
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number>().as('visible'))
    .where('hidden_at', 'is', null)
    .executeTakeFirstOrThrow()
  expect(await readGalleryState(db)).toMatchObject({ posts: visible, newest: 160 })
})

test('deleting posts locks the gallery before their images', async () => {
  const db = await openTestDatabase()
  const imageId = await addImage(db)
  await db.insertInto('posts').values(newPost(imageId)).execute()
  const other = await db.startTransaction().execute()
  await other.selectFrom('gallery').select('newest').forUpdate().execute()
  const deleted = db.deleteFrom('posts').execute()
  const waiting = sql<{ count: number }>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await eventually(async () => (await waiting.execute(db)).rows[0]?.count).toBe(1)
  await sql`SELECT FROM images WHERE id = ${imageId} FOR UPDATE NOWAIT`.execute(other)
  await other.commit().execute()
  await deleted
})
