import { toFile } from 'openai'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCapabilities, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { createScriptedEngine, imageRows } from '../../test/support/generations.ts'
import { cutShort, dataUrl, noisyImage, pixelBomb } from '../../test/support/images.ts'
import { signUpProgram } from '../../test/support/openai-api/client.ts'
import { unlimitedWrites } from '../../test/support/limits.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import type { EngineRequest } from '../engines/image-engine.ts'

/** Requests to the engine of the shared server, by prompt. */
const requests = new Map<string, EngineRequest>()

/** Creates an engine that takes two images and a mask, and notes its requests. */
function createEditor() {
  const engine = createInstantEngine({ id: 'editor', label: 'Editor', capabilities: allCapabilities })
  return {
    ...engine,
    generate(request: EngineRequest, signal: AbortSignal) {
      requests.set(request.prompt, request)
      return engine.generate(request, signal)
    },
  }
}

const megabyte = 1024 * 1024

const limits = { DAILY_IMAGE_LIMIT: '1000', DAILY_UPLOAD_LIMIT: '1000' }
const server = shareTestServer({
  engines: [
    createEditor(),
    createInstantEngine({ id: 'plain', label: 'Plain' }),
    createInstantEngine({
      id: 'unmasked',
      label: 'Unmasked',
      capabilities: { ...allCapabilities, mask: false },
    }),
  ],
  writeLimits: unlimitedWrites(),
  env: limits,
})
type Program = Awaited<ReturnType<typeof signUpProgram>>
let program: Program
beforeAll(async () => {
  program = await signUpProgram(server())
})

const png = (bytes: Uint8Array, name = 'image.png') => toFile(bytes, name, { type: 'image/png' })

/** Creates a mask of the size of `plainJpeg`, whose left half is transparent. */
function leftHalf(size = { width: 64, height: 48 }): Promise<Buffer> {
  const color = (alpha: number) => ({ r: 90, g: 30, b: 30, alpha })
  const right = {
    create: { width: size.width / 2, height: size.height, channels: 4, background: color(1) },
  } as const
  return sharp({ create: { ...size, channels: 4, background: color(0) } })
    .composite([{ input: right, left: size.width / 2, top: 0 }])
    .png()
    .toBuffer()
}

/** Sends a form as programs without the SDK do. */
function edit(
  body: FormData | Uint8Array<ArrayBuffer> | string,
  headers: Record<string, string> = {},
  to = program,
) {
  return server().request('/v1/images/edits', {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, ...headers },
    body,
  })
}

type Fields = Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>

function formOf(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const part of [value].flat()) form.append(name, part)
  }
  return form
}

const file = (bytes: Uint8Array | string, type = 'image/png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'file', { type })

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
  return { status: response.status, ...error }
}

/** Rows of the uploads of a user. */
async function uploadsOf({ user }: Pick<Program, 'user'>, of = server()) {
  const rows = await imageRows(of)
  return rows.filter(({ owner_id, source }) => owner_id === user.id && source === 'uploaded')
}

async function colorOf(bytes: Uint8Array | undefined): Promise<number[]> {
  const { dominant } = await sharp(bytes).stats()
  return [dominant.r, dominant.g, dominant.b]
}

describe('POST /v1/images/edits', () => {
  test('generates an image from the one that is sent, and adds it to those of the user', async () => {
    const image = await plainJpeg('a photo')
    const { data } = await program.client.images.edit({
      image: await png(image),
      prompt: 'A lotus',
      model: 'editor',
      size: '1216x832',
      input_fidelity: 'high',
    })
    const bytes = Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
    expect(await colorOf(bytes)).toEqual(await colorOf(await plainJpeg('A lotus')))
    const request = requests.get('A lotus')
    expect(request).toMatchObject({ size: { width: 1_216, height: 832 }, mask: null })
    expect(request?.references).toHaveLength(1)
    expect(await colorOf(request?.references[0])).toEqual(await colorOf(image))
    const { images } = await program.user.trpc.images.list.query()
    expect(images[0]).toMatchObject({ prompt: 'A lotus', state: 'succeeded', engine: 'editor' })
  })

  test('uses the first engine that edits images, and with a mask one that takes masks', async () => {
    const image = await png(await plainJpeg('a photo'))
    const full = createInstantEngine({ id: 'full', capabilities: allCapabilities })
    const unmasked = createInstantEngine({
      id: 'unmasked',
      capabilities: { ...allCapabilities, mask: false },
    })
    const site = await startTestServer({ engines: [createInstantEngine({ id: 'plain' }), unmasked, full] })
    const { user, client } = await signUpProgram(site)
    await client.images.edit({ image, prompt: 'By a program', model: 'gpt-image-1' })
    await client.images.edit({ image, mask: await png(await leftHalf()), prompt: 'With a mask' })
    const { images } = await user.trpc.images.list.query()
    // The reference is listed as an upload, the mask is not.
    expect(images.map(({ engine }) => engine)).toEqual(['full', 'unmasked', ''])
  })

  test.each(['image[]', 'image'])('takes several images as %s in their order', async (field) => {
    const images = await Promise.all([plainJpeg('first'), plainJpeg('second')])
    const prompt = `Two as ${field}`
    const response = await edit(formOf({ prompt, [field]: images.map((bytes) => file(bytes)) }))
    expect(response.status).toBe(200)
    const references = requests.get(prompt)?.references ?? []
    expect(await Promise.all(references.map(colorOf))).toEqual(await Promise.all(images.map(colorOf)))
  })

  test('redraws what is transparent in the mask', async () => {
    await program.client.images.edit({
      image: await png(await plainJpeg('a photo')),
      mask: await png(await leftHalf()),
      prompt: 'Half a lotus',
    })
    const { data, info } = await sharp(requests.get('Half a lotus')?.mask ?? undefined)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([64, 48])
    expect(data[24 * 64 + 8]).toBeGreaterThan(250)
    expect(data[24 * 64 + 56]).toBeLessThan(5)
  })

  test('takes JSON with data URLs', async () => {
    const image = await plainJpeg('a photo')
    const body = {
      prompt: 'A lotus as JSON',
      images: [{ image_url: dataUrl(image) }],
      mask: { image_url: dataUrl(await leftHalf(), 'image/png') },
      n: 1,
      moderation: 'low',
    }
    const response = await server().postJson('/v1/images/edits', body, { bearer: program.key })
    expect(response.status).toBe(200)
    const request = requests.get('A lotus as JSON')
    expect(await colorOf(request?.references[0])).toEqual(await colorOf(image))
    expect(request?.mask).not.toBeNull()
  })

  test('needs the scope to generate, and no other', async () => {
    const form = async () => formOf({ prompt: 'A lotus', image: file(await plainJpeg('a photo')) })
    const others = await signUpProgram(server(), ['read', 'share'])
    expect(await errorOf(await edit(await form(), {}, others))).toMatchObject({ status: 403 })
    expect(await uploadsOf(others)).toEqual([])
    const own = await signUpProgram(server(), ['generate'])
    expect((await edit(await form(), {}, own)).status).toBe(200)
    expect(await uploadsOf(own)).toHaveLength(1)
  })

  test('stores nothing twice if it is repeated with the same key', async () => {
    const own = await signUpProgram(server())
    const images = [await png(await plainJpeg('one')), await png(await plainJpeg('two'))]
    const mask = await png(await leftHalf())
    const headers = { 'Idempotency-Key': 'a-key-of-the-program' }
    const send = () => own.client.images.edit({ image: images, mask, prompt: 'Once' }, { headers })
    const [first, second] = [await send(), await send()]
    expect(second.data).toEqual(first.data)
    expect(await uploadsOf(own)).toHaveLength(3)
    expect((await own.user.trpc.images.quota.query()).used).toBe(1)
  })

  test('returns the image of a request with the same key after an image that it edited was deleted', async () => {
    const own = await signUpProgram(server())
    const send = async (text: string) =>
      own.client.images.edit(
        { image: await png(await plainJpeg(text)), prompt: 'Once' },
        { headers: { 'Idempotency-Key': 'a-key-of-the-program' } },
      )
    const first = await send('one')
    const [upload] = await uploadsOf(own)
    await own.user.trpc.images.delete.mutate({ id: upload?.id ?? '' })
    await own.user.trpc.images.emptyTrash.mutate()
    expect((await send('one')).data).toEqual(first.data)
    expect(await uploadsOf(own)).toEqual([])
    await expect(send('two')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('other settings'),
    })
    expect(await uploadsOf(own)).toEqual([])
  })
})

describe('rejects without storing anything', () => {
  let sender: Program
  beforeAll(async () => {
    sender = await signUpProgram(server())
  })

  const photo = async () => file(await plainJpeg('a photo'))

  const missing = 'missing_required_parameter'
  const noImage = 'invalid_image_file'
  const noMask = 'invalid_mask_image_format'
  const small = { width: 32, height: 32 }

  const svg = file('<svg xmlns="http://www.w3.org/2000/svg"/>')
  type Row = [
    string,
    (image: File) => Fields | Promise<Fields>,
    param: string,
    expected: string | RegExp,
    status?: number,
  ]

  /** An error with a parameter, and a code or words of its message. */
  test.each<Row>([
    ['no image', () => ({ prompt: 'A' }), 'image', missing],
    ['a text as image', () => ({ prompt: 'A', image: 'text' }), 'image', 'invalid_value'],
    ['no prompt', (image) => ({ image }), 'prompt', missing],
    ['a prompt twice', (image) => ({ prompt: ['A', 'B'], image }), 'prompt', 'invalid_value'],
    ['five images', () => ({ prompt: 'A', image: Array(5).fill(svg) }), 'image', 'invalid_value'],
    [
      'three',
      (image) => ({ prompt: 'A', image: [image, image, image] }),
      'image',
      /Editor supports at most 2/,
    ],
    [
      'no editor',
      (image) => ({ prompt: 'A', model: 'plain', image }),
      'image',
      /Plain does not support reference images/,
    ],
    [
      'a mask for an engine that takes none',
      async (image) => ({ prompt: 'A', model: 'unmasked', image, mask: file(await leftHalf()) }),
      'mask',
      /Unmasked does not support masks/,
    ],
    ['an unknown model', (image) => ({ prompt: 'A', model: 'flux', image }), 'model', 'model_not_found', 404],
    ['a mask without transparency', (image) => ({ prompt: 'A', image, mask: image }), 'mask', noMask],
    [
      'a mask of another size',
      async (image) => ({ prompt: 'A', image, mask: file(await leftHalf(small)) }),
      'mask',
      /^Invalid mask image format: .*32x32/,
    ],
    ['an SVG', () => ({ prompt: 'A', image: svg }), 'image', noImage],
    [
      'an image with too many pixels as the second one',
      (image) => ({ prompt: 'A', 'image[]': [image, file(pixelBomb())] }),
      'image[1]',
      noImage,
      413,
    ],
    [
      'a second image that is cut short',
      async (image) => ({ prompt: 'A', 'image[]': [image, file(await cutShort(noisyImage().png()))] }),
      'image[1]',
      noImage,
    ],
  ])('%s', async (_, fieldsWith, param, expected, status = 400) => {
    const response = await edit(formOf(await fieldsWith(await photo())), {}, sender)
    const error = await errorOf(response)
    expect(error).toMatchObject({ status, param })
    if (typeof expected === 'string') expect(error).toMatchObject({ code: expected })
    else expect(error).toMatchObject({ message: expect.stringMatching(expected) })
    expect(await uploadsOf(sender)).toEqual([])
  })

  test.each<[string, unknown, Record<string, unknown>]>([
    ['no images', { prompt: 'A' }, { param: 'images', code: 'missing_required_parameter' }],
    [
      'an image without address',
      { prompt: 'A', images: [{}] },
      { param: 'images[0].image_url', code: 'missing_required_parameter' },
    ],
    [
      'an image at another address',
      { prompt: 'A', images: [{ image_url: 'http://127.0.0.1/secret.png' }] },
      { param: 'images[0].image_url', code: 'invalid_value' },
    ],
    [
      'bytes that are no image',
      { prompt: 'A', images: [{ image_url: 'data:image/png;base64,AAAA' }] },
      { param: 'images[0].image_url', code: 'invalid_image_file' },
    ],
    ['many numbers', { images: Array(5).fill(0) }, { message: expect.stringContaining('at most 4') }],
  ])('JSON with %s', async (_, body, expected) => {
    const response = await server().postJson('/v1/images/edits', body, { bearer: program.key })
    expect(await errorOf(response)).toMatchObject({ status: 400, type: 'invalid_request_error', ...expected })
  })

  test.each([
    ['another content type', 'text/plain', 'x'],
    ['a form with an empty boundary', 'multipart/form-data; boundary=""', '--\r\n'],
    [
      'a form that ends early',
      'multipart/form-data; boundary=xyz',
      '--xyz\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nA',
    ],
    [
      'a form whose header hides its boundary',
      'multipart/form-data; x="; boundary=abc"; boundary=xyz',
      `--abc\r\n\r\n\r\n${'--xyz\r\ncontent-disposition: form-data; name="a"\r\n\r\nA\r\n'.repeat(4_000)}--xyz--\r\n`,
    ],
  ])('%s at once', async (_, type, body) => {
    const response = await edit(body, { 'content-type': type })
    expect(await errorOf(response)).toMatchObject({ status: 400, type: 'invalid_request_error', param: null })
  })

  test('a large body without a valid key', async () => {
    const body = formOf({ prompt: 'A', image: file(new Uint8Array(2 * 1024 * 1024)) })
    const response = await edit(body, { authorization: 'Bearer nothing' })
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  test('more images than the user may generate, but keeps what was uploaded before', async () => {
    const own = await startTestServer({
      engines: [createEditor()],
      env: { ...limits, DAILY_IMAGE_LIMIT: '1' },
    })
    const { user, client } = await signUpProgram(own)
    const before = await plainJpeg('before')
    const { id } = await user.trpc.images.upload.mutate(new Blob([new Uint8Array(before)]))
    const image = [await png(before), await png(await plainJpeg('new'))]
    const mask = await png(await leftHalf())
    const usedUp = { status: 429, code: 'insufficient_quota' }
    await expect(client.images.edit({ image, mask, prompt: 'Two', n: 2 })).rejects.toMatchObject(usedUp)
    expect((await uploadsOf({ user }, own)).map((row) => row.id)).toEqual([id])
  })

  test('an image beyond the upload limit', async () => {
    const site = await startTestServer({ engines: [createEditor()], env: { DAILY_UPLOAD_LIMIT: '1' } })
    const own = await signUpProgram(site)
    const image = [await png(await plainJpeg('one')), await png(await plainJpeg('two'))]
    const usedUp = { status: 429, code: 'insufficient_quota' }
    await expect(own.client.images.edit({ image, prompt: 'Two' })).rejects.toMatchObject(usedUp)
    expect(await uploadsOf(own, site)).toEqual([])
  })
})

test('keeps an upload that another edit names', async () => {
  const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
  const site = await startTestServer({ engine, env: { ...limits, DAILY_IMAGE_LIMIT: '1' } })
  const own = await signUpProgram(site)
  const image = await png(await plainJpeg('a photo'))
  const large = await png(await noisyImage().png().toBuffer())
  const first = own.client.images.edit({ image: [image, large], prompt: 'First' })
  await expect(own.client.images.edit({ image, prompt: 'Two', n: 2 })).rejects.toMatchObject({ status: 429 })
  await (await waitForJob('First')).finish()
  expect(await uploadsOf(own, site)).toHaveLength(2)
  expect((await first).data).toHaveLength(1)
})

test('a request that waits for its generation holds its body no longer', async () => {
  const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
  const site = await startTestServer({ engine, env: limits })
  const { key } = await signUpProgram(site)
  const form = formOf({
    prompt: 'A lotus',
    stream: 'true',
    image: file(await plainJpeg('a photo')),
    user: 'x'.repeat(2 * megabyte),
  })
  const waiting = await site.request('/v1/images/edits', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  expect(site.services.bodyBudget.reservedBytes).toBe(0)
  await (await waitForJob('A lotus')).finish()
  expect(await waiting.text()).toContain('event: image_edit.completed')
})
