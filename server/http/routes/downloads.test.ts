import { load } from 'exifreader'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../../shared/images.ts'
import { signUpAdministrator } from '../../../test/support/administrator.ts'
import { createHeldEngine, createInstantEngine, plainJpeg } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { images, jpegSegment, withSegments } from '../../../test/support/openai/images.ts'
import { respondImage } from '../../../test/support/openai/provider-responses.ts'
import { startWithProvider } from '../../../test/support/provider.ts'
import {
  shareTestServer,
  startTestServer,
  startUnwatched,
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'

const imagePrompt = 'कमल, 🪷 a "lotus" <in> ink & gold'
const postPrompt = 'Morning'

const engine: ImageEngine = {
  ...createInstantEngine(),
  id: 'forge',
  kind: 'automatic1111',
  label: 'Forge: fast, local',
  model: 'sd_xl_base',
}

const server = shareTestServer({ engine })
let asha: TestUser
let ravi: TestUser
let image: SucceededImage
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  image = await asha.generate(imagePrompt)
  const recipe = {
    engineLabel: engine.label,
    negativePrompt: 'text, frame: gold',
    seed: 4_294_967_295,
    steps: 25,
    sampler: 'DPM++ 2M',
    scheduler: 'Karras',
    cfgScale: 6.5,
    referenceImageIds: ['reference'],
    strength: 0.75,
  }
  await server()
    .services.db.updateTable('images')
    .set({ engine_kind: engine.kind, recipe: JSON.stringify(recipe) })
    .where('owner_id', '=', asha.id)
    .execute()
})

const share = (shared: SucceededImage, prompt = postPrompt) =>
  asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: shared.id })

const imagePath = (id: string) => `/api/images/${id}/download`
const postPath = (id: string) => `/api/posts/${id}/download`

interface Init {
  readonly method?: string
  readonly headers?: Record<string, string>
}

function download(
  path: string,
  who?: TestUser,
  { headers, ...init }: Init = {},
  from: TestServer = server(),
) {
  return from.request(path, { ...init, headers: { ...from.headersOf(who), ...headers } })
}

async function bytesOf(response: Response): Promise<Buffer> {
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  return bytes
}

const originalOf = async (photo: string) =>
  bytesOf(await server().request(photo, { headers: server().headersOf(asha) }))
const pixels = (bytes: Uint8Array) => sharp(bytes, { failOn: 'warning' }).raw().toBuffer()

/** Reads the comment of EXIF as AUTOMATIC1111 does: an encoding, and UTF-16. */
function commentOf(bytes: Buffer): string {
  const { UserComment: tag } = load(bytes, { expanded: true }).exif ?? {}
  const comment = Buffer.from((tag as { value: number[] }).value)
  expect(comment.subarray(0, 8).toString('latin1')).toBe('UNICODE\0')
  return Buffer.from(comment.subarray(8)).swap16().toString('utf16le')
}

/** Parses parameters as AUTOMATIC1111 does: the last line is one of settings if it has at least three. */
function parseInfotext(text: string) {
  const lines = text.split('\n')
  const pattern = /\s*(\w[\w \-/]+):\s*("(?:\\.|[^\\"])+"|[^,]*)(?:,|$)/g
  const settings = [...(lines.pop() ?? '').matchAll(pattern)].map(
    ([, name = '', value = '']) =>
      [name, value.startsWith('"') ? (JSON.parse(value) as string) : value] as const,
  )
  expect(settings.length).toBeGreaterThanOrEqual(3)
  const negative = lines.findIndex((line) => line.startsWith('Negative prompt: '))
  return {
    prompt: lines.slice(0, negative < 0 ? undefined : negative).join('\n'),
    negativePrompt: negative < 0 ? '' : lines.slice(negative).join('\n').replace('Negative prompt: ', ''),
    settings: Object.fromEntries(settings),
  }
}

const settings = {
  Steps: '25',
  Sampler: 'DPM++ 2M',
  'Schedule type': 'Karras',
  'CFG scale': '6.5',
  Seed: '4294967295',
  Size: '64x48',
  Model: 'sd_xl_base',
  'Denoising strength': '0.75',
  Engine: 'Forge: fast, local',
  Version: 'Rangoli',
}

describe("the download of a user's image", () => {
  test('has the pixels of the stored original', async () => {
    const response = await download(imagePath(image.id), asha)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="download-${image.id}.jpg"`,
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const bytes = await bytesOf(response)
    const original = await originalOf(image.photo)
    expect((await pixels(bytes)).equals(await pixels(original))).toBe(true)
    expect(original.includes('lotus')).toBe(false)
  })

  test('has the recipe as a comment that AUTOMATIC1111 understands', async () => {
    const bytes = await bytesOf(await download(imagePath(image.id), asha))
    expect(parseInfotext(commentOf(bytes))).toEqual({
      prompt: imagePrompt,
      negativePrompt: 'text, frame: gold',
      settings,
    })
  })

  test('has the recipe as XMP', async () => {
    const bytes = await bytesOf(await download(imagePath(image.id), asha))
    const { xmp = {} } = load(bytes, { expanded: true })
    const values = Object.fromEntries(
      Object.entries(xmp).map(([name, tag]) => [name, (tag as { value: unknown }).value]),
    )
    expect(values).toMatchObject({
      CreatorTool: 'Rangoli',
      Engine: 'automatic1111',
      EngineLabel: 'Forge: fast, local',
      Model: 'sd_xl_base',
      Prompt: imagePrompt,
      AIPromptInformation: imagePrompt,
      AISystemUsed: 'sd_xl_base',
      Seed: '4294967295',
      Steps: '25',
      Sampler: 'DPM++ 2M',
      Scheduler: 'Karras',
      CfgScale: '6.5',
      Size: '64x48',
      Strength: '0.75',
      NegativePrompt: 'text, frame: gold',
    })
    expect(values).not.toHaveProperty('RemixOf')
  })

  test('is served to an API key of its owner', async () => {
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A program' })
    const response = await server().request(imagePath(image.id), {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(commentOf(await bytesOf(response))).toContain(imagePrompt)
  })

  test('requires sign-in', async () => {
    expect((await download(imagePath(image.id))).status).toBe(401)
  })

  test.each(['GET', 'HEAD'])('is not found for another user, by %s', async (method) => {
    const response = await download(imagePath(image.id), ravi, { method })
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each(['unknown', '%00', '%ff', '..%2f..', 'x'.repeat(65)])(
    'is not found for the id %s',
    async (id) => {
      expect((await download(imagePath(id), asha)).status).toBe(404)
    },
  )

  test('is served while the image is hidden, like the image itself', async () => {
    const hidden = await asha.generate('A lamp')
    const post = await share(hidden)
    const meera = await signUpAdministrator(server())
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    expect((await download(imagePath(hidden.id), asha)).status).toBe(200)
  })

  test('is not found before the image is finished', async () => {
    const { engine: held } = createHeldEngine()
    const own = await startTestServer({ engine: held })
    const meera = await own.signUp()
    await startUnwatched(meera, 'A heron')
    const [queued] = (await meera.trpc.images.list.query()).images
    expect((await download(imagePath(queued?.id ?? ''), meera, {}, own)).status).toBe(404)
  })

  test('is not found if the file is lost', async () => {
    const lost = await asha.generate('Lost')
    await server().services.blobs.remove(lost.photo.split('/')[2] ?? '')
    expect((await download(imagePath(lost.id), asha)).status).toBe(404)
  })
})

describe('the download of a post', () => {
  test('has the prompt of the post instead of that of the image', async () => {
    const post = await share(image)
    const response = await download(postPath(post.id))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': `attachment; filename="download-${post.id}.jpg"`,
      'cache-control': 'public, max-age=0, s-maxage=10',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const bytes = await bytesOf(response)
    expect(parseInfotext(commentOf(bytes))).toEqual({
      prompt: postPrompt,
      negativePrompt: 'text, frame: gold',
      settings,
    })
    expect(bytes.includes('lotus')).toBe(false)
    expect((await pixels(bytes)).equals(await pixels(await originalOf(image.photo)))).toBe(true)
  })

  test('is revalidated by its entity tag', async () => {
    const post = await share(image)
    const etag = (await download(postPath(post.id))).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    const same = await download(postPath(post.id), undefined, { headers: { 'if-none-match': etag } })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
    const other = await share(image, 'Evening')
    const changed = await download(postPath(other.id), undefined, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    await changed.body?.cancel()
  })

  test('responds to HEAD without a body', async () => {
    const post = await share(image)
    const [head, get] = [
      await download(postPath(post.id), undefined, { method: 'HEAD' }),
      await download(postPath(post.id)),
    ]
    expect(head.status).toBe(200)
    for (const name of ['content-type', 'content-length', 'content-disposition', 'cache-control', 'etag']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0)
    await get.body?.cancel()
  })

  test('is not found while an administrator hides the post, also for its author', async () => {
    const post = await share(await asha.generate('A lantern'))
    const meera = await signUpAdministrator(server())
    await meera.trpc.moderation.hide.mutate({ id: post.id })
    for (const who of [undefined, asha]) expect((await download(postPath(post.id), who)).status).toBe(404)
    await meera.trpc.moderation.unhide.mutate({ id: post.id })
    expect((await download(postPath(post.id))).status).toBe(200)
  })

  test.each(['unknown', '%00', 'x'.repeat(65)])('is not found for the id %s', async (id) => {
    expect((await download(postPath(id))).status).toBe(404)
  })

  test('is the stored file for an upload', async () => {
    const post = await asha.trpc.posts.create.mutate({
      name: 'Asha',
      prompt: 'A photograph',
      photo: dataUrl(
        await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a33' } })
          .jpeg()
          .toBuffer(),
      ),
    })
    expect(await bytesOf(await download(postPath(post.id)))).toEqual(await originalOf(post.photo))
  })

  test('is still served after clients have disconnected half-way', async () => {
    const post = await share(image)
    for (let visit = 0; visit < 30; visit += 1) await (await download(postPath(post.id))).body?.cancel()
    expect((await download(postPath(post.id))).status).toBe(200)
  })
})

test('a JPEG with content credentials is downloaded byte for byte', async () => {
  const { server: own, client } = await startWithProvider(respondImage(images.signed))
  const [queued] = (await client.images.generate.mutate({ prompt: 'A heron' })).images
  const headers = own.headersOf({ bearer: 'a-token-of-enough-letters' })
  const read = () => own.request(imagePath(queued?.id ?? ''), { headers })
  await eventually(async () => (await read()).status).toBe(200)
  const response = await read()
  expect((await bytesOf(response)).equals(images.signed)).toBe(true)
})

test('a file of version 0.1 is downloaded without the metadata of its engine', async () => {
  const own = await startTestServer({ engine: createInstantEngine() })
  const meera = await own.signUp()
  const stored = await meera.generate('A heron')
  const earlier = withSegments(await plainJpeg('A heron'), jpegSegment(0xfe, 'hush'))
  await own.services.blobs.add(stored.photo.split('/')[2] ?? '', 'original.jpg', earlier)
  const bytes = await bytesOf(await download(imagePath(stored.id), meera, {}, own))
  expect(bytes.includes('hush')).toBe(false)
  expect((await pixels(bytes)).equals(await pixels(earlier))).toBe(true)
  expect(commentOf(bytes)).toMatch(/^A heron\n/)
})

test('uploading a download is the image itself, and no upload', async () => {
  const generated = await asha.generate('A swan')
  const bytes = await bytesOf(await download(imagePath(generated.id), asha))
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A swan', photo: dataUrl(bytes) })
  expect(post).toMatchObject({ photo: generated.photo, source: 'generated' })
})

test('a download of a hidden image cannot be shared as an upload', async () => {
  const generated = await asha.generate('A goose')
  const post = await share(generated)
  const meera = await signUpAdministrator(server())
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  const photo = dataUrl(await bytesOf(await download(imagePath(generated.id), asha)))
  await expect(asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A goose', photo })).rejects.toThrow(
    'A moderator has hidden this image. It cannot be shared.',
  )
})
