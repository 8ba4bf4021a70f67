import { beforeAll, expect, test } from 'vitest'
import { setRole } from '../access/user-access.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const token = 'a-token-of-enough-letters'
const server = shareTestServer({
  env: { API_TOKEN: token },
})
let asha: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp()
  meera = await signUpAdministrator(server())
})

const isStored = async ({ photo }: { photo: string }) =>
  (await uploadsIn(server().directory)).includes(photo.split('/')[2] ?? '')

async function statusOf(photo: string, who?: TestUser): Promise<number> {
  return (await server().request(photo, { headers: server().headersOf(who) })).status
}

const upload = async (who: TestUser, photo?: string, prompt = 'From my camera') =>
  who.trpc.posts.create.mutate({
    name: 'Asha',
    prompt,
    photo: photo ?? dataUrl(await noisyImage().jpeg().toBuffer()),
  })

test('deletes an upload and its folder with its last post', async () => {
  const first = await upload(asha)
  const stored = Buffer.from(await (await server().request(first.photo)).arrayBuffer())
  const second = await upload(asha, dataUrl(stored), 'The same in other words')
  expect(second.photo).toBe(first.photo)
  await asha.trpc.posts.delete.mutate({ id: first.id })
  expect(await statusOf(second.photo)).toBe(200)
  await asha.trpc.posts.delete.mutate({ id: second.id })
  expect([await isStored(second), await statusOf(second.photo)]).toEqual([false, 404])
  const uploads = server().services.db.selectFrom('images').select('id').where('source', '=', 'uploaded')
  expect(await uploads.execute()).toEqual([])
})

test('rejects the deletion of another user’s post, also by a former administrator', async () => {
  const [ravi, former] = [await server().signUp(), await signUpAdministrator(server())]
  await setRole(server().services.db, former.id, 'member')
  const post = await upload(asha, dataUrl(await plainJpeg('a photo')))
  const program = server().client({ authorization: `Bearer ${token}` })
  for (const trpc of [ravi.trpc, former.trpc, program])
    await expect(trpc.posts.delete.mutate({ id: post.id })).rejects.toMatchObject({
      message: 'Only its author can delete a post.',
      data: { httpStatus: 403, reason: 'forbidden' },
    })
  expect(await isStored(post)).toBe(true)
  await asha.trpc.posts.delete.mutate({ id: post.id })
})

test('lets an administrator delete any post with its image, and logs it unless it is their own', async () => {
  const image = await asha.generate('A kite')
  const made = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A kite', imageId: image.id })
  const brought = await upload(asha)
  const own = await upload(meera)
  for (const { id } of [made, brought, own]) {
    expect(await meera.trpc.posts.delete.mutate({ id })).toEqual({ id })
    await expect(meera.trpc.posts.delete.mutate({ id })).rejects.toMatchObject({ data: { httpStatus: 404 } })
  }
  const { images } = await asha.trpc.images.list.query()
  expect(images.filter(({ id }) => id === image.id)).toEqual([])
  for (const post of [made, brought]) {
    expect(await isStored(post)).toBe(false)
    for (const who of [undefined, asha, meera]) expect(await statusOf(post.photo, who)).toBe(404)
  }
  const logged = server().lines.flatMap((line) =>
    line.includes('administratorId') ? [JSON.parse(line) as object] : [],
  )
  expect(logged).toMatchObject(
    [made, brought].map(({ id }) => ({
      level: 30,
      postId: id,
      authorId: asha.id,
      administratorId: meera.id,
    })),
  )
  expect(logged).toHaveLength(2)
})

test('deletes a post once, however many calls arrive at the same time', async () => {
  const { id } = await upload(asha)
  const remove = (postId = id) => asha.trpc.posts.delete.mutate({ id: postId })
  await expect(remove('no-such-post')).rejects.toMatchObject({ data: { httpStatus: 404 } })
  await expect(remove('../../etc')).rejects.toMatchObject({ data: { httpStatus: 400 } })
  const results = await Promise.allSettled([remove(), remove(), remove()])
  const rejected = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  expect(rejected).toMatchObject([{ data: { httpStatus: 404 } }, { data: { httpStatus: 404 } }])
})
