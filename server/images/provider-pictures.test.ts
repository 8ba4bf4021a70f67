import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { ReadyImage } from '../../shared/images.ts'
import { thumbnailSizes, thumbnailUrl } from '../../shared/pictures.ts'
import {
  answerEvents,
  answerPicture,
  answerReset,
  completedEvent,
  partialEvent,
} from '../engines/openai/provider-answers.ts'
import { pictures } from '../engines/openai/test-pictures.ts'
import { follow } from '../http/test-generations.ts'
import { startTestServer, type TestServer } from '../http/test-kit.ts'
import { dataUrl } from '../http/test-pictures.ts'
import { bearer, engineOfEnvironment, startWithProvider } from '../http/test-provider.ts'

const prompt = 'a heron named Quentin, in ink'

/** A JPEG with a segment of the kind that carries C2PA credentials, right behind its beginning. */
function withCredentials(jpeg: Uint8Array): Buffer {
  const box = Buffer.from('JP\0\x01\0\0\0\x01 jumb c2pa: signed by the provider', 'latin1')
  const head = Buffer.from([0xff, 0xeb, 0, box.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, box, jpeg.subarray(2)])
}

async function served(server: TestServer, address: string): Promise<Buffer> {
  return Buffer.from(await (await server.request(address)).arrayBuffer())
}

/** What a file says of its making. */
async function xmpOf(bytes: Uint8Array): Promise<string> {
  return (await sharp(bytes).metadata()).xmp?.toString('utf8') ?? ''
}

async function expectProvenance(bytes: Uint8Array, facts: readonly string[]): Promise<void> {
  const xmp = await xmpOf(bytes)
  for (const fact of facts) expect(xmp).toContain(fact)
  expect(xmp).not.toContain('Quentin')
}

async function expectMarkedThumbnails(
  server: TestServer,
  image: ReadyImage,
  facts: readonly string[],
): Promise<void> {
  for (const size of thumbnailSizes)
    await expectProvenance(await served(server, thumbnailUrl(image.photo, size)), facts)
}

const byModel = [
  'digitalsourcetype/trainedAlgorithmicMedia',
  'rangoli:Engine="openai"',
  'rangoli:Model="gpt-image-9"',
]

test('the provider’s JPEG is kept byte for byte with its credentials, and only the small ones are marked', async () => {
  const jpeg = withCredentials(pictures.jpeg)
  const answer = answerEvents([
    partialEvent(pictures.preview),
    partialEvent(pictures.sharper, 1),
    completedEvent(jpeg),
  ])
  const { server, client, double } = await startWithProvider(answer, { OPENAI_IMAGE_MODEL: 'gpt-image-9' })
  const own = follow(client.images.generate.mutate({ prompt }))
  await own.ended
  const { image } = await own.seen('ready')
  expect(own.types()).toEqual(['accepted', 'started', 'partial', 'partial', 'ready'])
  expect(own.events[2]).toEqual({ type: 'partial', photo: dataUrl(pictures.preview) })
  expect(image).toMatchObject({ engine: 'openai', model: 'gpt-image-9', prompt, width: 32, height: 24 })
  expect((await served(server, image.photo)).equals(jpeg)).toBe(true)
  expect(await client.images.photo.query({ id: image.id })).toEqual({ photo: jpeg.toString('base64') })
  const rest = await server.postJson('/api/v1/imgGenerate', { prompt }, { bearer })
  expect(await rest.json()).toEqual({ success: true, photo: jpeg.toString('base64') })
  await expectMarkedThumbnails(server, image, byModel)
  expect(double.requests).toHaveLength(2)
  expect(double.requests[0]?.body).toMatchObject({ prompt, model: 'gpt-image-9' })
})

test.each(['png', 'webp'] as const)(
  'a %s becomes a JPEG that says which model made it, but not of what',
  async (type) => {
    const { server, client } = await startWithProvider(answerPicture(pictures[type]), {
      OPENAI_IMAGE_MODEL: 'gpt-image-9',
    })
    const own = follow(client.images.generate.mutate({ prompt }))
    await own.ended
    const { image } = await own.seen('ready')
    const original = await served(server, image.photo)
    expect(await sharp(original).metadata()).toMatchObject({ format: 'jpeg', width: 32, height: 24 })
    await expectProvenance(original, byModel)
    await expectMarkedThumbnails(server, image, byModel)
  },
)

test('a rangoli says that an algorithm drew it', async () => {
  const server = await startTestServer({ ...engineOfEnvironment, env: { IMAGE_ENGINE: 'rangoli' } })
  const asha = await server.signUp()
  const image = await asha.generate(prompt)
  const byAlgorithm = [
    'digitalsourcetype/algorithmicMedia',
    'rangoli:Engine="rangoli"',
    `rangoli:Model="${image.model}"`,
  ]
  await expectProvenance(await served(server, image.photo), byAlgorithm)
  await expectMarkedThumbnails(server, image, byAlgorithm)
})

test('the picture that was shared carries the same bytes', async () => {
  const jpeg = withCredentials(pictures.jpeg)
  const { server, client } = await startWithProvider(answerPicture(jpeg))
  const own = follow(client.images.generate.mutate({ prompt }))
  const { image } = await own.seen('ready')
  const post = await client.posts.create.mutate({ name: 'Asha', prompt: 'A heron', imageId: image.id })
  expect((await served(server, post.photo)).equals(jpeg)).toBe(true)
  expect(post).toMatchObject({ source: 'generated', engine: 'openai' })
})

test('one click is one request, whatever the provider does, and many clicks with one key are one, too', async () => {
  const { client, double } = await startWithProvider([answerReset(), answerPicture(pictures.jpeg)])
  const press = (requestKey: string) => follow(client.images.generate.mutate({ prompt, requestKey })).ended
  await expect(press('first')).rejects.toMatchObject({ data: { reason: 'engine_failed' } })
  expect(double.requests).toHaveLength(1)
  await expect(press('first')).rejects.toMatchObject({ data: { reason: 'engine_failed' } })
  expect(double.requests).toHaveLength(1)
  await Promise.all([press('second'), press('second'), press('second')])
  expect(double.requests).toHaveLength(2)
  expect(await client.images.quota.query()).toMatchObject({ used: 1 })
})
