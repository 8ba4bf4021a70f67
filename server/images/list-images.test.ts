import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { foldTextsAgain } from '../db/migrations.ts'
import { fold } from '../text/search-text.ts'
import { plainJpeg, uploadJpeg } from '../../test/support/engine.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '100' } })

test('lists the caller’s images only, newest first, in pages', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  for (let number = 1; number <= 5; number += 1) await asha.generate(`Image ${number}`)
  const { list } = asha.trpc.images
  const first = await list.query({ limit: 2 })
  expect(first.images.map(({ prompt }) => prompt)).toEqual(['Image 5', 'Image 4'])
  await asha.generate('Image 6')
  const second = await list.query({ limit: 2, cursor: first.nextCursor })
  expect(second.images.map(({ prompt }) => prompt)).toEqual(['Image 3', 'Image 2'])
  const third = await list.query({ limit: 2, cursor: second.nextCursor })
  expect(third).toMatchObject({ images: [{ prompt: 'Image 1' }], nextCursor: null })
  expect(await ravi.trpc.images.list.query()).toEqual(none)
})

test('lists uploads among generated images, shared or not', async () => {
  const asha = await server().signUp()
  const lotus = await asha.generate('A lotus')
  const upload = await uploadJpeg(asha, 'never shared')
  const photo = dataUrl(await plainJpeg('shared at once'))
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Shared', photo })
  expect((await asha.trpc.images.list.query()).images).toMatchObject([
    { photo: post.photo, recipe: null, posts: [{ id: post.id }] },
    { id: upload, recipe: null, posts: [] },
    { id: lotus.id, posts: [] },
  ])
})

test('lists shared images once with their posts, the one that was last shared first', async () => {
  const asha = await server().signUp()
  const { create, delete: remove } = asha.trpc.posts
  const [lotus, kite] = [await asha.generate('A lotus'), await asha.generate('A kite')]
  await asha.generate('A boat')
  const share = (imageId: string, prompt: string) => create.mutate({ name: 'Asha', prompt, imageId })
  const first = await share(lotus.id, 'A lotus')
  const second = await share(kite.id, 'A kite')
  const photo = dataUrl(await plainJpeg('an upload'))
  const upload = await create.mutate({ name: 'Asha', prompt: 'An upload', photo })
  const again = await share(lotus.id, 'A lotus again')
  const list = (cursor?: string | null) =>
    asha.trpc.images.list.query({ filter: 'shared', limit: 2, ...(cursor && { cursor }) })

  const page = await list()
  expect(page.images).toMatchObject([
    { id: lotus.id, posts: [{ id: again.id }, { id: first.id }] },
    { engineKind: null, photo: upload.photo, posts: [{ id: upload.id }] },
  ])
  expect(await list(page.nextCursor)).toMatchObject({
    images: [{ id: kite.id, posts: [{ id: second.id }] }],
    nextCursor: null,
  })

  await remove.mutate({ id: again.id })
  expect((await list()).images.map(({ photo: path }) => path)).toEqual([upload.photo, kite.photo])
})

test('lists failed images, which are deleted together', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const lotus = await asha.generate('A lotus')
  for (const user of [asha, ravi]) {
    for (const prompt of ['A kite', 'A boat']) await user.generate(prompt)
    await server()
      .services.db.updateTable('images')
      .set({ state: 'failed', failure: 'engine_busy', folder: null })
      .where('owner_id', '=', user.id)
      .where('prompt', '!=', 'A lotus')
      .execute()
  }
  const failed = () => asha.trpc.images.list.query({ filter: 'failed', limit: 1 })
  const page = await failed()
  expect(page.images).toMatchObject([{ prompt: 'A boat', state: 'failed', posts: [] }])
  const rest = await asha.trpc.images.list.query({ filter: 'failed', cursor: page.nextCursor })
  expect(rest).toMatchObject({ images: [{ prompt: 'A kite' }], nextCursor: null })

  expect(await asha.trpc.images.deleteFailed.mutate()).toEqual({ deleted: 2 })
  expect(await failed()).toEqual(none)
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ id: lotus.id }])
  expect((await ravi.trpc.images.list.query({ filter: 'failed' })).images).toHaveLength(2)
})

/** Adds images of an owner in one statement, `number` from 1 on is the number of a row. */
async function add(ownerId: string, rows: readonly Partial<typeof image>[]): Promise<void> {
  await server()
    .services.db.insertInto('images')
    .values(
      rows.map((row) => ({ ...image, ...row, id: randomUUID(), folder: randomUUID(), owner_id: ownerId })),
    )
    .execute()
}

const none = { images: [], total: 0, nextCursor: null }
const image = {
  source: 'generated' as const,
  prompt: 'A lotus',
  search_text: null as string | null,
  engine: 'one',
  model: '',
  state: 'succeeded' as const,
  sha256: '',
  width: 100,
  height: 100,
  created_at: Date.UTC(2026, 9, 31, 23, 59),
}

const number = 2_600

describe('a user with many images', () => {
  async function asha() {
    const user = await server().signUp()
    const words = ['A LOTUS', 'a boat', 'Straße im Regen', 'दीवाली की रात', '猫']
    const rows = Array.from({ length: number }, (_, index) => {
      const prompt = index === 7 ? 'One phoenix' : `${words[index % words.length]} no. ${index}`
      return {
        prompt,
        // As an earlier version stored one of them.
        search_text: index === 7 ? 'ｏｎｅ' : fold(prompt),
        engine: index % 2 === 0 ? 'one' : 'two',
        width: 100 + 50 * (index % 3),
        height: index % 3 === 2 ? 300 : 100,
        created_at: Date.UTC(2026, index < 100 ? 6 : 8, 30) + index,
      }
    })
    for (let start = 0; start < rows.length; start += 200) await add(user.id, rows.slice(start, start + 200))
    return user
  }

  test('finds them by any part of a prompt, engine, shape and time, with exact totals', async () => {
    const user = await asha()
    const { db } = server().services
    await foldTextsAgain(db)
    await add((await server().signUp()).id, [{ prompt: 'One phoenix of another user' }])
    const list = (input: Parameters<typeof user.trpc.images.list.query>[0]) =>
      user.trpc.images.list.query({ limit: 3, ...input })
    const all = await list({})
    expect(all.total).toBe(number)
    expect(all.images[0]?.prompt).toBe('猫 no. 2599')

    // Among the oldest, which only the index finds.
    const old = await list({ search: 'phoenix' })
    expect(old).toMatchObject({ images: [{ prompt: 'One phoenix' }], total: 1, nextCursor: null })
    expect(await list({ search: 'one phoenix is not here' })).toEqual(none)
    for (const search of ['lotus', 'STRASSE', 'वाल', '猫', 'n']) {
      const { images, total } = await list({ search })
      const found = search === 'n' ? number : number / 5
      expect([search, images.length, Math.abs(total - found) <= 1]).toEqual([search, 3, true])
    }
    const second = await list({ search: 'a boat', cursor: (await list({ search: 'a boat' })).nextCursor })
    const boats = [2581, 2576, 2571].map((boat) => `a boat no. ${boat}`)
    expect(second.images.map(({ prompt }) => prompt)).toEqual(boats)

    const portraits = await list({ shape: 'portrait', engine: 'two' })
    expect(portraits).toMatchObject({ total: 433, images: [{ prompt: 'Straße im Regen no. 2597' }, {}, {}] })
    expect(await list({ engine: 'three' })).toEqual(none)
    expect(await list({ search: 'phoenix', shape: 'portrait' })).toMatchObject({ total: 0 })

    const [from, to] = [Date.UTC(2026, 6, 30) + 10, Date.UTC(2026, 8, 30) + 102].map((at) =>
      new Date(at).toISOString(),
    )
    const between = await list({ from, to })
    expect(between).toMatchObject({ total: 92, images: [{ prompt: 'a boat no. 101' }, {}, {}] })
    expect(await list({ to, search: 'lotus' })).toMatchObject({ total: 21 })

    const { months } = user.trpc.images
    expect(await months.query()).toEqual({
      months: [
        { month: '2026-09', count: number - 100 },
        { month: '2026-07', count: 100 },
      ],
    })
    expect(await months.query({ search: 'phoenix' })).toEqual({ months: [{ month: '2026-07', count: 1 }] })

    const phoenix = db.deleteFrom('images').where('owner_id', '=', user.id)
    await phoenix.where('prompt', '=', 'One phoenix').execute()
    expect(await list({ search: 'phoenix' })).toEqual(none)
  })
})

test('counts the images of each list as they are shared, trashed and fail, without those for edits', async () => {
  const user = await server().signUp()
  const { create, delete: unshare } = user.trpc.posts
  const { images } = user.trpc
  const lotus = await user.generate('A lotus')
  const kite = await user.generate('A kite')
  const [mask, extended] = [await uploadJpeg(user, 'mask', true), await uploadJpeg(user, 'extended', true)]
  await add(user.id, [{ state: 'failed', width: null, height: null } as never])
  const totals = async () => {
    const filters = ['all', 'shared', 'failed', 'trash'] as const
    const pages = await Promise.all(filters.map((filter) => images.list.query({ filter })))
    for (const page of pages) expect(page.images).toHaveLength(page.total)
    return pages.map(({ total }) => total)
  }
  expect(await totals()).toEqual([3, 0, 1, 0])
  const post = await create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: lotus.id })
  expect(await totals()).toEqual([3, 1, 1, 0])
  await images.delete.mutate({ id: lotus.id })
  await images.delete.mutate({ id: kite.id })
  expect(await totals()).toEqual([1, 0, 1, 2])
  await images.restore.mutate({ id: lotus.id })
  expect(await totals()).toEqual([2, 1, 1, 1])
  await unshare.mutate({ id: post.id })
  await images.deletePermanently.mutate({ id: kite.id })
  await images.deleteFailed.mutate()
  expect(await totals()).toEqual([1, 0, 0, 0])
  await create.mutate({ name: 'Asha', prompt: 'A mask', imageId: mask })
  expect(await totals()).toEqual([2, 1, 0, 0])
  expect(await uploadJpeg(user, 'extended')).toBe(extended)
  expect(await totals()).toEqual([3, 1, 0, 0])
})

test.each([
  [{ search: 'x'.repeat(501) }, '500 characters'],
  [{ shape: 'round' }, '`shape` must be'],
  [{ from: 'yesterday' }, '`from` must be a time'],
  [{ to: 5 }, '`to` must be a time'],
  [{ engine: {} }, '`engine` must be'],
])('rejects %j', async (input, message) => {
  const { trpc } = await server().signUp()
  await expect(trpc.images.list.query(input as never)).rejects.toThrow(message)
})
