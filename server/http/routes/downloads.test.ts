import { load } from 'exifreader'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../../shared/images.ts'
import { signUpAdministrator } from '../../../test/support/administrator.ts'
import { createHeldEngine, createInstantEngine } from '../../../test/support/engine.ts'
import { dataUrl } from '../../../test/support/images.ts'
import {
  shareTestServer,
  startTestServer,
  startUnwatched,
  type TestUser,
} from '../../../test/support/test-server.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'

const imagePrompt = 'कमल, 🪷 a "lotus" <in> ink & gold'
const postPrompt = 'Morning'
const negativePrompt = 'text, frame: gold'

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
let meera: TestUser
let image: SucceededImage
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  meera = await signUpAdministrator(server())
  image = await asha.generate(imagePrompt)
  const recipe = {
    engineLabel: engine.label,
    negativePrompt,
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

type Download = [kind: 'images' | 'posts', id: string, who?: TestUser, init?: RequestInit]

function download(...[kind, id, who, init]: Download) {
  const headers = { ...server().headersOf(who), ...(init?.headers as Record<string, string> | undefined) }
  return server().request(`/api/${kind}/${id}/download`, { ...init, headers })
}

async function bytesOf(...args: Download): Promise<Buffer> {
  const response = await download(...args)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  return bytes
}

const statusOf = async (...args: Download) => (await download(...args)).status

/** Reads the comment of EXIF as AUTOMATIC1111 does: an encoding, and UTF-16. */
function commentOf(bytes: Buffer): string {
  const { UserComment: tag } = load(bytes, { expanded: true }).exif ?? {}
  const comment = Buffer.from((tag as { value: number[] }).value)
  expect(comment.subarray(0, 8).toString('latin1')).toBe('UNICODE\0')
  return Buffer.from(comment.subarray(8)).swap16().toString('utf16le')
}

/** Parameters after the prompt, as AUTOMATIC1111 writes them. */
const settings = `
Negative prompt: ${negativePrompt}
Steps: 25, Sampler: DPM++ 2M, Schedule type: Karras, CFG scale: 6.5, Seed: 4294967295, Size: 64x48, Model: sd_xl_base, Denoising strength: 0.75, Engine: "Forge: fast, local", Version: Rangoli`

describe("the download of a user's image", () => {
  test('has the recipe, as a comment that AUTOMATIC1111 understands and as XMP', async () => {
    const { headers } = await download('images', image.id, asha)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="download-${image.id}.jpg"`,
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const bytes = await bytesOf('images', image.id, asha)
    expect(commentOf(bytes)).toBe(imagePrompt + settings)
    const { xmp = {} } = load(bytes, { expanded: true })
    const values = Object.entries(xmp).map(([name, tag]) => [name, (tag as { value: unknown }).value])
    expect(Object.fromEntries(values)).toMatchObject({
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
      NegativePrompt: negativePrompt,
    })
    expect(Object.keys(xmp)).not.toContain('RemixOf')
    const original = await server().request(image.photo, { headers: server().headersOf(asha) })
    expect(Buffer.from(await original.arrayBuffer()).includes('lotus')).toBe(false)
  })

  test('is for an API key of its owner that may read', async () => {
    const create = asha.trpc.account.apiKeys.create.mutate
    const [{ key }, other] = [await create({ name: 'A' }), await create({ name: 'B', scopes: ['share'] })]
    const withKey = (sent: string) => ({ headers: { authorization: `Bearer ${sent}` } })
    expect(commentOf(await bytesOf('images', image.id, undefined, withKey(key)))).toContain(imagePrompt)
    expect(await statusOf('images', image.id, undefined, withKey(other.key))).toBe(403)
    expect(await statusOf('images', image.id, ravi)).toBe(404)
  })

  test('is not found for unknown ids, before the image is finished, or if the file is lost', async () => {
    for (const id of ['unknown', '%00', '%ff', '..%2f..', 'x'.repeat(65)])
      expect([id, await statusOf('images', id, asha)]).toEqual([id, 404])
    const lost = await asha.generate('Lost')
    await server().services.blobs.remove(lost.photo.split('/')[2] ?? '')
    expect(await statusOf('images', lost.id, asha)).toBe(404)
    const own = await startTestServer({ engine: createHeldEngine().engine })
    const kamala = await own.signUp()
    await startUnwatched(kamala, 'A heron')
    const [queued] = (await kamala.trpc.images.list.query()).images
    const headers = own.headersOf(kamala)
    expect((await own.request(`/api/images/${queued?.id}/download`, { headers })).status).toBe(404)
  })
})

describe('the download of a post', () => {
  test('has the prompt of the post instead of that of the image', async () => {
    const post = await share(image)
    const get = await download('posts', post.id)
    expect(Object.fromEntries(get.headers)).toMatchObject({
      'content-disposition': `attachment; filename="download-${post.id}.jpg"`,
      'cache-control': 'public, max-age=0, s-maxage=10',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const bytes = Buffer.from(await get.arrayBuffer())
    expect(commentOf(bytes)).toBe(postPrompt + settings)
    expect(bytes.includes('lotus')).toBe(false)
    const head = await download('posts', post.id, undefined, { method: 'HEAD' })
    for (const name of ['content-type', 'content-length', 'content-disposition', 'cache-control', 'etag'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('is revalidated by its entity tag', async () => {
    const etag = (await download('posts', (await share(image)).id)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    const init = { headers: { 'if-none-match': etag } }
    const same = await download('posts', (await share(image)).id, undefined, init)
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
    const other = await share(image, 'Evening')
    expect(await statusOf('posts', other.id, undefined, init)).toBe(200)
  })
})

test('uploading a download is the image itself, and none while that is hidden', async () => {
  const generated = await asha.generate('A swan')
  const bytes = await bytesOf('images', generated.id, asha)
  const upload = (prompt: string) =>
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt, photo: dataUrl(bytes) })
  const post = await upload('A swan')
  expect(post).toMatchObject({ photo: generated.photo, source: 'generated' })
  await meera.trpc.moderation.hide.mutate({ id: post.id })
  await expect(upload('A goose')).rejects.toThrow('A moderator has hidden this image. It cannot be shared.')
  await asha.trpc.images.delete.mutate({ id: generated.id })
  const again = asha.trpc.images.upload.mutate(new Blob([new Uint8Array(bytes)]))
  await expect(again).rejects.toThrow('A moderator has hidden this image.')
})
