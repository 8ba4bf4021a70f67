import { describe, expect, test } from 'vitest'
import { createInstantEngine } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { type EngineRequest, promptOnly } from '../../engines/image-engine.ts'

const requests: EngineRequest[] = []
const capabilities = { ...promptOnly, loras: ['ink', 'paper'], upscale: [2] }
const check = () => Promise.resolve({ models: [], capabilities })
const forge = createInstantEngine({ id: 'forge', label: 'Forge', prices: { default: 0.02 }, check }, requests)
const server = shareTestServer({ engines: [forge, createInstantEngine({ id: 'plain', label: 'Plain' })] })

async function finished({ trpc }: TestUser, id = '') {
  await eventually(async () => (await trpc.images.get.query({ id })).state).toBe('succeeded')
  return trpc.images.get.query({ id })
}

test('LoRAs reach the engine, and stay in the recipe, the infotext of a download and the post', async () => {
  const asha = await server().signUp()
  const loras = [{ name: 'ink', weight: 0.8 }, { name: 'paper' }]
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', loras })
  const { id, recipe } = await finished(asha, images[0]?.id)
  const stored = [
    { name: 'ink', weight: 0.8 },
    { name: 'paper', weight: 1 },
  ]
  expect(requests.at(-1)).toMatchObject({ prompt: 'A lotus', loras: stored })
  expect(recipe).toMatchObject({ prompt: 'A lotus', loras: stored })
  const download = await server().request(`/api/images/${id}/download`, {
    headers: server().headersOf(asha),
  })
  expect(await download.text()).toContain('&lt;lora:ink:0.8&gt; &lt;lora:paper:1&gt;')
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
  expect(await asha.trpc.posts.get.query({ id: post.id })).toMatchObject({ recipe: { loras: stored } })
})

const sentence = 'The LoRAs must be a list of at most 8 objects with a name and a weight from -10 to 10.'
const ink = { name: 'ink', weight: 1 }
test.each([
  [{ loras: [{ name: 'gouache', weight: 1 }] }, 'Forge has no LoRA "gouache".'],
  [{ loras: [ink], engine: 'plain' }, 'Plain does not support LoRAs.'],
  [{ loras: [ink, { ...ink, weight: 0.5 }] }, 'Each LoRA can be used once.'],
  [{ loras: [{ ...ink, weight: 11 }] }, sentence],
  [{ loras: [{ weight: 1 }] }, sentence],
  [{ loras: 'ink' }, sentence],
])('rejects %j', async (input, message) => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus', ...input }, asha)
  expect(await response.json()).toMatchObject({ error: { message } })
  expect(response.status).toBe(400)
})

test('a request key belongs to the LoRAs, too', async () => {
  const asha = await server().signUp()
  const generate = (weight: number) =>
    asha.trpc.images.generate.mutate({ prompt: 'A key', requestKey: 'k', loras: [{ ...ink, weight }] })
  const [first, again] = [await generate(1), await generate(1)]
  expect(again.images[0]?.id).toBe(first.images[0]?.id)
  await expect(generate(2)).rejects.toThrow('other settings')
})

test('a style adds the LoRAs that the engine has, unless the request has them', async () => {
  const asha = await server().signUp()
  const [paper, gone] = [
    { name: 'paper', weight: 0.4 },
    { name: 'gone', weight: 1 },
  ]
  const style = { name: 'Ink', template: '{prompt} in ink', loras: [{ ...ink, weight: 2 }, paper, gone] }
  const { id: styleId } = await asha.trpc.styles.create.mutate(style)
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A fan', styleId, loras: [ink] })
  expect((await finished(asha, images[0]?.id)).recipe).toMatchObject({ loras: [ink, paper] })
})

describe('upscaling', () => {
  /** Signs up a user with an image of the engine that can't enlarge it. */
  async function withImage() {
    const asha = await server().signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A source', engine: 'plain' })
    return { asha, source: await finished(asha, images[0]?.id) }
  }

  test('makes an image whose recipe names its source, for its owner only, and counts as any other', async () => {
    const { asha, source } = await withImage()
    const { images } = await asha.trpc.images.upscale.mutate({ imageId: source.id, factor: 2 })
    const larger = await finished(asha, images[0]?.id)
    expect(larger).toMatchObject({
      prompt: 'A source',
      engine: 'forge',
      cost: 0.02,
      recipe: { sourceImageId: source.id, upscale: 2, referenceImageIds: [] },
    })
    const request = requests.at(-1)
    expect(request).toMatchObject({ upscale: 2, references: [expect.any(Uint8Array)] })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2 })
    const call = { name: 'Asha', prompt: 'A source', imageId: larger.id }
    const post = await asha.trpc.posts.create.mutate(call)
    expect(JSON.stringify(await asha.trpc.posts.get.query({ id: post.id }))).not.toContain(source.id)
  })

  test('with a request key happens once, also after its source was deleted', async () => {
    const { asha, source } = await withImage()
    const input = { imageId: source.id, factor: 2, requestKey: 'larger' }
    const [first] = (await asha.trpc.images.upscale.mutate(input)).images
    await finished(asha, first?.id)
    await asha.trpc.images.delete.mutate({ id: source.id })
    const [again] = (await asha.trpc.images.upscale.mutate(input)).images
    expect(again?.id).toBe(first?.id)
    const other = asha.trpc.images.upscale.mutate({ ...input, engine: 'forge' })
    await expect(other).rejects.toThrow('other settings')
  })

  test.each([
    [{ factor: 4 }, 400, 'No image engine of this site enlarges images 4 times.'],
    [{ factor: 4, engine: 'forge' }, 400, 'Forge does not enlarge images 4 times.'],
    [{ factor: 2, engine: 'plain' }, 400, 'Plain does not enlarge images 2 times.'],
    [{ factor: 2, engine: 'gone' }, 400, 'This site has no image engine "gone".'],
    [{ factor: 1.5 }, 400, 'The factor must be a whole number from 2 to 8.'],
    [{ factor: 2, imageId: 'unknown' }, 404, /./],
  ])('rejects %j', async (input, status, message) => {
    const { asha, source } = await withImage()
    const response = await server().postJson('/trpc/images.upscale', { imageId: source.id, ...input }, asha)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(message) as string },
    })
    expect(response.status).toBe(status)
  })

  test('is for own images, of a size that an image may have', async () => {
    const { asha, source } = await withImage()
    const ravi = await server().signUp('Ravi Shah')
    const input = { imageId: source.id, factor: 2 }
    await expect(ravi.trpc.images.upscale.mutate(input)).rejects.toMatchObject({
      data: { code: 'NOT_FOUND' },
    })
    const { db } = server().services
    await db.updateTable('images').set({ width: 4_000, height: 3_000 }).where('id', '=', source.id).execute()
    await expect(asha.trpc.images.upscale.mutate(input)).rejects.toThrow('more than 16 megapixels')
  })
})
