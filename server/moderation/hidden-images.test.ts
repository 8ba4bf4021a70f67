import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../shared/images.ts'
import { thumbnailUrl } from '../../shared/image-files.ts'
import type { Post } from '../../shared/posts.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { follow } from '../../test/support/generations.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { freshAddress, shareTestServer, type TestUser } from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

const hide = ({ id }: Post) => meera.trpc.moderation.hide.mutate({ id })
const unhide = ({ id }: Post) => meera.trpc.moderation.unhide.mutate({ id })
const deletePost = ({ id }: Post, who: TestUser) => who.trpc.posts.delete.mutate({ id })

function share(image: SucceededImage, prompt = image.prompt, who = asha): Promise<Post> {
  return who.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
}

const sharePhoto = (photo: Buffer, prompt: string, who = asha): Promise<Post> =>
  who.trpc.posts.create.mutate({ name: 'Asha', prompt, photo: dataUrl(photo) })

/** A generated image in a post that was reported and is hidden. */
async function shareHidden(prompt: string) {
  const image = await asha.generate(prompt)
  const post = await share(image)
  const visitor = server().client({ 'x-forwarded-for': freshAddress() })
  await visitor.posts.report.mutate({ id: post.id, reason: 'violent', comment: 'It burns.' })
  await hide(post)
  return { image, post }
}

const request = (photo: string, who?: TestUser) =>
  server().request(photo, { headers: server().headersOf(who) })

async function bytesOf(photo: string, who = asha): Promise<Buffer> {
  return Buffer.from(await (await request(photo, who)).arrayBuffer())
}

const statusOf = async (photo: string, who?: TestUser) => (await request(photo, who)).status

const isStored = async ({ photo }: { photo: string }) =>
  (await uploadsIn(server().directory)).includes(photo.split('/')[2] ?? '')

async function entryOf({ id }: Post) {
  const { entries } = await meera.trpc.moderation.listReported.query()
  return entries.find((entry) => entry.post.id === id)
}

async function listed(search: string): Promise<readonly string[]> {
  const { posts, total } = await server().client().posts.list.query({ search })
  expect(total).toBe(posts.length)
  return posts.map(({ id }) => id)
}

async function ownImage({ id }: SucceededImage) {
  const { images } = await asha.trpc.images.list.query({ limit: 200 })
  return images.find((image) => image.id === id)
}

const missingPost = { message: 'Post not found.', data: { httpStatus: 404 } }
const missingImage = { message: 'Image not found.', data: { httpStatus: 404 } }
const hidden = {
  message: 'A moderator has hidden this image. It cannot be shared.',
  data: { httpStatus: 403, reason: 'forbidden' },
}

test('a hidden image is served to an API key of its owner only, and not regenerated', async () => {
  const { image } = await shareHidden('A lamp for a program')
  for (const [user, status] of [
    [asha, 200],
    [ravi, 404],
  ] as const) {
    const { key } = await user.trpc.account.apiKeys.create.mutate({ name: 'A program' })
    const headers = { authorization: `Bearer ${key}` }
    expect((await server().request(image.photo, { headers })).status).toBe(status)
  }
  await server().services.blobs.add(image.photo.split('/')[2] ?? '', '320.webp', new Uint8Array())
  expect(await statusOf(thumbnailUrl(image.photo, 320))).toBe(404)
})

test('the file of an image without a row is not found', async () => {
  const image = await asha.generate('A lamp without a row')
  await server().services.db.deleteFrom('images').where('id', '=', image.id).execute()
  expect(await statusOf(image.photo)).toBe(404)
})

describe('hiding a post', () => {
  test('hides every post of the same image, and unhiding restores them', async () => {
    const image = await asha.generate('A lamp in three posts')
    const posts: Post[] = []
    for (const number of ['one', 'two', 'three']) posts.unshift(await share(image, `Three lamps, ${number}`))
    const ids = posts.map(({ id }) => id)
    const { total } = await asha.trpc.posts.list.query()
    expect(await listed('three lamps')).toEqual(ids)
    const [first, second] = posts
    if (first && second) await hide(second)
    for (const term of ['three lamps', 'lamps, t']) expect(await listed(term)).toEqual([])
    expect((await asha.trpc.posts.list.query()).total).toBe(total - 3)
    for (const post of posts) expect(await entryOf(post)).toMatchObject({ isHidden: true, postsOfImage: 3 })
    if (first) await unhide(first)
    expect(await listed('three lamps')).toEqual(ids)
    expect((await asha.trpc.posts.list.query()).total).toBe(total)
  })

  test('hides the author’s other copies of the same bytes, also later ones, and no other user’s', async () => {
    const [image, copy] = [await asha.generate('A lamp, twice'), await asha.generate('A lamp, twice')]
    const [post, twin] = [await share(image, 'Twin lamps'), await share(copy, 'Twin lamps again')]
    const other = await ravi.generate('A lamp, twice')
    const theirs = await share(other, 'Twin lamps of Ravi', ravi)
    expect(await bytesOf(copy.photo)).toEqual(await bytesOf(other.photo))

    await hide(post)
    expect(await listed('twin lamps')).toEqual([theirs.id])
    expect([await statusOf(copy.photo), await statusOf(other.photo)]).toEqual([404, 200])
    const uploaded = await sharePhoto(await plainJpeg('A lamp, twice'), 'Twin lamps, uploaded', ravi)
    const later = await asha.generate('A lamp, twice')
    expect([later.isHidden, await statusOf(later.photo)]).toEqual([true, 404])
    await expect(share(later)).rejects.toMatchObject(hidden)
    await unhide(twin)
    expect(await listed('twin lamps')).toEqual([uploaded.id, theirs.id, twin.id, post.id])
  })

  test('while its image is being shared leaves no visible post', async () => {
    for (let round = 0; round < 3; round += 1) {
      const prompt = `A racing lamp ${round}`
      const image = await asha.generate(prompt)
      const post = await share(image)
      await Promise.allSettled([
        share(image, `${prompt} before`),
        hide(post),
        share(image, `${prompt} after`),
      ])
      expect(await listed(`${prompt} `)).toEqual([])
    }
  })
})

describe('the owner of a hidden image', () => {
  test('sees that it is hidden, and cannot share it until its post is unhidden', async () => {
    const { image, post } = await shareHidden('A lamp to share twice')
    expect([image.isHidden, (await ownImage(image))?.isHidden]).toEqual([false, true])
    const bytes = await bytesOf(image.photo)
    await expect(share(image, 'Shared again')).rejects.toMatchObject(hidden)
    await expect(sharePhoto(bytes, 'Shared again')).rejects.toMatchObject(hidden)
    expect(await listed('shared again')).toEqual([])
    await unhide(post)
    expect((await ownImage(image))?.isHidden).toBe(false)
    const again = await sharePhoto(bytes, 'Shared again')
    expect(await listed('shared again')).toEqual([again.id])
  })

  test('cannot upload it again, and no upload is counted', async () => {
    const original = await noisyImage().png().toBuffer()
    const post = await sharePhoto(original, 'An upload')
    const stored = await bytesOf(post.photo)
    await hide(post)
    const { db } = server().services
    const uploads = () =>
      db.selectFrom('daily_usage').select('used').where('user_id', '=', asha.id).where('kind', '=', 'upload')
    const before = await uploads().execute()
    for (const bytes of [original, stored])
      await expect(sharePhoto(bytes, 'An upload')).rejects.toMatchObject(hidden)
    expect(await uploads().execute()).toEqual(before)
    expect(await listed('an upload')).toEqual([])
  })
})

describe('a hidden post deleted by its author', () => {
  test('is kept for administrators, with its reports and image', async () => {
    const { image, post } = await shareHidden('A lamp withdrawn')
    await expect(deletePost(post, ravi)).rejects.toMatchObject(missingPost)
    expect(await deletePost(post, asha)).toEqual({ id: post.id })
    expect(await entryOf(post)).toMatchObject({
      post: { id: post.id, prompt: 'A lamp withdrawn', photo: image.photo },
      isHidden: true,
      isWithdrawn: true,
      reports: [{ reason: 'violent', comment: 'It burns.' }],
    })
    expect([await statusOf(image.photo, meera), await statusOf(image.photo)]).toEqual([200, 404])
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
    expect(await ownImage(image)).toBeDefined()
    await expect(share(image)).rejects.toMatchObject(hidden)
  })

  test('is deleted when an administrator unhides it, and its image is visible to its owner', async () => {
    const { image, post } = await shareHidden('A lamp withdrawn, then released')
    await deletePost(post, asha)
    await unhide(post)
    expect(await entryOf(post)).toBeUndefined()
    expect(await listed('withdrawn, then released')).toEqual([])
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
    expect([await statusOf(image.photo, asha), await statusOf(image.photo)]).toEqual([200, 404])
    await share(image)
  })

  test('does not prevent other posts of its image from being unhidden', async () => {
    const { image, post } = await shareHidden('A lamp in two posts, one withdrawn')
    await unhide(post)
    const other = await share(image, 'The other post')
    await hide(other)
    await deletePost(post, asha)
    expect((await entryOf(other))?.isWithdrawn).toBe(false)
    await unhide(other)
    expect(await listed('the other post')).toEqual([other.id])
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
  })

  test('keeps its upload until an administrator unhides it', async () => {
    const post = await sharePhoto(await noisyImage().jpeg().toBuffer(), 'An upload withdrawn')
    await hide(post)
    await deletePost(post, asha)
    expect(await isStored(post)).toBe(true)
    await unhide(post)
    expect([await isStored(post), await statusOf(post.photo, meera)]).toEqual([false, 404])
  })
})

describe('a hidden image deleted by its owner', () => {
  test('disappears for its owner, and is kept for administrators until they unhide its post', async () => {
    const { image, post } = await shareHidden('An image withdrawn')
    const { id } = image
    expect(await asha.trpc.images.delete.mutate({ id })).toEqual({ id })
    expect(await ownImage(image)).toBeUndefined()
    for (const call of [
      () => asha.trpc.images.delete.mutate({ id }),
      () => asha.trpc.images.get.query({ id }),
      () => asha.trpc.images.cancel.mutate({ id }),
    ])
      await expect(call()).rejects.toMatchObject(missingImage)
    await expect(share(image)).rejects.toMatchObject(hidden)
    expect(await entryOf(post)).toMatchObject({ isWithdrawn: true, reportCount: 1 })
    expect(await statusOf(image.photo, meera)).toBe(200)
    await unhide(post)
    expect([await isStored(image), await entryOf(post)]).toEqual([false, undefined])
    await expect(share(image)).rejects.toMatchObject(missingImage)
  })

  test('frees its request key', async () => {
    const generate = () => follow(asha.trpc, { prompt: 'An image with a key', requestKey: 'one' }).ended
    const image = await generate()
    await hide(await share(image))
    await asha.trpc.images.delete.mutate({ id: image.id })
    expect((await generate()).id).not.toBe(image.id)
  })
})

describe('a post deleted by an administrator', () => {
  test('is deleted with its image, and every post and copy of it', async () => {
    const [image, copy] = [await asha.generate('A lamp to go'), await asha.generate('A lamp to go')]
    const [first, second, third] = [
      await share(image, 'Going one'),
      await share(image, 'Going two'),
      await share(copy, 'Going three'),
    ]
    await meera.trpc.posts.report.mutate({ id: second.id, reason: 'sexual' })
    await deletePost(first, meera)
    expect(await listed('going')).toEqual([])
    for (const one of [image, copy]) {
      expect([await isStored(one), await statusOf(one.photo, asha)]).toEqual([false, 404])
      expect(await ownImage(one)).toBeUndefined()
    }
    const log = await meera.trpc.moderation.auditLog.query()
    expect(log.slice(0, 3)).toMatchObject([
      { action: 'delete', postId: third.id, authorId: asha.id, reasons: [] },
      { action: 'delete', postId: second.id, authorId: asha.id, reasons: ['sexual'] },
      { action: 'delete', postId: first.id, authorId: asha.id, reasons: [] },
    ])
  })

  test('is not shared again', async () => {
    const deleted = {
      message: 'An administrator has deleted this image. It cannot be shared again.',
      data: { httpStatus: 403 },
    }
    const made = await asha.generate('A lamp to delete')
    const [bytes, uploaded] = [await bytesOf(made.photo), await noisyImage().jpeg().toBuffer()]
    for (const post of [await share(made), await sharePhoto(uploaded, 'An upload to delete')])
      await deletePost(post, meera)
    for (const photo of [bytes, uploaded])
      await expect(sharePhoto(photo, 'Back again')).rejects.toMatchObject(deleted)
    await expect(share(await asha.generate('A lamp to delete'))).rejects.toMatchObject(deleted)
    await expect(share(made)).rejects.toMatchObject(missingImage)
  })

  test('may be withdrawn, or a hidden one of their own, and is recorded', async () => {
    const { post: withdrawn } = await shareHidden('A lamp withdrawn, then deleted')
    await deletePost(withdrawn, asha)
    const own = await share(await meera.generate('A lamp of an administrator'), 'My lamp', meera)
    await hide(own)
    for (const post of [withdrawn, own]) {
      await deletePost(post, meera)
      expect(await isStored(post)).toBe(false)
      const [last] = await meera.trpc.moderation.auditLog.query()
      expect(last).toMatchObject({ action: 'delete', postId: post.id, authorId: post.authorId })
    }
  })

  test('and by its author at the same time leaves a record and no file', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { image, post } = await shareHidden(`A lamp deleted twice ${round}`)
      const [, byAdministrator] = await Promise.allSettled([deletePost(post, asha), deletePost(post, meera)])
      expect(byAdministrator.status).toBe('fulfilled')
      expect(await isStored(image)).toBe(false)
      const [last] = await meera.trpc.moderation.auditLog.query()
      expect(last).toMatchObject({ action: 'delete', postId: post.id })
    }
  })
})

test('exports hidden and withdrawn posts to their author', async () => {
  const kamala = await server().signUp()
  const images = [await kamala.generate('one'), await kamala.generate('two'), await kamala.generate('three')]
  const [shown, concealed, withdrawn] = images
  for (const image of images) {
    const post = await share(image, image.prompt, kamala)
    if (image !== shown) await hide(post)
  }
  await kamala.trpc.images.delete.mutate({ id: withdrawn?.id ?? '' })
  const exported = await kamala.trpc.account.export.query()
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(exported.images).toEqual([
    { ...withdrawn, isHidden: true, withdrawnAt: moment, trashedAt: null },
    { ...concealed, isHidden: true, withdrawnAt: null, trashedAt: null },
    { ...shown, withdrawnAt: null, trashedAt: null },
  ])
  expect(exported.posts).toMatchObject([
    { prompt: 'three', hiddenAt: moment, withdrawnAt: moment },
    { prompt: 'two', hiddenAt: moment, withdrawnAt: null },
    { prompt: 'one', hiddenAt: null, withdrawnAt: null },
  ])
  const decision = { action: 'hide', reasons: [], note: '', createdAt: moment, appeal: null }
  const [third, second] = exported.posts
  expect(exported.moderation).toEqual([
    { ...decision, postId: third?.id },
    { ...decision, postId: second?.id },
  ])
  expect(await statusOf(withdrawn?.photo ?? '', kamala)).toBe(200)
})
