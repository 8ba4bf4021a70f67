import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { SucceededImage } from '../../../shared/images.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import {
  respondEvents,
  respondImage,
  respondReset,
  completedEvent,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import { jpegSegment, jumbfSegment, images, withSegments } from '../../../test/support/openai/images.ts'
import { follow } from '../../../test/support/generations.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { bearer, engineOfEnvironment, startWithProvider } from '../../../test/support/provider.ts'

const prompt = 'a heron named Quentin, in ink'

async function served({ services }: TestServer, address: string): Promise<Buffer> {
  const [, , folder = '', file = ''] = address.split('/')
  return Buffer.from((await services.blobs.read(folder, file)) ?? [])
}

/** Reads the XMP metadata of a file. */
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
  image: SucceededImage,
  facts: readonly string[],
): Promise<void> {
  for (const size of thumbnailSizes)
    await expectProvenance(await served(server, thumbnailUrl(image.photo, size)), facts)
}

const modelProvenance = [
  'digitalsourcetype/trainedAlgorithmicMedia',
  'rangoli:Engine="openai"',
  'rangoli:Model="gpt-image-9"',
]

test('keeps a JPEG with content credentials byte for byte, and marks only its thumbnails', async () => {
  const jpeg = images.signed
  const responder = respondEvents([
    partialEvent(images.preview),
    partialEvent(images.sharper, 1),
    completedEvent(jpeg),
  ])
  const { server, client, double } = await startWithProvider(responder, { OPENAI_IMAGE_MODEL: 'gpt-image-9' })
  const own = follow(client, { prompt })
  await own.ended
  const { image } = await own.seen('succeeded')
  expect(own.types()).toEqual(expect.arrayContaining(['preview', 'preview', 'succeeded']))
  expect((await own.seen('preview')).dataUrl).toBe(dataUrl(images.preview))
  expect(image).toMatchObject({ engine: 'openai', model: 'gpt-image-9', prompt, width: 32, height: 24 })
  expect((await served(server, image.photo)).equals(jpeg)).toBe(true)
  const rest = await server.postJson('/api/v1/imgGenerate', { prompt }, { bearer })
  expect(await rest.json()).toEqual({ success: true, photo: jpeg.toString('base64') })
  await expectMarkedThumbnails(server, image, modelProvenance)
  expect(double.requests).toHaveLength(2)
  expect(double.requests[0]?.body).toMatchObject({ prompt, model: 'gpt-image-9' })
})

/** Files with the prompt in their metadata, as local model servers write them. */
const recipes: readonly { kind: string; bytes: Buffer }[] = [
  {
    kind: 'EXIF',
    bytes: await sharp(images.jpeg)
      .withExif({ IFD0: { ImageDescription: prompt }, IFD2: { UserComment: prompt } })
      .toBuffer(),
  },
  { kind: 'XMP', bytes: await sharp(images.jpeg).withXmp(`<x:xmpmeta>${prompt}</x:xmpmeta>`).toBuffer() },
  { kind: 'a comment', bytes: withSegments(images.jpeg, jpegSegment(0xfe, prompt)) },
  { kind: 'IPTC', bytes: withSegments(images.jpeg, jpegSegment(0xed, `Photoshop 3.0\0${prompt}`)) },
  { kind: 'a JUMBF box of another type', bytes: withSegments(images.jpeg, jumbfSegment('json', prompt)) },
  { kind: 'data after the image', bytes: Buffer.concat([images.jpeg, Buffer.from(prompt)]) },
  {
    kind: 'EXIF of an image that is not upright',
    bytes: await sharp(images.jpeg)
      .withExif({ IFD0: { ImageDescription: prompt, Orientation: '6' } })
      .toBuffer(),
  },
  {
    kind: 'EXIF of a PNG',
    bytes: await sharp(images.png)
      .withExif({ IFD0: { ImageDescription: prompt } })
      .toBuffer(),
  },
]

test.each(recipes)('removes a prompt in $kind, and recognizes the image when it is shared', async (row) => {
  expect(row.bytes.includes('Quentin')).toBe(true)
  const { server, client } = await startWithProvider(respondImage(row.bytes), {
    OPENAI_IMAGE_MODEL: 'gpt-image-9',
    DAILY_UPLOAD_LIMIT: '0',
  })
  const generated = await server.postJson('/api/v1/imgGenerate', { prompt }, { bearer })
  const { photo } = (await generated.json()) as { photo: string }
  const body = { name: 'Asha', prompt: 'A heron', photo: `data:image/jpeg;base64,${photo}` }
  const shared = await server.postJson('/api/v1/post', body, { bearer })
  expect(shared.status).toBe(201)
  const [post] = (await client.posts.list.query()).posts
  const original = await served(server, post?.photo ?? '')
  expect(original.toString('base64')).toBe(photo)
  expect(original.includes('Quentin')).toBe(false)
  await expectProvenance(original, modelProvenance)
  expect((await sharp(original).metadata()).exif).toBeUndefined()
})

test.each(['png', 'webp'] as const)(
  'converts a %s to a JPEG whose metadata names the model, but not the prompt',
  async (type) => {
    const { server, client } = await startWithProvider(respondImage(images[type]), {
      OPENAI_IMAGE_MODEL: 'gpt-image-9',
    })
    const own = follow(client, { prompt })
    await own.ended
    const { image } = await own.seen('succeeded')
    const original = await served(server, image.photo)
    expect(await sharp(original).metadata()).toMatchObject({ format: 'jpeg', width: 32, height: 24 })
    await expectProvenance(original, modelProvenance)
    await expectMarkedThumbnails(server, image, modelProvenance)
  },
)

test('marks an image of the embedded engine as drawn by an algorithm', async () => {
  const server = await startTestServer({ ...engineOfEnvironment, env: { IMAGE_ENGINE: 'rangoli' } })
  const asha = await server.signUp()
  const image = await asha.generate(prompt)
  const algorithmProvenance = [
    'digitalsourcetype/algorithmicMedia',
    'rangoli:Engine="rangoli"',
    `rangoli:Model="${image.model}"`,
  ]
  await expectProvenance(await served(server, image.photo), algorithmProvenance)
  await expectMarkedThumbnails(server, image, algorithmProvenance)
})

test('serves the stored bytes of a shared image', async () => {
  const jpeg = images.signed
  const { server, client } = await startWithProvider(respondImage(jpeg))
  const own = follow(client, { prompt })
  const { image } = await own.seen('succeeded')
  const post = await client.posts.create.mutate({ name: 'Asha', prompt: 'A heron', imageId: image.id })
  expect((await served(server, post.photo)).equals(jpeg)).toBe(true)
  expect(post).toMatchObject({ source: 'generated', engine: 'openai' })
})

test('sends one request per generation, also for several with the same request key', async () => {
  const image = respondImage(images.jpeg)
  const { client, double } = await startWithProvider([respondReset(), image, image])
  const generate = (requestKey: string) => follow(client, { prompt, requestKey }).ended
  await expect(generate('first')).rejects.toMatchObject({ data: { reason: 'engine_failed' } })
  expect(double.requests).toHaveLength(1)
  await generate('first')
  expect(double.requests).toHaveLength(2)
  await Promise.all([generate('second'), generate('second'), generate('second')])
  expect(double.requests).toHaveLength(3)
  expect(await client.images.quota.query()).toMatchObject({ used: 2 })
})
