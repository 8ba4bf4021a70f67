import { describe, expect, test } from 'vitest'
import { encodeCursor } from '../db/pagination.ts'
import {
  transports,
  forEachTransport,
  type Transport,
  type ListResponse,
} from '../../test/support/transports.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

const promptsOf = (answer: { posts: readonly { prompt: string }[] }) =>
  answer.posts.map(({ prompt }) => prompt)

/** Reads page after page to the end; `between` may change the gallery meanwhile. */
async function readAll(
  server: TestServer,
  transport: Transport,
  limit: number,
  between: (page: number) => Promise<unknown>,
) {
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; ; page += 1) {
    const answer = await transport.list(server, { limit, ...(cursor !== null && { cursor }) })
    expect(answer.error).toBeNull()
    seen.push(...promptsOf(answer))
    if (answer.next === null) return seen
    cursor = answer.next
    await between(page)
  }
}

describe.each(transports)('the gallery through $name', (transport) => {
  test('is empty without posts', async () => {
    const server = await startTestServer()
    expect(await transport.list(server, {})).toEqual({
      status: 200,
      error: null,
      retryAfter: null,
      posts: [],
      next: null,
    })
  })

  test('returns pages without gaps or duplicates', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(25))
    const all = numberedPosts(25).map(({ prompt }) => prompt)
    for (const limit of [1, 5, 12, 25, 26]) {
      expect(await readAll(server, transport, limit, () => Promise.resolve())).toEqual(all.toReversed())
    }
  })

  test('returns stable pages while posts are added and deleted', async () => {
    const server = await startTestServer()
    const ids = await fillGallery(server, numberedPosts(20))
    const seen = await readAll(server, transport, 5, async (page) => {
      await fillGallery(server, numberedPosts(3, `New on page ${page}`))
      // Deletes the post at the position of the last cursor.
      const last = ids[20 - (page + 1) * 5] ?? ''
      await server.services.db.deleteFrom('posts').where('id', '=', last).execute()
    })
    expect(seen).toEqual(
      numberedPosts(20)
        .map(({ prompt }) => prompt)
        .toReversed(),
    )
  })

  test('returns the pages of a search', async () => {
    const server = await startTestServer()
    await fillGallery(server, [...numberedPosts(6, 'Lotus'), ...numberedPosts(6, 'Kite')])
    const first = await transport.list(server, { search: 'lotus', limit: 4 })
    expect(promptsOf(first)).toEqual(['Lotus 6', 'Lotus 5', 'Lotus 4', 'Lotus 3'])
    const second = await transport.list(server, { search: 'lotus', limit: 4, cursor: first.next ?? '' })
    expect(promptsOf(second)).toEqual(['Lotus 2', 'Lotus 1'])
    expect(second.next).toBeNull()
  })
})

describe.each(transports)('pages of long texts through $name', (transport) => {
  const longest = 'क्षि'.repeat(3_990)
  const longPosts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: 'Asha', prompt: `${index + 1} ${longest}` }))

  test('end early without leaving posts out', async () => {
    const server = await startTestServer()
    await fillGallery(server, [...longPosts(12), ...numberedPosts(30, 'Short')])
    const numbersOf = ({ posts }: ListResponse) => posts.map(({ prompt }) => Number.parseInt(prompt, 10))
    for (const query of [
      { search: 'क्षि' },
      { search: 'क्षिक्षिक्षिक्षिक्षि' },
      { search: 'asha', limit: 500 },
      {},
    ]) {
      const pages: ListResponse[] = []
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next ?? null) {
        pages.push(await transport.list(server, { ...query, ...(cursor && { cursor }) }))
        const { posts, error } = pages.at(-1) ?? { posts: [], error: null }
        expect(error).toBeNull()
        expect(posts.length).toBeGreaterThan(0)
      }
      const seen = pages.flatMap(numbersOf).filter((number) => !Number.isNaN(number))
      expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    }
    const first = await transport.list(server, { search: 'क्षि', limit: 24 })
    expect(first.posts).toHaveLength(5)
    expect((await transport.list(server, { search: 'क्षि', limit: 1 })).posts).toHaveLength(1)
  })

  test('hold a thousand posts of one kilobyte', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(1_001, 'A lotus in the rain. '.repeat(48)))
    for (const search of ['', 'lotus']) {
      const page = await transport.list(server, { search, limit: 1_000 })
      expect(page.posts).toHaveLength(1_000)
      expect(page.next).not.toBeNull()
    }
  })
})

test('counts posts in the total that a page leaves out because of their length', async () => {
  const server = await startTestServer()
  await fillGallery(server, numberedPosts(12, 'क्षि'.repeat(3_990)))
  for (const search of ['', 'क्षि']) {
    expect(await server.client().posts.list.query({ search })).toMatchObject({ total: 12 })
  }
})

test('counts all posts, or all matches of a search, in the total', async () => {
  const server = await startTestServer()
  await fillGallery(server, [...numberedPosts(30, 'Lotus'), ...numberedPosts(3, 'Kite')])
  const { list } = server.client().posts
  expect(await list.query()).toMatchObject({ total: 33, posts: { length: 24 } })
  expect(await list.query({ search: 'lotus', limit: 1 })).toMatchObject({ total: 30, posts: { length: 1 } })
  expect(await list.query({ search: 'moon' })).toEqual({ total: 0, posts: [], nextCursor: null })
  const { nextCursor } = await list.query({ limit: 30 })
  expect(await list.query({ cursor: nextCursor })).toMatchObject({
    total: 33,
    posts: { length: 3 },
    nextCursor: null,
  })
})

test.each(['', 'kite'])(
  'includes posts that were added since in a page that ends at `until` (searching for %j)',
  async (search) => {
    const server = await startTestServer()
    const ids = await fillGallery(server, numberedPosts(9, 'Kite'))
    const { list } = server.client().posts
    const first = await list.query({ search, limit: 3 })
    const second = await list.query({ search, limit: 3, cursor: first.nextCursor })
    await fillGallery(server, [...numberedPosts(2, 'New kite'), { name: 'Asha', prompt: 'A boat' }])
    await server.services.db
      .deleteFrom('posts')
      .where('id', 'in', [ids[7] ?? '', ids[3] ?? ''])
      .execute()

    const firstAgain = await list.query({ search, until: first.nextCursor, limit: 1_000 })
    const boat = search ? [] : ['A boat']
    expect(promptsOf(firstAgain)).toEqual([...boat, 'New kite 2', 'New kite 1', 'Kite 9', 'Kite 7'])
    expect(firstAgain).toMatchObject({ total: search ? 9 : 10, nextCursor: null })
    const { nextCursor: until } = second
    const secondAgain = await list.query({ search, cursor: first.nextCursor, until, limit: 1_000 })
    expect(promptsOf(secondAgain)).toEqual(['Kite 6', 'Kite 5'])
    expect(await list.query({ search, until, limit: 2 })).toMatchObject({ nextCursor: expect.any(String) })
    // A page that starts after its end is empty.
    expect(await list.query({ search, cursor: until, until: first.nextCursor })).toMatchObject({ posts: [] })
  },
)

describe('posts.list rejects invalid input', () => {
  const server = shareTestServer()
  const limit = 'The limit must be a whole number from 1 to 1,000.'
  const cursor = 'The cursor is not one that this server gave out.'
  test.each(
    forEachTransport<{ query: Parameters<Transport['list']>[1]; error: string }>([
      { query: { limit: 0 }, error: limit },
      { query: { limit: -1 }, error: limit },
      { query: { limit: 1.5 }, error: limit },
      { query: { limit: 1_001 }, error: limit },
      { query: { limit: 'abc' }, error: limit },
      { query: { limit: '1e999' }, error: limit },
      { query: { cursor: 'x' }, error: cursor },
      { query: { cursor: 'a.b.c' }, error: cursor },
      { query: { cursor: '5' }, error: cursor },
      { query: { cursor: encodeCursor('image', 5) }, error: cursor },
      { query: { cursor: Buffer.from('post:1 OR 1=1').toString('base64url') }, error: cursor },
      { query: { cursor: Buffer.from('post:-1').toString('base64url') }, error: cursor },
      { query: { cursor: 'x'.repeat(101) }, error: cursor },
      { query: { search: 'x'.repeat(501) }, error: 'A search term may have at most 500 characters.' },
      {
        query: { search: '👩‍👩‍👧‍👦'.repeat(182) },
        error:
          'A search term may have at most 2,000 UTF-16 code units. Emoji and combined letters take several each: use fewer of them.',
      },
      { query: { search: '🪔'.repeat(501) }, error: 'A search term may have at most 500 characters.' },
    ]),
  )('$query through $transport.name', async ({ transport, query, error }) => {
    expect(await transport.list(server(), query)).toMatchObject({ status: 400, error })
  })

  test.each([
    { cursor: '' },
    { cursor: 5 },
    { until: 'x' },
    { until: 5 },
    { limit: '5' },
    { limit: null },
    { search: 5 },
    { search: null },
    { search: ['lotus'] },
    'lotus',
    [],
    5,
  ])('%j through tRPC', async (input) => {
    const answer = await server().request(
      `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify(input))}`,
    )
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { data: { reason: 'bad_input' } } })
  })

  test.each([{ limit: 1_000 }, { limit: 1 }, { search: 'x'.repeat(500) }, { search: '' }, { search: ' ' }])(
    'but accepts %j through both transports',
    async (query) => {
      for (const transport of transports)
        expect(await transport.list(server(), query)).toMatchObject({ error: null })
    },
  )
})
