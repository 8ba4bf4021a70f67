import { expect, test } from 'vitest'
import { plainJpeg } from '../../test/support/engine.ts'
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
  expect(await ravi.trpc.images.list.query()).toEqual({ images: [], nextCursor: null })
})

test('lists uploads among generated images, shared or not', async () => {
  const asha = await server().signUp()
  const { list, upload: send } = asha.trpc.images
  const lotus = await asha.generate('A lotus')
  const upload = await send.mutate(new Blob([new Uint8Array(await plainJpeg('never shared'))]))
  const kite = await asha.generate('A kite')
  const photo = dataUrl(await plainJpeg('shared at once'))
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Shared', photo })

  const first = await list.query({ limit: 2 })
  expect(first.images).toMatchObject([
    { photo: post.photo, recipe: null, posts: [{ id: post.id }] },
    { id: kite.id, posts: [] },
  ])
  const second = await list.query({ limit: 2, cursor: first.nextCursor })
  expect(second).toEqual({
    images: [
      { ...upload, posts: [] },
      { ...lotus, posts: [] },
    ],
    nextCursor: null,
  })
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
    {
      id: lotus.id,
      posts: [
        { id: again.id, visibility: 'public' },
        { id: first.id, visibility: 'public' },
      ],
    },
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
  expect(await failed()).toEqual({ images: [], nextCursor: null })
  expect((await asha.trpc.images.list.query()).images).toMatchObject([{ id: lotus.id }])
  expect((await ravi.trpc.images.list.query({ filter: 'failed' })).images).toHaveLength(2)
})
