import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import { follow } from '../../test/support/generations.ts'
import { transports } from '../../test/support/transports.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import {
  freshAddress,
  shareTestServer,
  startTestServer,
  type TestUser,
} from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { uploadsIn } from '../../test/support/site.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  meera = await signUpAdministrator(server())
})

const missingPost = { data: { httpStatus: 404, reason: 'not_found' } }
const missingImage = { message: 'Image not found.', data: { httpStatus: 404 } }

function share(image: SucceededImage, prompt = image.prompt, who = asha): Promise<Post> {
  return who.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
}

/** A generated image in a post that was reported and is hidden. */
async function shareHidden(prompt: string) {
  const image = await asha.generate(prompt)
  const post = await share(image)
  const visitor = server().client({ 'x-forwarded-for': freshAddress() })
  await visitor.posts.report.mutate({ id: post.id, reason: 'violent', comment: 'It burns.' })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  return { image, post }
}

/** An upload in a post that is hidden. */
async function uploadHidden(prompt: string) {
  const bytes = await noisyImage().jpeg().toBuffer()
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, photo: dataUrl(bytes) })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  return { bytes, post }
}

async function entryOf({ id }: Post) {
  const { entries } = await meera.trpc.moderation.listReported.query()
  return entries.find((entry) => entry.post.id === id)
}

async function fileStatus(photo: string, who?: TestUser): Promise<number> {
  return (await server().request(photo, { headers: server().headersOf(who) })).status
}

const isStored = async (photo: string) => {
  const folders = await uploadsIn(server().directory)
  return folders.includes(photo.split('/')[2] ?? '')
}

const isMine = async ({ id }: SucceededImage) => {
  const { images } = await asha.trpc.images.list.query({ limit: 200 })
  return images.some((image) => image.id === id)
}

const deletePost = ({ id }: Post, who: TestUser) => who.trpc.posts.delete.mutate({ id })

describe('a hidden post deleted by its author', () => {
  test('is kept for administrators, with its reports and image', async () => {
    const { image, post } = await shareHidden('A lamp withdrawn')
    expect(await deletePost(post, asha)).toEqual({ id: post.id })
    expect(await entryOf(post)).toMatchObject({
      post: { id: post.id, prompt: 'A lamp withdrawn', photo: image.photo },
      isHidden: true,
      isWithdrawn: true,
      reports: [{ reason: 'violent', comment: 'It burns.' }],
    })
    expect(await fileStatus(image.photo, meera)).toBe(200)
    expect(await fileStatus(image.photo)).toBe(404)
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
    expect(await isMine(image)).toBe(true)
    await expect(share(image)).rejects.toMatchObject({ data: { httpStatus: 403 } })
  })

  test('is deleted when an administrator unhides it, and its image is visible to its owner', async () => {
    const { image, post } = await shareHidden('A lamp withdrawn, then released')
    const sibling = await entryOf(post)
    expect(sibling?.postsOfImage).toBe(1)
    await deletePost(post, asha)
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await entryOf(post)).toBeUndefined()
    const { total } = await asha.trpc.posts.list.query({ search: 'withdrawn, then released' })
    expect(total).toBe(0)
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
    expect(await fileStatus(image.photo, asha)).toBe(200)
    expect(await fileStatus(image.photo)).toBe(404)
    await share(image)
  })

  test('does not prevent other posts of its image from being unhidden', async () => {
    const { image, post } = await shareHidden('A lamp in two posts, one withdrawn')
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    const other = await share(image, 'The other post')
    await meera.trpc.moderation.hide.mutate({ id: other.id })
    expect((await entryOf(post))?.postsOfImage).toBe(2)
    await deletePost(post, asha)
    expect((await entryOf(other))?.isWithdrawn).toBe(false)
    await meera.trpc.moderation.unhide.mutate({ id: other.id })
    const { posts } = await asha.trpc.posts.list.query({ search: 'the other post' })
    expect(posts.map(({ id }) => id)).toEqual([other.id])
    await expect(deletePost(post, asha)).rejects.toMatchObject(missingPost)
  })

  test('keeps its upload until an administrator unhides it', async () => {
    const { post } = await uploadHidden('An upload withdrawn')
    await deletePost(post, asha)
    expect(await isStored(post.photo)).toBe(true)
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await isStored(post.photo)).toBe(false)
    expect(await fileStatus(post.photo, meera)).toBe(404)
  })
})

describe('a hidden image deleted by its owner', () => {
  test('disappears for its owner, and is kept for administrators', async () => {
    const { image, post } = await shareHidden('An image withdrawn')
    expect(await asha.trpc.images.delete.mutate({ id: image.id })).toEqual({ id: image.id })
    expect(await isMine(image)).toBe(false)
    await expect(asha.trpc.images.delete.mutate({ id: image.id })).rejects.toMatchObject(missingImage)
    await expect(asha.trpc.images.get.query({ id: image.id })).rejects.toMatchObject(missingImage)
    await expect(asha.trpc.images.cancel.mutate({ id: image.id })).rejects.toMatchObject(missingImage)
    await expect(share(image)).rejects.toMatchObject({ data: { httpStatus: 403 } })
    expect(await entryOf(post)).toMatchObject({ isWithdrawn: true, reportCount: 1 })
    expect(await fileStatus(image.photo, meera)).toBe(200)
  })

  test('is deleted with its file when an administrator unhides its post', async () => {
    const { image, post } = await shareHidden('An image withdrawn, then released')
    await asha.trpc.images.delete.mutate({ id: image.id })
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect(await isStored(image.photo)).toBe(false)
    expect(await entryOf(post)).toBeUndefined()
    await expect(share(image)).rejects.toMatchObject(missingImage)
  })

  test('frees its request key', async () => {
    const prompt = 'An image withdrawn, with a key'
    const generate = () => follow(asha.trpc, { prompt, requestKey: 'one' }).ended
    const image = await generate()
    await meera.trpc.moderation.hide.mutate({ id: (await share(image)).id })
    await asha.trpc.images.delete.mutate({ id: image.id })
    expect((await generate()).id).not.toBe(image.id)
  })
})

describe('a post deleted by an administrator', () => {
  test('is deleted with its image, and every post and copy of it', async () => {
    const [image, copy] = [await asha.generate('A lamp to go'), await asha.generate('A lamp to go')]
    const posts = [
      await share(image, 'Going one'),
      await share(image, 'Going two'),
      await share(copy, 'Going three'),
    ]
    const [first, second, third] = posts
    await meera.trpc.posts.report.mutate({ id: second?.id ?? '', reason: 'sexual' })
    await meera.trpc.posts.delete.mutate({ id: first?.id ?? '' })
    expect((await asha.trpc.posts.list.query({ search: 'going' })).total).toBe(0)
    for (const { photo } of [image, copy]) {
      expect(await isStored(photo)).toBe(false)
      expect(await fileStatus(photo, asha)).toBe(404)
    }
    expect([await isMine(image), await isMine(copy)]).toEqual([false, false])
    const log = await meera.trpc.moderation.auditLog.query()
    const facts = log
      .slice(0, 3)
      .map(({ action, postId, authorId, reasons }) => ({ action, postId, authorId, reasons }))
    expect(facts).toEqual([
      { action: 'delete', postId: third?.id, authorId: asha.id, reasons: [] },
      { action: 'delete', postId: second?.id, authorId: asha.id, reasons: ['sexual'] },
      { action: 'delete', postId: first?.id, authorId: asha.id, reasons: [] },
    ])
  })

  test.each(transports)('is not shared again through $name', async (transport) => {
    const deleted = 'An administrator has deleted this image. It cannot be shared again.'
    const words = { name: 'Asha', prompt: `Back again by ${transport.name}` }
    const made = await asha.generate(`A lamp to delete by ${transport.name}`)
    const bytes = Buffer.from(
      await (await server().request(made.photo, { headers: server().headersOf(asha) })).arrayBuffer(),
    )
    const upload = await uploadHidden(`An upload to delete by ${transport.name}`)
    await deletePost(await share(made), meera)
    await deletePost(upload.post, meera)
    const again = await asha.generate(`A lamp to delete by ${transport.name}`)
    for (const body of [
      { ...words, photo: dataUrl(bytes) },
      { ...words, photo: dataUrl(upload.bytes) },
      { ...words, imageId: again.id },
    ]) {
      expect(await transport.share(server(), body, asha)).toMatchObject({ status: 403, error: deleted })
    }
    expect(await transport.share(server(), { ...words, imageId: made.id }, asha)).toMatchObject({
      status: 404,
    })
  })

  test('is deleted even if its author has withdrawn it', async () => {
    const { image, post } = await shareHidden('A lamp withdrawn, then deleted')
    await deletePost(post, asha)
    await deletePost(post, meera)
    expect(await isStored(image.photo)).toBe(false)
    const [last] = await meera.trpc.moderation.auditLog.query()
    expect(last).toMatchObject({ action: 'delete', postId: post.id, authorId: asha.id, reasons: ['violent'] })
  })

  test('may be a hidden post of their own, and is recorded', async () => {
    const image = await meera.generate('A lamp of an administrator')
    const post = await share(image, 'A lamp of an administrator', meera)
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    await deletePost(post, meera)
    expect(await isStored(image.photo)).toBe(false)
    const [last] = await meera.trpc.moderation.auditLog.query()
    expect(last).toMatchObject({ action: 'delete', postId: post.id, authorId: meera.id })
  })
})

test('a hidden post deleted concurrently by author and administrator leaves a record and no file', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { image, post } = await shareHidden(`A lamp deleted twice ${round}`)
    const [, byAdministrator] = await Promise.allSettled([deletePost(post, asha), deletePost(post, meera)])
    expect(byAdministrator.status).toBe('fulfilled')
    expect(await isStored(image.photo)).toBe(false)
    const [last] = await meera.trpc.moderation.auditLog.query()
    expect(last).toMatchObject({ action: 'delete', postId: post.id })
  }
})

test('exports hidden and withdrawn posts to their author', async () => {
  const own = await startTestServer()
  const [ravi, administrator] = [await own.signUp('Ravi'), await signUpAdministrator(own)]
  const [shown, hidden, withdrawn] = [
    await ravi.generate('one'),
    await ravi.generate('two'),
    await ravi.generate('three'),
  ]
  for (const image of [shown, hidden, withdrawn]) {
    const post = await share(image, image.prompt, ravi)
    if (image !== shown) await administrator.trpc.moderation.hide.mutate({ id: post.id })
  }
  await ravi.trpc.images.delete.mutate({ id: withdrawn.id })
  const { images, posts, moderation } = await ravi.trpc.account.export.query()
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(images).toEqual([
    { ...withdrawn, isHidden: true, withdrawnAt: moment, trashedAt: null },
    { ...hidden, isHidden: true, withdrawnAt: null, trashedAt: null },
    { ...shown, withdrawnAt: null, trashedAt: null },
  ])
  expect(posts.map(({ prompt, hiddenAt, withdrawnAt }) => ({ prompt, hiddenAt, withdrawnAt }))).toEqual([
    { prompt: 'three', hiddenAt: moment, withdrawnAt: moment },
    { prompt: 'two', hiddenAt: moment, withdrawnAt: null },
    { prompt: 'one', hiddenAt: null, withdrawnAt: null },
  ])
  expect(moderation).toEqual(
    [posts[0], posts[1]].map((post) => ({
      action: 'hide',
      postId: post?.id,
      reasons: [],
      note: '',
      createdAt: moment,
      appeal: null,
    })),
  )
  const file = await own.request(withdrawn.photo, { headers: own.headersOf(ravi) })
  expect(file.status).toBe(200)
})
