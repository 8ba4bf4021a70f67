import { describe, expect, test } from 'vitest'
import { encodeCursor } from '../db/pagination.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

type Page = Awaited<ReturnType<ReturnType<TestServer['client']>['posts']['list']['query']>>

const promptsOf = ({ posts }: Page) => posts.map(({ prompt }) => prompt)

/** Reads page after page to the end; `between` may change the gallery meanwhile. */
async function readAll(
  server: TestServer,
  query: { search?: string; limit?: number },
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor: string | null = null; ;) {
    const page: Page = await server.client().posts.list.query({ ...query, cursor })
    pages.push(page)
    cursor = page.nextCursor
    if (cursor === null) return pages
    expect(page.posts).not.toEqual([])
    await between(pages.length - 1)
  }
}

test('returns stable pages while posts are added and deleted', async () => {
  const server = await startTestServer()
  const ids = await fillGallery(server, numberedPosts(20))
  const pages = await readAll(server, { limit: 5 }, async (page) => {
    await fillGallery(server, numberedPosts(3, `New on page ${page}`))
    // Deletes the post at the position of the last cursor.
    const last = ids[20 - (page + 1) * 5] ?? ''
    await server.services.db.deleteFrom('posts').where('id', '=', last).execute()
  })
  const all = numberedPosts(20).map(({ prompt }) => prompt)
  expect(pages.flatMap(promptsOf)).toEqual(all.toReversed())
})

describe('pages of long texts', () => {
  const longest = 'क्षि'.repeat(3_990)

  test('end early without leaving posts out, and count all', async () => {
    const server = await startTestServer()
    const long = Array.from({ length: 12 }, (_, index) => ({
      name: 'Asha',
      prompt: `${index + 1} ${longest}`,
    }))
    await fillGallery(server, [...long, ...numberedPosts(30, 'Short')])
    for (const [query, total] of [
      [{ search: 'क्षि' }, 12],
      [{ search: 'क्षिक्षिक्षिक्षिक्षि' }, 12],
      [{ search: 'asha', limit: 500 }, 42],
      [{}, 42],
    ] as const) {
      const pages = await readAll(server, query)
      const numbers = pages.flatMap(promptsOf).map((prompt) => Number.parseInt(prompt, 10))
      const seen = numbers.filter((number) => !Number.isNaN(number))
      expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
      expect(new Set(pages.map((page) => page.total))).toEqual(new Set([total]))
    }
    const { list } = server.client().posts
    expect((await list.query({ search: 'क्षि', limit: 24 })).posts).toHaveLength(5)
    expect((await list.query({ search: 'क्षि', limit: 1 })).posts).toHaveLength(1)
  })

  test('hold a thousand posts of one kilobyte', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(1_001, 'A lotus in the rain. '.repeat(48)))
    for (const search of ['', 'lotus']) {
      const page = await server.client().posts.list.query({ search, limit: 1_000 })
      expect(page.posts).toHaveLength(1_000)
      expect(page.nextCursor).not.toBeNull()
    }
  })
})

test.each(['', 'kite'])(
  'includes posts that were added since in a page that ends at `until` (searching for %j)',
  async (search) => {
    const server = await startTestServer()
    const ids = await fillGallery(server, numberedPosts(9, 'Kite'))
    const { list } = server.client().posts
    const first = await list.query({ search, limit: 3 })
    const { nextCursor: until } = await list.query({ search, limit: 3, cursor: first.nextCursor })
    await fillGallery(server, [...numberedPosts(2, 'New kite'), { name: 'Asha', prompt: 'A boat' }])
    await server.services.db
      .deleteFrom('posts')
      .where('id', 'in', [ids[7] ?? '', ids[3] ?? ''])
      .execute()

    const firstAgain = await list.query({ search, until: first.nextCursor, limit: 1_000 })
    const boat = search ? [] : ['A boat']
    expect(promptsOf(firstAgain)).toEqual([...boat, 'New kite 2', 'New kite 1', 'Kite 9', 'Kite 7'])
    expect(firstAgain).toMatchObject({ total: search ? 9 : 10, nextCursor: null })
    const secondAgain = await list.query({ search, cursor: first.nextCursor, until, limit: 1_000 })
    expect(promptsOf(secondAgain)).toEqual(['Kite 6', 'Kite 5'])
    expect(await list.query({ search, until, limit: 2 })).toMatchObject({ nextCursor: expect.any(String) })
    // A page that starts after its end is empty.
    expect(await list.query({ search, cursor: until, until: first.nextCursor })).toMatchObject({ posts: [] })
  },
)

describe('posts.list', () => {
  const server = shareTestServer()
  const ask = (input: unknown) =>
    server().request(`/trpc/posts.list?input=${encodeURIComponent(JSON.stringify(input))}`)

  const limit = 'The limit must be a whole number from 1 to 1,000.'
  const cursor = 'The cursor is not one that this server gave out.'
  const longSearch = 'A search term may have at most 500 characters.'
  const combined = '`remixOf` can’t be combined with `search`, `authorId` or `sort`.'
  const encode = (text: string) => Buffer.from(text).toString('base64url')

  test.each<[input: unknown, message: string | null]>([
    [{ limit: 0 }, limit],
    [{ limit: 1.5 }, limit],
    [{ limit: 1_001 }, limit],
    [{ cursor: '' }, cursor],
    [{ cursor: 5 }, '`cursor` must be a string.'],
    [{ cursor: encodeCursor('image', 5) }, cursor],
    [{ cursor: encode('post:1 OR 1=1') }, cursor],
    [{ cursor: 'x'.repeat(101) }, cursor],
    [{ until: 'x' }, cursor],
    [{ search: 'x'.repeat(501) }, longSearch],
    [{ search: '👩‍👩‍👧‍👦'.repeat(182) }, null],
    [{ search: null }, '`search` must be a string.'],
    [{ sort: 'top', cursor: encodeCursor('post', 5) }, cursor],
    [{ sort: 'new', cursor: encodeCursor('top', 5, 5) }, cursor],
    [{ sort: 'top', cursor: encode('top:-1.5') }, cursor],
    [{ sort: 'best' }, '`sort` must be "new" or "top".'],
    [{ sort: 'top', period: 'year' }, '`period` must be "week", "month" or "all".'],
    [{ period: 'week' }, '`period` requires `sort` `top`.'],
    [{ sort: 'top', until: encodeCursor('post', 5) }, '`until` requires `sort` `new`.'],
    [{ authorId: "'; DROP TABLE posts" }, '`authorId` is not valid.'],
    [{ remixOf: '..' }, '`remixOf` is not valid.'],
    [{ remixOf: 'a', search: 'lotus' }, combined],
    ['lotus', null],
    [[], null],
  ])('rejects %j', async (input, message) => {
    const response = await ask(input)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: message ?? expect.any(String), data: { reason: 'bad_input' } },
    })
  })

  test('accepts inputs at their limits', async () => {
    for (const input of [{ limit: 1_000 }, { limit: 1 }, { search: 'x'.repeat(500) }, { search: ' ' }])
      expect((await ask(input)).status).toBe(200)
  })
})
