import { beforeAll, describe, expect, test } from 'vitest'
import { createRangoliEngine } from '../engines/rangoli/rangoli-engine.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { follow } from '../../test/support/generations.ts'
import { dataUrl } from '../../test/support/images.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import type { Post } from '../../shared/posts.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer()
let asha: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  meera = await signUpAdministrator(server())
})

const visitor = () => server().client()

/** Details of a post that was neither edited nor liked and has no connection with other posts. */
const untouched = {
  marks: null,
  original: null,
  parent: null,
  isRemix: false,
  remixCount: 0,
  promptEditedAt: null,
  isLiked: false,
  hidden: null,
}

async function share(prompt: string) {
  const image = await asha.generate(`${prompt}, in private words`)
  return { image, post: await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id }) }
}

describe('posts.get', () => {
  test('returns the post, with a recipe that has its prompt', async () => {
    const { image, post } = await share('A lotus')
    const found = await visitor().posts.get.query({ id: post.id })
    expect(found).toEqual({
      ...post,
      recipe: { ...image.recipe, prompt: 'A lotus', referenceImageIds: [] },
      ...untouched,
    })
    expect(JSON.stringify(found)).not.toContain('private')
  })

  test('names the words that the image shows, unless the author shared another prompt or hides it', async () => {
    const { services, client, signUp } = await startTestServer({ engine: createRangoliEngine() })
    const ravi = await signUp()
    const image = await ravi.generate('A blue peacock for Quentin')
    expect(image.recipe?.drawnFrom).toEqual(['blue', 'peacock'])
    const read = async (prompt: string) => {
      const { id } = await ravi.trpc.posts.create.mutate({ prompt, imageId: image.id })
      return (await client().posts.get.query({ id })).recipe?.drawnFrom
    }
    expect(await read(image.prompt)).toEqual(['blue', 'peacock'])
    expect(await read('A bird')).toBeNull()
    await services.db.updateTable('posts').set({ hide_prompt: 1 }).execute()
    expect(await read(image.prompt)).toBeNull()
  })

  test("does not tell the ids of the author's reference images and mask", async () => {
    const { image, post } = await share('A heron')
    await server()
      .services.db.updateTable('images')
      .set({
        recipe: JSON.stringify({ referenceImageIds: ['secret'], maskImageId: 'secret', strength: 0.5 }),
      })
      .where('id', '=', image.id)
      .execute()
    const { recipe } = await visitor().posts.get.query({ id: post.id })
    expect(recipe).toMatchObject({ referenceImageIds: [], strength: 0.5 })
    expect(recipe).not.toHaveProperty('maskImageId')
  })

  test('names the post of which the image is a remix, as long as it is listed', async () => {
    const { post: parent } = await share('A pond')
    const request = { prompt: 'A pond at night', remixOf: parent.id }
    const [image] = (await asha.trpc.images.generate.mutate(request)).images
    await follow(asha.trpc, { id: image?.id ?? '' }).ended
    const post = await asha.trpc.posts.create.mutate({ prompt: 'At night', imageId: image?.id ?? '' })
    const read = () => visitor().posts.get.query({ id: post.id })
    const remixesOf = async () => (await visitor().posts.get.query({ id: parent.id })).remixCount
    const withParent = { parent: parent.id, recipe: { remixOf: parent.id }, isRemix: true }
    const withoutParent = { parent: null, recipe: { remixOf: null }, isRemix: true }
    expect(await read()).toMatchObject(withParent)
    expect(await remixesOf()).toBe(1)
    for (const visibility of ['unlisted', 'private'] as const) {
      await asha.trpc.posts.update.mutate({ id: parent.id, visibility })
      expect(await read()).toMatchObject(withoutParent)
    }
    await asha.trpc.posts.update.mutate({ id: parent.id, visibility: 'public' })
    await asha.trpc.posts.update.mutate({ id: post.id, visibility: 'unlisted' })
    expect(await remixesOf()).toBe(0)
    await meera.trpc.moderation.hide.mutate({ id: parent.id })
    expect(await read()).toMatchObject(withoutParent)
    await meera.trpc.moderation.unhide.mutate({ id: parent.id })
    expect(await read()).toMatchObject(withParent)
    await asha.trpc.posts.delete.mutate({ id: parent.id })
    expect(await read()).toMatchObject(withoutParent)
  })

  test('returns no recipe for an upload', async () => {
    const photo = dataUrl(await plainJpeg('an upload'))
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photograph', photo })
    expect(await visitor().posts.get.query({ id: post.id })).toEqual({
      ...post,
      recipe: null,
      ...untouched,
    })
  })
})

describe('a hidden post', () => {
  let ravi: TestUser
  beforeAll(async () => {
    ravi = await server().signUp('Ravi Shah')
  })

  async function shareHidden(prompt: string): Promise<Post> {
    const { post } = await share(prompt)
    await visitor().posts.report.mutate({ id: post.id, reason: 'violent' })
    await meera.trpc.moderation.hide.mutate({ id: post.id, note: 'Too dark.' })
    return post
  }

  test('tells its author and moderators the reason', async () => {
    const post = await shareHidden('A lamp in the dark')
    const hidden = { postId: post.id, state: 'hidden', reasons: ['violent'], note: 'Too dark.', appeal: null }
    for (const user of [asha, meera]) {
      expect(await user.trpc.posts.get.query({ id: post.id })).toMatchObject({ prompt: post.prompt, hidden })
    }
    await asha.trpc.moderation.appeal.mutate({ postId: post.id, comment: 'It is a lamp.' })
    expect((await asha.trpc.posts.get.query({ id: post.id })).hidden?.appeal?.comment).toBe('It is a lamp.')
  })

  test('has a page for its author and moderators only, which no cache keeps, until it is unhidden', async () => {
    const { id } = await shareHidden('A lamp in the rain')
    const page = (who?: TestUser) =>
      server().request(`/posts/${id}`, { headers: { accept: 'text/html', ...server().headersOf(who) } })
    // Concurrent requests for one page share its rendering.
    const users = [undefined, asha, ravi, meera, undefined, asha]
    const responses = await Promise.all(users.map((user) => page(user)))
    const texts = await Promise.all(responses.map((response) => response.text()))
    for (const [index, { status, headers }] of responses.entries()) {
      const maySee = users[index] === asha || users[index] === meera
      expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual(
        maySee ? [200, 'private, no-store', null] : [404, 'no-store', null],
      )
      expect(texts[index]?.includes('A lamp in the rain')).toBe(maySee)
      expect(headers.get('x-robots-tag')).toBe(maySee ? 'noindex' : null)
      expect(texts[index]).not.toMatch(/og:image|rel="canonical"|oembed/)
    }
    await meera.trpc.moderation.unhide.mutate({ id })
    for (const user of [asha, undefined]) {
      const { status, headers } = await page(user)
      expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    }
  })
})
