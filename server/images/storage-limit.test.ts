import { beforeEach, describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer({ env: { USER_STORAGE_LIMIT_MB: '1', DAILY_IMAGE_LIMIT: '5' } })
let asha: TestUser
beforeEach(async () => {
  asha = await server().signUp('Asha Rao')
})

const full = {
  message: 'Your images may take up 1 MB, and no more fit in. Delete some, and empty the trash.',
  data: {
    reason: 'storage_limit',
    httpStatus: 429,
    detail: { code: 'storage_limit', values: { megabytes: 1 } },
  },
}

/** Makes the stored images of a user as large as this. */
async function fill(user: TestUser, bytes: number): Promise<string> {
  const { id } = await user.generate('A large lotus')
  await server().services.db.updateTable('images').set({ bytes }).where('id', '=', id).execute()
  return id
}

const storageOf = async (user: TestUser) => (await user.trpc.images.quota.query()).storage

test('images.quota reports the bytes of generated and uploaded images', async () => {
  expect(await storageOf(asha)).toEqual({ used: 0, limit: 1_000_000 })
  await asha.generate('A small lotus')
  const { used = 0 } = (await storageOf(asha)) ?? {}
  expect(used).toBeGreaterThan(1_000)
  await asha.trpc.images.upload.mutate(new Blob([new Uint8Array(await plainJpeg(`of ${asha.id}`))]))
  expect((await storageOf(asha))?.used).toBeGreaterThan(used)
})

test('rejects generations and uploads of a user without storage, and consumes no quota', async () => {
  const id = await fill(asha, 1_000_000)
  const prompt = 'One lotus too many'
  await expect(asha.trpc.images.generate.mutate({ prompt })).rejects.toMatchObject(full)
  const photo = dataUrl(await plainJpeg('one photo too many'))
  await expect(asha.trpc.posts.create.mutate({ name: 'Asha', prompt, photo })).rejects.toMatchObject(full)
  const response = await server().request('/api/v1/imgGenerate', {
    method: 'POST',
    headers: { ...server().headersOf(asha), 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({ success: false, error: full.message })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })

  // What exists can still be shared.
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A large lotus', imageId: id })
})

test('counts images in the trash until they are deleted permanently', async () => {
  const id = await fill(asha, 1_000_000)
  await asha.trpc.images.delete.mutate({ id })
  await expect(asha.trpc.images.generate.mutate({ prompt: 'Still full' })).rejects.toMatchObject(full)
  await asha.trpc.images.emptyTrash.mutate()
  expect(await storageOf(asha)).toEqual({ used: 0, limit: 1_000_000 })
  await asha.generate('Room again')
})

test('rejects an upload that is larger than what is left', async () => {
  await fill(asha, 900_000)
  const large = new Uint8Array(await noisyImage(500, 500).jpeg().toBuffer())
  await expect(asha.trpc.images.upload.mutate(new Blob([large]))).rejects.toMatchObject(full)
  expect(await storageOf(asha)).toEqual({ used: 900_000, limit: 1_000_000 })
  await asha.trpc.images.upload.mutate(new Blob([new Uint8Array(await plainJpeg(`small of ${asha.id}`))]))
})

test('counts the images of each user for themselves', async () => {
  await fill(asha, 1_000_000)
  const ravi = await server().signUp('Ravi Shah')
  await ravi.generate('A lotus of another user')
})

test('simultaneous uploads do not exceed the limit', async () => {
  await fill(asha, 999_000 - 60_000)
  const photos = await Promise.all(
    Array.from({ length: 4 }, async () => new Uint8Array(await noisyImage(100, 100).jpeg().toBuffer())),
  )
  await Promise.allSettled(photos.map((photo) => asha.trpc.images.upload.mutate(new Blob([photo]))))
  expect((await storageOf(asha))?.used).toBeLessThanOrEqual(1_000_000)
})

describe('on a site without a limit', () => {
  const unlimited = shareTestServer()

  test('an administrator sets one, with immediate effect', async () => {
    const meera = await signUpAdministrator(unlimited())
    const image = await meera.generate('A lotus without a limit')
    expect(await meera.trpc.images.quota.query()).not.toHaveProperty('storage')
    await unlimited()
      .services.db.updateTable('images')
      .set({ bytes: 2_000_000 })
      .where('id', '=', image.id)
      .execute()
    const set = (storageLimitMegabytes: number | null) =>
      meera.trpc.admin.options.update.mutate({ storageLimitMegabytes })
    await set(2)
    expect(await storageOf(meera)).toEqual({ used: 2_000_000, limit: 2_000_000 })
    await expect(meera.trpc.images.generate.mutate({ prompt: 'Too many' })).rejects.toMatchObject({
      data: { reason: 'storage_limit' },
    })
    await set(3)
    await meera.generate('A lotus within the limit')
    await set(null)
    expect(await storageOf(meera)).toBeUndefined()
  })

  test.each([0, -1, 1.5, 1e9])('a limit of %d MB is rejected', async (storageLimitMegabytes) => {
    const meera = await signUpAdministrator(unlimited())
    await expect(meera.trpc.admin.options.update.mutate({ storageLimitMegabytes })).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
  })
})
