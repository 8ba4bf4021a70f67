import { expect, test } from 'vitest'
import { createInstantEngine, plainJpeg } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'
import { type EngineRequest, promptOnly } from '../../engines/image-engine.ts'

const requests: EngineRequest[] = []
const forge = {
  ...createInstantEngine({
    id: 'forge',
    label: 'Forge',
    check: () =>
      Promise.resolve({ models: [], capabilities: { ...promptOnly, loras: ['ink', 'paper'], upscale: [2] } }),
  }),
  async *generate(request: EngineRequest) {
    requests.push(request)
    yield { type: 'complete' as const, bytes: await plainJpeg(request.prompt) }
  },
}
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
