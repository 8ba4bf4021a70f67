import { beforeAll, describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '200', DAILY_POST_LIMIT: '200' } })
let asha: TestUser
let ravi: TestUser
let meera: TestUser
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
})

const visitor = () => server().client()

async function share(prompt: string, options: object = {}) {
  const { id: imageId } = await asha.generate(`An image of ${prompt}`)
  return asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, ...options })
}

async function found(search: string): Promise<readonly string[]> {
  const { posts, total } = await visitor().posts.list.query({ search })
  expect(total).toBe(posts.length)
  return posts.map(({ id }) => id)
}

const notFound = { message: 'Post not found.', data: { httpStatus: 404 } }

describe('posts.update', () => {
  test('changes name and prompt, in search too, and marks the prompt as edited', async () => {
    const { id } = await share('A crane at noon')
    const before = Date.now()
    const changed = await asha.trpc.posts.update.mutate({ id, name: 'Asha R.', prompt: 'A stork at dusk' })
    expect(changed).toMatchObject({ name: 'Asha R.', prompt: 'A stork at dusk', isSensitive: false })
    expect(Date.parse(changed.promptEditedAt ?? '')).toBeGreaterThanOrEqual(before)
    expect(changed.recipe?.prompt).toBe('A crane at noon')
    expect(await visitor().posts.get.query({ id })).toEqual(changed)
    expect(await found('crane at noon')).toEqual([])
    expect(await found('stork at dusk')).toEqual([id])
    const again = await asha.trpc.posts.update.mutate({ id, prompt: 'A stork at night' })
    expect(again.recipe?.prompt).toBe('A crane at noon')
  })

  test('leaves a prompt unmarked that stays the same, and finds the post by the one it was shared with', async () => {
    const image = await asha.generate('A teal')
    const create = () => asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A teal', imageId: image.id })
    const { id } = await create()
    const same = await asha.trpc.posts.update.mutate({ id, prompt: ' A teal ', isSensitive: true })
    expect(same).toMatchObject({ prompt: 'A teal', promptEditedAt: null, isSensitive: true, name: 'Asha' })
    await asha.trpc.posts.update.mutate({ id, prompt: 'A mallard' })
    expect(await create()).toMatchObject({ id, prompt: 'A mallard' })
  })

  test('rejects the post of another user, and does not reveal private posts', async () => {
    const { id } = await share('A tern')
    await expect(ravi.trpc.posts.update.mutate({ id, name: 'Ravi' })).rejects.toMatchObject({
      message: 'Only its author can change a post.',
      data: { httpStatus: 403 },
    })
    await asha.trpc.posts.update.mutate({ id, visibility: 'private' })
    for (const { trpc } of [ravi, meera]) {
      await expect(trpc.posts.update.mutate({ id, name: 'Ravi' })).rejects.toMatchObject(notFound)
    }
    await expect(ravi.trpc.posts.delete.mutate({ id })).rejects.toMatchObject(notFound)
    expect((await asha.trpc.posts.get.query({ id })).name).toBe('Asha')
  })

  test('rejects changes while an administrator has hidden the post', async () => {
    const { id } = await share('A gull')
    await meera.trpc.moderation.hide.mutate({ id })
    await expect(asha.trpc.posts.update.mutate({ id, visibility: 'private' })).rejects.toMatchObject({
      message: 'A moderator has hidden this post. It cannot be changed.',
      data: { httpStatus: 403 },
    })
    await meera.trpc.moderation.unhide.mutate({ id })
    expect(await found('A gull')).toEqual([id])
  })

  test.each([
    [{ prompt: ' \n' }, 'Please provide a prompt'],
    [{ visibility: 'secret' }, 'The visibility must be public, unlisted, private.'],
    [{ hidePrompt: 'yes' }, '`hidePrompt` must be a boolean.'],
    [{ name: 'x'.repeat(81) }, 'A name may have at most 80 characters.'],
  ])('rejects %j', async (changes, message) => {
    const response = await server().postJson('/trpc/posts.update', { id: 'unknown', ...changes }, asha)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message } })
  })
})

describe('a hidden prompt', () => {
  test('is for its author only, in the details, lists, search and the recipe of downloads', async () => {
    const { id, photo } = await share('A secret garden', { hidePrompt: true })
    const recipe = { negativePrompt: 'A secret fence', drawnFrom: ['garden'] }
    await server()
      .services.db.updateTable('images')
      .set({ recipe: JSON.stringify(recipe) })
      .where('folder', '=', photo.split('/')[2] ?? '')
      .execute()
    const details = await visitor().posts.get.query({ id })
    expect(details).toMatchObject({ prompt: '', isPromptHidden: true, recipe: { prompt: '' } })
    expect(await ravi.trpc.posts.get.query({ id })).toEqual(details)
    expect(await asha.trpc.posts.get.query({ id })).toMatchObject({
      prompt: 'A secret garden',
      isPromptHidden: true,
      recipe: { prompt: 'A secret garden', negativePrompt: 'A secret fence' },
    })
    expect(JSON.stringify(details)).not.toMatch(/garden|fence/)
    expect(await found('secret garden')).toEqual([])
    const { posts } = await visitor().posts.list.query()
    expect(posts.find((post) => post.id === id)).toMatchObject({ prompt: '', isPromptHidden: true })
    const download = await server().request(`/api/posts/${id}/download`, {
      headers: server().headersOf(asha),
    })
    expect(download.headers.get('cache-control')).toContain('public')
    expect(Buffer.from(await download.arrayBuffer()).toString('latin1')).not.toMatch(/garden|fence/)
  })

  test('can be hidden and shown later, and an edited one is hidden completely', async () => {
    const { id } = await share('An orchard of plums')
    await asha.trpc.posts.update.mutate({ id, prompt: 'An orchard of pears' })
    await asha.trpc.posts.update.mutate({ id, hidePrompt: true })
    expect(JSON.stringify(await visitor().posts.get.query({ id }))).not.toContain('orchard')
    expect(await found('orchard of')).toEqual([])
    await asha.trpc.posts.update.mutate({ id, hidePrompt: false })
    expect(await found('orchard of')).toEqual([id])
    expect(await visitor().posts.get.query({ id })).toMatchObject({ prompt: 'An orchard of pears' })
  })
})

describe('visibility', () => {
  test('a private post is neither reported nor remixed by others', async () => {
    const { id } = await share('A private lamp', { visibility: 'private' })
    for (const trpc of [ravi.trpc, meera.trpc, visitor()]) {
      await expect(trpc.posts.report.mutate({ id, reason: 'spam' })).rejects.toMatchObject(notFound)
    }
    const remix = ravi.trpc.images.generate.mutate({ prompt: 'A remix', remixOf: id })
    await expect(remix).rejects.toMatchObject(notFound)
  })

  test('new posts have the visibility of the account’s settings, unless they name one', async () => {
    const kamala = await server().signUp()
    const { id: imageId } = await kamala.generate('A default')
    const create = async (prompt: string, options: object = {}) =>
      (await kamala.trpc.posts.create.mutate({ prompt, imageId, ...options })).visibility
    expect(await kamala.trpc.account.settings.query()).toEqual({
      defaultVisibility: 'public',
      mailNotices: true,
    })
    expect(await create('First')).toBe('public')
    await kamala.trpc.account.updateSettings.mutate({ defaultVisibility: 'unlisted' })
    expect(await kamala.trpc.account.settings.query()).toEqual({
      defaultVisibility: 'unlisted',
      mailNotices: true,
    })
    expect(await create('Second')).toBe('unlisted')
    expect(await create('Third', { visibility: 'public' })).toBe('public')
  })
})

describe('the limit of characters that are indexed again in a minute', () => {
  const prompt = '山'.repeat(4_000)
  const limited = { data: { httpStatus: 429 } }

  /** Shares one image with several long prompts. */
  async function shareLong(posts: number) {
    const user = await server().signUp()
    const { id: imageId } = await user.generate('A mountain')
    const shared = []
    for (let number = 0; number < posts; number += 1)
      shared.push(await user.trpc.posts.create.mutate({ prompt: `${prompt.slice(5)}${number}`, imageId }))
    return { trpc: user.trpc, imageId, id: shared[0]?.id ?? '' }
  }

  test('counts edits by their length', async () => {
    const { trpc, id } = await shareLong(1)
    const edit = (number: number) => trpc.posts.update.mutate({ id, prompt: `${prompt.slice(5)}${number}` })
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, number) => edit(number).catch((error) => error)),
    )
    const rejected = outcomes.filter((outcome) => outcome instanceof Error)
    expect(rejected.length).toBeGreaterThanOrEqual(10)
    expect(rejected[0]).toMatchObject(limited)
    expect(await trpc.posts.update.mutate({ id, isSensitive: true })).toMatchObject({ isSensitive: true })
  })

  test('counts the public posts of an image that moves to the trash and back', async () => {
    const { trpc, imageId, id } = await shareLong(6)
    await trpc.posts.update.mutate({ id, visibility: 'unlisted' })
    // 4,000 characters for the change, then 20,000 for the five posts that are listed.
    await trpc.images.delete.mutate({ id: imageId })
    await trpc.images.restore.mutate({ id: imageId })
    await trpc.images.delete.mutate({ id: imageId })
    await expect(trpc.images.restore.mutate({ id: imageId })).rejects.toMatchObject(limited)
    expect((await trpc.images.list.query({ filter: 'trash' })).images).toMatchObject([{ id: imageId }])
  })

  test('moves an image to the trash whose posts exceed it', async () => {
    const { trpc, imageId } = await shareLong(21)
    expect(await trpc.images.delete.mutate({ id: imageId })).toEqual({ id: imageId })
    await expect(trpc.images.restore.mutate({ id: imageId })).rejects.toMatchObject(limited)
  })
})
