import { expect, test } from 'vitest'
import { createScriptedEngine, follow } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { findOwnImage } from './images.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine })
const missing = { message: 'Image not found.', data: { reason: 'not_found', httpStatus: 404 } }

async function generate(user: TestUser, prompt: string) {
  const image = user.generate(prompt)
  await (await waitForJob(prompt)).finish()
  return image
}

const remove = (user: TestUser, id: string) => user.trpc.images.delete.mutate({ id })

test('deletes an image with its posts, but keeps other images and the quota', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const image = await generate(asha, 'A lotus to be deleted')
  const kept = await generate(asha, 'A lotus to be kept')
  for (const prompt of ['A deleted lotus', 'A deleted lotus, shared twice'])
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A kept lotus', imageId: kept.id })

  expect(await remove(asha, image.id)).toEqual({ id: image.id })
  expect((await server().request(image.photo)).status).toBe(404)
  expect((await asha.trpc.images.list.query()).images).toMatchObject([kept])
  expect(await ravi.trpc.posts.list.query({ search: 'lotus' })).toMatchObject({ posts: [post], total: 1 })
  expect((await server().request(kept.photo)).status).toBe(200)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2 })
  await expect(remove(asha, image.id)).rejects.toMatchObject(missing)
  await expect(asha.trpc.images.get.query({ id: image.id })).rejects.toMatchObject(missing)
  await expect(follow(asha.trpc, { id: image.id }).ended).rejects.toMatchObject(missing)
  await expect(
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Again', imageId: image.id }),
  ).rejects.toMatchObject(missing)
})

test('rejects deleting an unfinished image until it is canceled', async () => {
  const asha = await server().signUp()
  const own = follow(asha.trpc, { prompt: 'Still running' })
  const imageId = await own.id
  await waitForJob('Still running')
  await expect(remove(asha, imageId)).rejects.toMatchObject({
    message: 'This image is still being generated. Cancel it first.',
    data: { reason: 'bad_input', httpStatus: 400 },
  })
  await asha.trpc.images.cancel.mutate({ id: imageId })
  expect(await remove(asha, imageId)).toEqual({ id: imageId })
  expect((await asha.trpc.images.list.query()).images).toEqual([])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('deletes a failed image', async () => {
  const asha = await server().signUp()
  const own = follow(asha.trpc, { prompt: 'To fail' })
  const imageId = await own.id
  ;(await waitForJob('To fail')).fail(new Error('out of paint'))
  await Promise.allSettled([own.ended])
  await remove(asha, imageId)
  expect((await asha.trpc.images.list.query()).images).toEqual([])
})

test('responds 404 to the id of another user’s image and to an unknown id', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const image = await generate(asha, 'Only Asha may delete')
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Shared with Ravi', imageId: image.id })
  await expect(remove(ravi, image.id)).rejects.toMatchObject(missing)
  await expect(remove(ravi, 'no-such-image')).rejects.toMatchObject(missing)
  await expect(remove(ravi, '../uploads')).rejects.toMatchObject({ data: { httpStatus: 400 } })
  expect((await server().request(image.photo)).status).toBe(200)
  expect((await asha.trpc.images.list.query()).images).toMatchObject([image])
})

test('deletes an image once for simultaneous requests', async () => {
  const asha = await server().signUp()
  const { id } = await generate(asha, 'Deleted by every tab')
  const tabs = Array.from({ length: 4 }, () => server().client(server().headersOf(asha)))
  const results = await Promise.allSettled(tabs.map((tab) => tab.images.delete.mutate({ id })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(missing)
})

test('ends a subscription to a deleted image with not_found', async () => {
  const { generations, db } = server().services
  const asha = await server().signUp()
  const { id } = await generate(asha, 'Deleted while watched')
  const image = await findOwnImage(
    db,
    { id: asha.id, firstName: 'Asha', imageUrl: null, role: 'member' as const },
    id,
  )
  await remove(asha, id)
  await expect(generations.watch([image]).next()).rejects.toMatchObject({ code: 'not_found' })
})
