import { expect, test } from 'vitest'
import { encodeCursor } from '../db/pagination.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '100' } })

test('lists the caller’s generated images, newest first, in pages', async () => {
  const asha = await server().signUp()
  for (let number = 1; number <= 5; number += 1) await asha.generate(`Image ${number}`)
  const { list } = asha.trpc.images
  const first = await list.query({ limit: 2 })
  expect(first.images.map(({ prompt }) => prompt)).toEqual(['Image 5', 'Image 4'])
  await asha.generate('Image 6')
  const second = await list.query({ limit: 2, cursor: first.nextCursor })
  expect(second.images.map(({ prompt }) => prompt)).toEqual(['Image 3', 'Image 2'])
  const third = await list.query({ limit: 2, cursor: second.nextCursor })
  expect(third).toMatchObject({ images: [{ prompt: 'Image 1' }], nextCursor: null })
})

test('lists neither images of other users nor uploads', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const { id } = await asha.generate('Asha’s own')
  await ravi.trpc.posts.create.mutate({
    name: 'Ravi',
    prompt: 'p',
    photo: dataUrl(await plainJpeg('a photo')),
  })
  expect(await ravi.trpc.images.list.query()).toEqual({ images: [], nextCursor: null })
  const notFound = { message: 'Image not found.', data: { httpStatus: 404, reason: 'not_found' } }
  await expect(ravi.trpc.images.get.query({ id })).rejects.toMatchObject(notFound)
  await expect(ravi.trpc.images.get.query({ id: 'no-such-image' })).rejects.toMatchObject(notFound)
  expect((await asha.trpc.images.get.query({ id })).prompt).toBe('Asha’s own')
})

test.each(['list', 'quota', 'get?input={"id":"x"}'])(
  'images.%s rejects a call without a session',
  async (procedure) => {
    const response = await server().request(`/trpc/images.${procedure}`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      error: { message: 'Please sign in first.', data: { reason: 'not_signed_in' } },
    })
  },
)

test.each([
  { limit: 0 },
  { limit: 1_001 },
  { cursor: '' },
  { cursor: 'x' },
  { cursor: encodeCursor('post', 1) },
  { limit: '2' },
])('images.list rejects %j', async (input) => {
  const asha = await server().signUp()
  const response = await server().request(
    `/trpc/images.list?input=${encodeURIComponent(JSON.stringify(input))}`,
    {
      headers: server().headersOf(asha),
    },
  )
  expect(response.status).toBe(400)
})
