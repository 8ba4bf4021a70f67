import OpenAI from 'openai'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCapabilities, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { imageRows } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

/*
 * Requests as other programs send them, byte for byte where their libraries decide, and their ways of reading the response.
 */

const capabilities = { ...allCapabilities, sizes: ['1024x1024', '512x512', '1024x1792'] as const }
const server = shareTestServer({
  // Some programs have fixed names of models, after which an engine can be named.
  engines: ['forge', 'gpt-image-1', 'dall-e-3'].map((id) =>
    createInstantEngine({ id, label: id, capabilities }),
  ),
  env: { DAILY_IMAGE_LIMIT: '1000', DAILY_UPLOAD_LIMIT: '1000' },
})
let user: TestUser
let key: string
let jpeg: Buffer
let png: Buffer
beforeAll(async () => {
  user = await server().signUp()
  key = (await user.trpc.account.apiKeys.create.mutate({ name: 'A program' })).key
  jpeg = await plainJpeg('a photo')
  png = await sharp(jpeg).png().toBuffer()
})

/** Field of a form, with its headers as they are sent. */
interface Field {
  readonly head: readonly string[]
  readonly value: string | Uint8Array
}

function multipart(boundary: string, fields: readonly Field[]): Buffer<ArrayBuffer> {
  return Buffer.concat([
    ...fields.flatMap(({ head, value }) => [
      Buffer.from([`--${boundary}`, ...head, '', ''].join('\r\n')),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

interface ApiImage {
  readonly url?: string | null
  readonly b64_json?: string
}

async function dataOf(response: Response): Promise<readonly ApiImage[]> {
  const body = (await response.json()) as { data?: readonly ApiImage[] }
  expect(response.status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body.data ?? []
}

/** Checks that bytes are an image of the type that a program takes them for. */
async function expectImage(bytes: Uint8Array, type: string): Promise<void> {
  expect(`image/${(await sharp(bytes).metadata()).format}`).toBe(type)
}

async function latestPrompt(): Promise<string | undefined> {
  return (await user.trpc.images.list.query()).images[0]?.prompt
}

/** @see https://github.com/open-webui/open-webui/blob/main/backend/open_webui/routers/images.py */
describe('Open WebUI', () => {
  /** Headers of aiohttp, and those that name the user of Open WebUI. */
  const headers = () => ({
    authorization: `Bearer ${key}`,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'Python/3.11 aiohttp/3.14.3',
    'x-openwebui-user-name': 'Asha%20Rao',
    'x-openwebui-user-id': '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    'x-openwebui-user-email': 'asha@example.org',
    'x-openwebui-user-role': 'admin',
  })

  /** Reads images as Open WebUI does: a link with its credentials, and base64 as PNG. */
  async function readImages(response: Response): Promise<number> {
    const images = await dataOf(response)
    for (const { url, b64_json: base64 = '' } of images) {
      if (!url) {
        await expectImage(Buffer.from(base64, 'base64'), 'image/png')
        continue
      }
      const file = await fetch(url, { headers: headers() })
      const type = file.headers.get('content-type') ?? ''
      expect([file.status, type]).toEqual([200, expect.stringMatching(/^image\/\w+$/)])
      await expectImage(new Uint8Array(await file.arrayBuffer()), type)
    }
    return images.length
  }

  const generate = (body: unknown, query = '') =>
    server().request(`/v1/images/generations${query}`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('generates images with the requests of its source', async () => {
    const body = {
      model: 'forge',
      prompt: 'A kite — पतंग',
      n: 2,
      size: '512x512',
      response_format: 'b64_json',
    }
    expect(await readImages(await generate(body))).toBe(2)
    expect(await latestPrompt()).toBe(body.prompt)
  })

  test('generates images with a model like those of OpenAI, and an API version', async () => {
    const body = { model: 'gpt-image-1', prompt: 'A kite', n: 1, size: 'auto' }
    expect(await readImages(await generate(body, '?api-version=2025-04-01-preview'))).toBe(1)
  })

  test('generates images with additional parameters, as links', async () => {
    const parameters = { response_format: 'url', quality: 'high', output_format: 'webp' }
    expect(await readImages(await generate({ model: 'forge', prompt: 'A kite', n: 1, ...parameters }))).toBe(
      1,
    )
  })

  test.each([1, 2])('edits %i images', async (count) => {
    const boundary = '36474b7732bd4bb888531112bc9fc85a'
    const text = (name: string, value: string) => ({
      head: ['Content-Type: text/plain; charset=utf-8', `Content-Disposition: form-data; name="${name}"`],
      value,
    })
    const file = (name: string, type: string, value: Uint8Array) => ({
      head: [
        `Content-Type: ${type}`,
        `Content-Disposition: form-data; name="${name}"; filename="5199f654-0c01-4297-8b0c-37eca2466eac.png"`,
      ],
      value,
    })
    const images =
      count === 1
        ? [file('image', 'image/png', png)]
        : [file('image[]', 'image/png', png), file('image[]', 'image/jpeg', jpeg)]
    const response = await server().request('/v1/images/edits', {
      method: 'POST',
      headers: { ...headers(), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: multipart(boundary, [
        text('model', 'forge'),
        text('prompt', `Edited ${count} — पतंग`),
        text('n', '1'),
        text('size', '512x512'),
        text('background', 'auto'),
        text('response_format', 'b64_json'),
        ...images,
      ]),
    })
    expect(await readImages(response)).toBe(1)
    expect(await latestPrompt()).toBe(`Edited ${count} — पतंग`)
  })
})

/** @see https://github.com/danny-avila/LibreChat/tree/main/api/app/clients/tools/structured */
describe('LibreChat', () => {
  const client = () => new OpenAI({ apiKey: key, baseURL: `${server().url}/v1` })

  test('edits an image with image_edit_oai, which takes it for a PNG', async () => {
    const boundary = '--------------------------c446c8058eea64b5aa6ca60c'
    const text = (name: string, value: string) => ({
      head: [`Content-Disposition: form-data; name="${name}"`],
      value,
    })
    const body = multipart(boundary, [
      text('model', 'forge'),
      text('prompt', 'An edited kite'),
      text('quality', 'auto'),
      text('size', 'auto'),
      {
        head: [
          'Content-Disposition: form-data; name="image[]"; filename="ü photo.png"',
          'Content-Type: image/png',
        ],
        value: png,
      },
    ])
    // axios sends the form in chunks, as it does not know the length of its streams.
    const response = await server().request('/v1/images/edits', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/plain, */*',
        'content-type': `multipart/form-data; boundary=${boundary}`,
        authorization: `Bearer ${key}`,
        'user-agent': 'axios/1.21.1',
      },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit)
    const [image] = await dataOf(response)
    await expectImage(Buffer.from(image?.b64_json ?? '', 'base64'), 'image/png')
    expect(await latestPrompt()).toBe('An edited kite')
  })

  test('generates an image with the tool DALL-E, which downloads a link', async () => {
    const { data } = await client().images.generate({
      model: 'dall-e-3',
      quality: 'standard',
      style: 'vivid',
      size: '1024x1792',
      prompt: 'A kite',
      n: 1,
    })
    const url = data?.[0]?.url ?? ''
    expect(new URL(url).pathname).toMatch(/\.png$/)
    const file = await fetch(url)
    expect(file.status).toBe(200)
    await expectImage(new Uint8Array(await file.arrayBuffer()), 'image/png')
  })
})

/** @see https://github.com/n8n-io/n8n/tree/master/packages/%40n8n/nodes-langchain/nodes/vendors/OpenAi */
describe('n8n', () => {
  const headers = () => ({
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'user-agent': 'axios/1.8.3',
  })

  test.each([
    ['gpt-image-1', 'image[]', { quality: 'auto', output_format: 'png', input_fidelity: 'low' }],
    ['forge', 'image', {}],
  ])('edits an image with the model %s', async (model, field, options) => {
    const boundary = '----------------------------515890814546601021194782'
    const text = (name: string, value: string) => ({
      head: [`Content-Disposition: form-data; name="${name}"`],
      value,
    })
    const file = (name: string, value: Uint8Array) => ({
      head: [
        `Content-Disposition: form-data; name="${name}"; filename="photo.png"`,
        'Content-Type: image/png',
      ],
      value,
    })
    const mask = await sharp(png).ensureAlpha(0).png().toBuffer()
    const response = await server().request('/v1/images/edits', {
      method: 'POST',
      headers: { ...headers(), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: multipart(boundary, [
        file(field, png),
        text('prompt', `Edited with ${model}`),
        text('model', model),
        text('n', '1'),
        text('size', '1024x1024'),
        text('user', 'user-12345'),
        text('output_compression', '100'),
        ...Object.entries(options).map(([name, value]) => text(name, value)),
        file('mask', mask),
      ]),
    })
    const [image] = await dataOf(response)
    await expectImage(Buffer.from(image?.b64_json ?? '', 'base64'), 'image/png')
    const rows = await imageRows(server())
    expect(rows.find(({ prompt }) => prompt === `Edited with ${model}`)).toMatchObject({
      engine: model,
      state: 'succeeded',
    })
  })
})
