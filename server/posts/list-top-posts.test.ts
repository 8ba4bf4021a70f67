import { sql, type Updateable } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import type { Schema } from '../db/schema.ts'
import type { PostQuery } from './inputs.ts'
import { fold } from '../text/search-text.ts'

const msPerDay = 86_400_000
const today = Date.UTC(2026, 10, 22)
const now = () => today + 5 * 3_600_000

/** Adds likes of that many users to posts. */
async function addLikes(
  { services: { db } }: TestServer,
  posts: readonly { readonly id: string; readonly likes: number }[],
): Promise<void> {
  const likes = posts.flatMap(({ id, likes: count }) =>
    Array.from({ length: count }, (_, user) => ({ post_id: id, user_id: `user-${user}`, created_at: 1 })),
  )
  for (let done = 0; done < likes.length; done += 5_000) {
    await db
      .insertInto('post_likes')
      .values(likes.slice(done, done + 5_000))
      .execute()
  }
}

type Query = Partial<Omit<PostQuery, 'cursor' | 'until'>>

/** Reads all posts with their likes. */
function readAll({ services: { db } }: TestServer) {
  return db
    .selectFrom('posts')
    .innerJoin('images', 'images.id', 'posts.image_id')
    .selectAll('posts')
    .select(['width', 'height', 'engine'])
    .select((eb) =>
      eb
        .selectFrom('post_likes')
        .whereRef('post_id', '=', 'posts.id')
        .select((likes) => likes.fn.countAll<number>().as('likes'))
        .as('likes'),
    )
    .execute()
}

type Rows = Awaited<ReturnType<typeof readAll>>

/** The posts that a list should have. */
function expected(rows: Rows, query: Query): string[] {
  const { search = '', sort = 'new', period = 'all', authorId, remixOf, shape, engine, isLiked } = query
  const days = { week: 6, month: 29, all: Infinity }[period]
  return rows
    .filter(
      (post) =>
        post.hidden_at === null &&
        post.visibility === 'public' &&
        post.search_text.includes(fold(search)) &&
        post.created_at >= today - days * msPerDay &&
        (authorId === undefined || post.author_id === authorId) &&
        (shape === undefined || shape === shapeOf(post)) &&
        (engine === undefined || post.engine === engine) &&
        (!isLiked || (post.likes ?? 0) > 0) &&
        (remixOf === undefined || post.parent_id === remixOf),
    )
    .sort((a, b) => (sort === 'top' ? (b.likes ?? 0) - (a.likes ?? 0) : 0) || b.seq - a.seq)
    .map(({ id }) => id)
}

function shapeOf({ width, height }: { width: number | null; height: number | null }) {
  if (width === height) return 'square'
  return (width ?? 0) > (height ?? 0) ? 'landscape' : 'portrait'
}

/** Reads the first pages of a list, and its totals. */
async function readPages(server: TestServer, query: Query, pages: number) {
  const ids: string[] = []
  const totals = new Set<number>()
  let cursor: string | null = null
  for (let page = 0; page < pages; page += 1) {
    const list = await server.client().posts.list.query({ ...query, ...(cursor !== null && { cursor }) })
    ids.push(...list.posts.map(({ id }) => id))
    totals.add(list.total)
    cursor = list.nextCursor
    if (cursor === null) break
  }
  return { ids, totals: [...totals], isComplete: cursor === null }
}

describe('posts.list returns the same posts as a scan', () => {
  const server = shareTestServer({ now })
  let parent = ''
  let rows: Rows

  beforeAll(async () => {
    const authors = ['many', 'many', 'many', 'some', 'none-listed', 'few']
    const texts = Array.from({ length: 1_800 }, (_, index) => ({
      name: `Author ${index % 6}`,
      prompt: `${index % 3 === 0 ? 'Lotus' : 'Kite'} ${index % 97 === 0 ? 'zebra' : ''} in रंगोली ${index}`,
      authorId: index % 400 === 5 ? 'few' : (authors[index % 5] ?? ''),
      createdAt: today - ((index * 7_919) % 60) * msPerDay + (index % 20) * 3_600_000,
    }))
    const ids = []
    for (const [part, image] of images.entries()) {
      ids.push(...(await fillGallery(server(), texts.slice(part * 450, part * 450 + 450), image)))
    }
    parent = ids[0] ?? ''
    // The rarest term has no likes, so that comparing the most liked posts does not find it.
    await addLikes(
      server(),
      ids.flatMap((id, index) =>
        index % 97 === 0 || index % 4 > 1 ? [] : [{ id, likes: (index * 31) % 9 }],
      ),
    )
    const { db } = server().services
    const update = (seq: string, values: Updateable<Schema['posts']>) =>
      db
        .updateTable('posts')
        .set(values)
        .where(sql<boolean>`seq % ${sql.raw(seq)}`)
        .execute()
    await update('29 = 3', { visibility: 'unlisted' })
    await update('31 = 4', { visibility: 'private' })
    await update('37 = 5', { hidden_at: 1 })
    await update('11 = 6', { parent_id: parent })
    await db
      .updateTable('posts')
      .set({ visibility: 'private' })
      .where('author_id', '=', 'none-listed')
      .execute()
    rows = await readAll(server())
  })

  const images = [
    { width: 640, height: 640, engine: 'one' },
    { width: 640, height: 480, engine: 'one' },
    { width: 480, height: 640, engine: 'other' },
    { width: 640, height: 480 },
  ]
  const searches = ['', 'zebra', 'o', 'रंगोली 17', 'nowhere']
  const parts: readonly Query[] = (['many', 'some', 'few', 'none-listed', undefined] as const).flatMap(
    (authorId) => [
      { sort: 'new', authorId },
      { sort: 'top', authorId },
      { sort: 'top', period: 'week', authorId },
      { sort: 'top', period: 'month', authorId },
    ],
  )

  const narrowed = (['many', undefined] as const).flatMap((authorId) =>
    (
      [
        { shape: 'landscape' },
        { engine: 'one' },
        { shape: 'portrait', engine: 'one' },
        { shape: 'square', engine: 'one' },
        { engine: 'unknown' },
      ] as const
    ).flatMap((facets): Query[] => [
      { ...facets, authorId },
      { ...facets, authorId, sort: 'top' },
      { ...facets, authorId, sort: 'top', period: 'month' },
    ]),
  )

  test.each([...parts, ...narrowed])('for %j', async (part) => {
    for (const search of searches) {
      const query = { ...part, search, limit: 70 }
      const { ids, totals, isComplete } = await readPages(server(), query, 3)
      const all = expected(rows, query)
      expect({ search, ids, totals }).toEqual({ search, ids: all.slice(0, 210), totals: [all.length] })
      expect(isComplete).toBe(all.length <= 210)
    }
  })

  test.each<Query>([
    {},
    { period: 'month' },
    { authorId: 'many' },
    { authorId: 'none-listed' },
    { shape: 'landscape', engine: 'one', period: 'week' },
  ])('for those with likes, of %j', async (part) => {
    const query = { ...part, sort: 'top', isLiked: true, limit: 70 } as const
    const all = expected(rows, query)
    const { ids, totals } = await readPages(server(), query, 3)
    expect({ ids, totals }).toEqual({ ids: all.slice(0, 210), totals: [all.length] })
  })

  test('for the remixes of a post', async () => {
    const query = { remixOf: parent, limit: 50 }
    const all = expected(rows, query)
    expect(await readPages(server(), query, 9)).toEqual({ ids: all, totals: [all.length], isComplete: true })
    expect(all.length).toBeGreaterThan(50)
    expect(await readPages(server(), { remixOf: 'another' }, 1)).toMatchObject({ ids: [], totals: [0] })
  })
})

describe('the most liked posts', () => {
  test('change with likes and with posts that are no longer public, also in cached responses', async () => {
    const server = await startTestServer()
    const [first = '', second = '', third = ''] = await fillGallery(server, numberedPosts(3))
    const { db } = server.services
    const top = async () => {
      const { posts } = await server.client().posts.list.query({ sort: 'top' })
      return posts.map(({ id, likeCount }) => [id, likeCount])
    }
    expect(await top()).toEqual([
      [third, 0],
      [second, 0],
      [first, 0],
    ])
    await addLikes(server, [
      { id: first, likes: 2 },
      { id: second, likes: 1 },
    ])
    expect(await top()).toEqual([
      [first, 2],
      [second, 1],
      [third, 0],
    ])
    await db.deleteFrom('post_likes').where('post_id', '=', first).execute()
    await db.updateTable('posts').set({ visibility: 'unlisted' }).where('id', '=', third).execute()
    expect(await top()).toEqual([
      [second, 1],
      [first, 0],
    ])
    await db.deleteFrom('posts').where('id', '=', second).execute()
    expect(await top()).toEqual([[first, 0]])
  })

  test('of a week leave out the first day after midnight, also in cached responses', async () => {
    let time = today + 23 * 3_600_000
    const server = await startTestServer({ now: () => time })
    const [old = '', recent = ''] = await fillGallery(server, [
      { name: 'Asha', prompt: 'Six days ago', createdAt: today - 6 * msPerDay },
      { name: 'Asha', prompt: 'Today', createdAt: time },
    ])
    const week = async () => {
      const { posts, total } = await server.client().posts.list.query({ sort: 'top', period: 'week' })
      expect(total).toBe(posts.length)
      return posts.map(({ id }) => id)
    }
    expect(await week()).toEqual([recent, old])
    time += 2 * 3_600_000
    expect(await week()).toEqual([recent])
  })
})

test('posts.author returns the newest name and the number of public posts, and rejects others', async () => {
  const server = await startTestServer()
  const [, newest = ''] = await fillGallery(server, [
    { name: 'Asha', prompt: 'A lotus', authorId: 'asha' },
    { name: 'Asha Rao', prompt: 'A kite', authorId: 'asha' },
    { name: 'Meera', prompt: 'A boat', authorId: 'meera' },
  ])
  const { author } = server.client().posts
  expect(await author.query({ authorId: 'asha' })).toEqual({ authorId: 'asha', name: 'Asha Rao', posts: 2 })
  await server.services.db
    .updateTable('posts')
    .set({ visibility: 'private' })
    .where('id', '=', newest)
    .execute()
  expect(await author.query({ authorId: 'asha' })).toEqual({ authorId: 'asha', name: 'Asha', posts: 1 })
  await expect(author.query({ authorId: 'nobody' })).rejects.toMatchObject({ data: { reason: 'not_found' } })
})
