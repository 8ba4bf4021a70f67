import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount } from '../../test/support/accounts.ts'
import { fillGallery } from '../../test/support/posts.ts'
import { startTestServer, type TestServer, type TestUser } from '../../test/support/test-server.ts'
import { countWords } from './words/count-words.ts'

async function countAll({ services }: TestServer): Promise<void> {
  while ((await countWords(services.db)) > 0);
}

/** Fills a gallery of its own, the newest post last. */
async function galleryOf(...texts: readonly (string | readonly [author: string, prompt: string])[]) {
  const server = await startTestServer()
  const posts = texts.map((text, index) => {
    const [authorId, prompt] = typeof text === 'string' ? [`author-${index}`, text] : text
    return { name: 'Asha', authorId, prompt }
  })
  const ids = await fillGallery(server, posts)
  await countAll(server)
  return { server, ids }
}

async function similarTo(server: TestServer, id = '', limit?: number, as?: TestUser): Promise<string[]> {
  const { posts } = await (as?.trpc ?? server.client()).posts.similar.query({ id, ...(limit && { limit }) })
  return posts.map(({ prompt }) => prompt)
}

describe('similar posts', () => {
  test('share the rarest words first, then are of the same author, then the newest; repetitions are last', async () => {
    const { server, ids } = await galleryOf(
      'A peacock and a lotus by the river',
      'lotus river',
      'The river',
      'River at noon',
      ['author-0', 'Something else'],
      'a Peacock',
      'A peacock and a lotus by the river',
      ['author-0', 'River, lotus: peacock!'],
      'Lotus of glass',
      'Unrelated',
    )
    const expected = [
      'a Peacock',
      'lotus river',
      'Lotus of glass',
      'River at noon',
      'The river',
      'Something else',
      'Unrelated',
      'River, lotus: peacock!',
      'A peacock and a lotus by the river',
    ]
    expect(await similarTo(server, ids[0])).toEqual(expected)
    expect(await similarTo(server, ids[0], 3)).toEqual(expected.slice(0, 3))
  })

  test('are the newest if none has its words', async () => {
    const { server, ids } = await galleryOf('Kites', 'Boats', 'The of and')
    expect(await similarTo(server, ids[0])).toEqual(['The of and', 'Boats'])
    expect(await similarTo(server, ids[2])).toEqual(['Boats', 'Kites'])
  })

  test('have words of scripts without spaces', async () => {
    const { server, ids } = await galleryOf('猫と月', '犬', '月の光', 'แมวกับดวงจันทร์', 'भोर में कमल', 'कमल के फूल')
    expect((await similarTo(server, ids[0]))[0]).toBe('月の光')
    expect((await similarTo(server, ids[4]))[0]).toBe('कमल के फूल')
  })

  test('of a post include its parent and remixes before others of its author', async () => {
    const { server, ids } = await galleryOf('Kites', ['asha', 'Boats'], ['asha', 'Trains'], 'Newest')
    const { db } = server.services
    const [parent = '', child = ''] = ids
    await db.updateTable('posts').set({ parent_id: parent }).where('id', '=', child).execute()
    expect(await similarTo(server, child)).toEqual(['Kites', 'Trains', 'Newest'])
    expect(await similarTo(server, parent)).toEqual(['Boats', 'Newest', 'Trains'])
  })
})

describe('what is not public', () => {
  let server: TestServer
  let asha: TestUser
  let [lotus, other] = ['', '']

  beforeEach(async () => {
    server = await startTestServer()
    asha = await makeAccount(server)
    lotus = (await asha.share('Zinnia in a vase')).id
    other = (await asha.share('Zinnia at night')).id
    await countAll(server)
  })

  const words = async () => {
    const { words: all } = await server.client().posts.words.query()
    return Object.fromEntries(all.map(({ word, count }) => [word, count]))
  }

  test.each([
    [{ visibility: 'private' }, { visibility: 'public' }],
    [{ visibility: 'unlisted' }, { visibility: 'public' }],
    [{ hidePrompt: true }, { hidePrompt: false }],
  ] as const)('neither matches nor counts after %o', async (change, back) => {
    expect(await words()).toMatchObject({ zinnia: 2, vase: 1, night: 1 })
    await asha.trpc.posts.update.mutate({ id: other, ...change })
    const posts = await similarTo(server, lotus)
    expect(posts).toEqual('hidePrompt' in change ? [''] : [])
    const { prompt } = (await server.client().posts.similar.query({ id: lotus })).posts[0] ?? { prompt: '' }
    expect(prompt).toBe('')
    await countAll(server)
    const counted = await words()
    expect(counted).toMatchObject({ zinnia: 1, vase: 1 })
    expect(counted).not.toHaveProperty('night')
    await asha.trpc.posts.update.mutate({ id: other, ...back })
    await countAll(server)
    expect(await similarTo(server, lotus)).toEqual(['Zinnia at night'])
  })

  test('has similar posts only for those who may see it', async () => {
    await asha.trpc.posts.update.mutate({ id: other, visibility: 'private' })
    const missing = { data: { reason: 'not_found' } }
    await expect(similarTo(server, other)).rejects.toMatchObject(missing)
    await expect(similarTo(server, other, 1, await makeAccount(server))).rejects.toMatchObject(missing)
    await expect(similarTo(server, 'unknown')).rejects.toMatchObject(missing)
    expect(await similarTo(server, other, 1, asha)).toEqual(['Zinnia in a vase'])
    await asha.trpc.posts.update.mutate({ id: other, visibility: 'unlisted' })
    expect(await similarTo(server, other)).toEqual(['Zinnia in a vase'])
  })

  test('is in no word once it is deleted', async () => {
    await asha.trpc.posts.delete.mutate({ id: other })
    await asha.trpc.posts.delete.mutate({ id: lotus })
    await countAll(server)
    expect(await words()).toEqual({})
  })
})

test('lists frequent words without stop words, also if two processes count them', async () => {
  const server = await startTestServer()
  const prompts = ['The lotus in the rain', 'El loto y la lluvia', 'बारिश में कमल', 'طاووس في المطر', 'Lotus 7']
  await fillGallery(
    server,
    Array.from({ length: 200 }, (_, index) => ({ name: 'Ravi', prompt: prompts[index % 5] ?? '' })),
  )
  await Promise.all([countAll(server), countAll(server)])
  const { words } = await server.client().posts.words.query({ limit: 3 })
  expect(words).toEqual([
    { word: 'lotus', count: 80 },
    { word: 'lluvia', count: 40 },
    { word: 'loto', count: 40 },
  ])
})

test('keeps the newest posts of a frequent word', async () => {
  const server = await startTestServer()
  const texts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: 'Asha', prompt: `Kite ${index}` }))
  await fillGallery(server, texts(2_010))
  await countAll(server)
  const { db } = server.services
  const { kept, oldest } = await db
    .selectFrom('word_posts')
    .select(({ fn }) => [fn.countAll<number>().as('kept'), fn.min('post').as('oldest')])
    .executeTakeFirstOrThrow()
  expect(kept).toBeLessThan(1_100)
  expect(oldest).toBeGreaterThan(900)
  expect((await server.client().posts.words.query()).words).toEqual([{ word: 'kite', count: 2_010 }])
})
