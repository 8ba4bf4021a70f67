import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { trashDays } from '../../shared/images.ts'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { allCapabilities } from '../../test/support/engine.ts'
import { createScriptedEngine, follow } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { msPerDay } from '../db/gallery.ts'
import { sweepImages } from './sweep-images.ts'

/** Time of the server. */
let now = Date.now()
const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
const server = shareTestServer({
  env: { DAILY_IMAGE_LIMIT: '500', DAILY_POST_LIMIT: '500' },
  engine,
  now: () => now,
})
let meera: TestUser
let asha: TestUser
beforeAll(async () => {
  meera = await signUpAdministrator(server())
})
beforeEach(async () => {
  asha = await server().signUp('Asha Rao')
  await setDays(10)
})

const setDays = (unsharedImageDays: number | null) =>
  meera.trpc.admin.options.update.mutate({ unsharedImageDays })

async function generate(prompt: string, user = asha) {
  const image = user.generate(prompt)
  await (await waitForJob(prompt)).finish()
  return image
}

async function sweepAfterDays(days: number) {
  now += days * msPerDay
  return sweepImages(server().services)
}

const idsIn = async (filter: 'all' | 'trash') =>
  (await asha.trpc.images.list.query({ filter })).images.map(({ id }) => id)

describe('images that are not shared', () => {
  test('move to the trash after the days of the site, and are deleted 30 days later', async () => {
    const lotus = await generate('A lotus for ten days')
    const expiresAt = new Date(Date.parse(lotus.createdAt) + 10 * msPerDay).toISOString()
    expect((await asha.trpc.images.list.query()).images).toMatchObject([{ id: lotus.id, expiresAt }])
    await sweepAfterDays(9)
    expect(await idsIn('all')).toEqual([lotus.id])
    expect(await sweepAfterDays(1)).toMatchObject({ trashed: 1 })
    expect([await idsIn('all'), await idsIn('trash')]).toEqual([[], [lotus.id]])
    await sweepAfterDays(trashDays - 1)
    expect(await idsIn('trash')).toEqual([lotus.id])
    await sweepAfterDays(1)
    expect(await idsIn('trash')).toEqual([])
  })

  test('stay without such an option', async () => {
    await setDays(null)
    const lotus = await generate('A lotus for ever')
    expect((await asha.trpc.images.list.query()).images[0]).not.toHaveProperty('expiresAt')
    await sweepAfterDays(1_000)
    expect(await idsIn('all')).toEqual([lotus.id])
    await asha.trpc.images.delete.mutate({ id: lotus.id })
  })

  test.each(['public', 'unlisted', 'private'] as const)(
    'stay while they have a %s post',
    async (visibility) => {
      const prompt = `A lotus that is ${visibility}`
      const { id: imageId } = await generate(prompt)
      const { id } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId, visibility })
      expect((await asha.trpc.images.list.query()).images[0]).not.toHaveProperty('expiresAt')
      await sweepAfterDays(11)
      expect(await idsIn('all')).toEqual([imageId])
      await asha.trpc.posts.delete.mutate({ id })
      await sweepAfterDays(1)
      expect(await idsIn('trash')).toEqual([imageId])
    },
  )

  test('stay for the same time again after they are restored', async () => {
    const { id } = await generate('A lotus that returns')
    await sweepAfterDays(11)
    await asha.trpc.images.restore.mutate({ id })
    const expiresAt = new Date(now + 10 * msPerDay).toISOString()
    expect((await asha.trpc.images.list.query()).images).toMatchObject([{ id, expiresAt }])
    await sweepAfterDays(9)
    expect(await idsIn('all')).toEqual([id])
    await sweepAfterDays(1)
    expect(await idsIn('trash')).toEqual([id])
  })

  test('stay while a running generation refers to them', async () => {
    const { id } = await generate('A lotus to refer to')
    now += 11 * msPerDay
    const { images } = await asha.trpc.images.generate.mutate({
      prompt: 'A lotus like that',
      referenceImageIds: [id],
    })
    const running = follow(asha.trpc, { id: images[0]?.id ?? '' })
    const job = await waitForJob('A lotus like that')
    await sweepAfterDays(0)
    expect(await idsIn('trash')).toEqual([])
    await job.finish()
    await running.ended
    await sweepAfterDays(1)
    expect(await idsIn('trash')).toEqual([id])
  })

  test('stay while an administrator has hidden a copy of them', async () => {
    const { id } = await generate('A hidden lotus')
    await server().services.db.updateTable('images').set({ hidden_at: now }).where('id', '=', id).execute()
    await sweepAfterDays(11)
    expect(await idsIn('trash')).toEqual([])
  })

  test('do not hold up the others if they are many', async () => {
    const users = [asha, await server().signUp('Ravi')]
    for (const user of users) {
      for (const number of [1, 2, 3]) await generate(`Lotus ${number} of ${user.id}`, user)
    }
    expect(await sweepAfterDays(11)).toMatchObject({ trashed: 6 })
    expect(await idsIn('trash')).toHaveLength(3)
  })
})

test('two processes that sweep at once, and a user who shares, leave no shared image in the trash', async () => {
  const image = await generate('A lotus that is shared in time')
  now += 11 * msPerDay
  const { services } = server()
  const [, post] = await Promise.all([
    sweepImages(services),
    asha.trpc.posts.create
      .mutate({ name: 'Asha', prompt: image.prompt, imageId: image.id })
      .catch(() => null),
    sweepImages(services),
  ])
  expect(await idsIn(post ? 'all' : 'trash')).toEqual([image.id])
})

test('UNSHARED_IMAGE_DAYS fixes the option', async () => {
  const fixed = await startTestServer({ env: { UNSHARED_IMAGE_DAYS: '3' } })
  const administrator = await signUpAdministrator(fixed)
  expect(await administrator.trpc.admin.options.get.query()).toMatchObject({
    options: { unsharedImageDays: 3 },
    fixed: ['unsharedImageDays'],
  })
  const { id, createdAt } = await administrator.generate('A lotus for three days')
  const expiresAt = new Date(Date.parse(createdAt) + 3 * msPerDay).toISOString()
  expect((await administrator.trpc.images.list.query()).images).toMatchObject([{ id, expiresAt }])
})
