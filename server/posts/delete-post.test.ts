import { setRole } from '../access/user-access.ts'
import { expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { startTestServer, type TestUser, type TestServer } from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const foldersOf = (server: TestServer) => uploadsIn(server.directory)

async function upload(who: TestUser, photo: string, prompt = 'From my camera') {
  return who.trpc.posts.create.mutate({ name: 'Asha', prompt, photo })
}

test('deletes an author’s post, and keeps the generated image for its owner only', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const image = await asha.generate('A lotus')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
  expect(await asha.trpc.posts.delete.mutate({ id: post.id })).toEqual({ id: post.id })
  expect(await asha.trpc.posts.list.query()).toEqual({ posts: [], total: 0, nextCursor: null })
  expect((await asha.trpc.images.list.query()).images).toMatchObject([image])
  expect((await server.request(image.photo, { headers: server.headersOf(asha) })).status).toBe(200)
  expect((await server.request(image.photo)).status).toBe(404)
})

test('deletes an upload and its folder with its post', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const post = await upload(asha, dataUrl(await noisyImage().jpeg().toBuffer()))
  expect(await foldersOf(server)).toHaveLength(1)
  await asha.trpc.posts.delete.mutate({ id: post.id })
  expect(await foldersOf(server)).toEqual([])
  expect((await server.request(post.photo)).status).toBe(404)
  expect(await server.services.db.selectFrom('images').selectAll().execute()).toEqual([])
})

test('keeps an upload until its last post is deleted', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const first = await upload(asha, dataUrl(await noisyImage().jpeg().toBuffer()))
  const stored = Buffer.from(await (await server.request(first.photo)).arrayBuffer())
  const second = await upload(asha, dataUrl(stored), 'The same in other words')
  expect(second.photo).toBe(first.photo)
  await asha.trpc.posts.delete.mutate({ id: first.id })
  expect((await server.request(second.photo)).status).toBe(200)
  await asha.trpc.posts.delete.mutate({ id: second.id })
  expect(await foldersOf(server)).toEqual([])
})

test('rejects the deletion of another user’s post', async () => {
  const server = await startTestServer({ env: { API_TOKEN: 'a-token-of-enough-letters' } })
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  const { id } = await upload(asha, dataUrl(await plainJpeg('a photo')))
  const forbidden = {
    message: 'Only its author can delete a post.',
    data: { httpStatus: 403, reason: 'forbidden' },
  }
  await expect(ravi.trpc.posts.delete.mutate({ id })).rejects.toMatchObject(forbidden)
  const token = server.client({ authorization: 'Bearer a-token-of-enough-letters' })
  await expect(token.posts.delete.mutate({ id })).rejects.toMatchObject(forbidden)
  const visitor = server.client()
  await expect(visitor.posts.delete.mutate({ id })).rejects.toMatchObject({
    data: { httpStatus: 401, reason: 'not_signed_in' },
  })
  expect((await visitor.posts.list.query()).total).toBe(1)
  expect(await foldersOf(server)).toHaveLength(1)
})

test('lets an administrator delete any post with its image', async () => {
  const lines: string[] = []
  const server = await startTestServer({ logTo: { write: (line) => void lines.push(line) } })
  const [asha, meera] = [await server.signUp(), await signUpAdministrator(server)]
  const image = await asha.generate('A lotus')
  const made = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: image.id })
  const brought = await upload(asha, dataUrl(await plainJpeg('a photo')))

  for (const { id } of [made, brought]) {
    expect(await meera.trpc.posts.delete.mutate({ id })).toEqual({ id })
    await expect(meera.trpc.posts.delete.mutate({ id })).rejects.toMatchObject({ data: { httpStatus: 404 } })
  }
  expect((await meera.trpc.posts.list.query()).total).toBe(0)
  expect((await asha.trpc.images.list.query()).images).toEqual([])
  expect(await server.services.db.selectFrom('images').selectAll().execute()).toEqual([])
  expect(await foldersOf(server)).toEqual([])
  for (const who of [undefined, asha, meera]) {
    for (const { photo } of [image, brought]) {
      expect((await server.request(photo, { headers: server.headersOf(who) })).status).toBe(404)
    }
  }

  const noted = lines.flatMap((line) => (line.includes('administrator') ? [JSON.parse(line) as object] : []))
  expect(noted).toMatchObject(
    [made, brought].map(({ id }) => ({
      level: 30,
      postId: id,
      authorId: asha.id,
      administratorId: meera.id,
      msg: 'an administrator deleted a post',
    })),
  )
})

test('does not log the deletion of an administrator’s own posts', async () => {
  const lines: string[] = []
  const server = await startTestServer({ logTo: { write: (line) => void lines.push(line) } })
  const meera = await signUpAdministrator(server)
  const { id } = await upload(meera, dataUrl(await plainJpeg('a photo')))
  await meera.trpc.posts.delete.mutate({ id })
  expect(lines.filter((line) => line.includes('administrator'))).toEqual([])
})

test('rejects the deletion of other posts once a user is no longer an administrator', async () => {
  const server = await startTestServer()
  const [asha, meera] = [await server.signUp(), await signUpAdministrator(server)]
  const { id } = await upload(asha, dataUrl(await plainJpeg('a photo')))
  await setRole(server.services.db, meera.id, 'member')
  await expect(meera.trpc.posts.delete.mutate({ id })).rejects.toMatchObject({ data: { httpStatus: 403 } })
  expect((await meera.trpc.posts.list.query()).total).toBe(1)
})

test('rejects unknown posts and posts that were deleted before', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const { id } = await upload(asha, dataUrl(await plainJpeg('a photo')))
  const remove = (postId: string) => asha.trpc.posts.delete.mutate({ id: postId })
  await expect(remove('no-such-post')).rejects.toMatchObject({ data: { httpStatus: 404 } })
  await expect(remove('../../etc')).rejects.toMatchObject({ data: { httpStatus: 400 } })
  const results = await Promise.allSettled([remove(id), remove(id), remove(id)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ data: { httpStatus: 404 } })
  }
})
