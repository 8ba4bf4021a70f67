import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCapabilities, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { imageRows } from '../../test/support/generations.ts'
import { shareTestServer, type TestUser } from '../../test/support/test-server.ts'

/*
 * Requests as other programs send them, byte for byte where their libraries decide, and their ways of reading the response.
 */

const capabilities = { ...allCapabilities, sizes: ['1024x1024', '512x512'] as const }
const server = shareTestServer({
  // Some programs have fixed names of models, after which an engine can be named.
  engines: ['forge', 'gpt-image-1'].map((id) => createInstantEngine({ id, label: id, capabilities })),
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

const pngType = 'image/png'

/** Header lines of a part of a form, as a library writes them, and its content. */
type Part = readonly [head: readonly string[], content: string | Uint8Array]

const field = (name: string, content: string): Part => [
  [`Content-Disposition: form-data; name="${name}"`],
  content,
]
const file = (name: string, filename: string, content: Uint8Array): Part => [
  [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${pngType}`],
  content,
]
/** aiohttp names the type first, also that of a text. */
const typeFirst = ([
  [disposition = '', type = 'Content-Type: text/plain; charset=utf-8'],
  content,
]: Part): Part => [[type, disposition], content]

/** Sends a form with an edit, and returns its images. */
async function edit(
  headers: Record<string, string>,
  boundary: string,
  parts: readonly Part[],
  isChunked = false,
): Promise<readonly ApiImage[]> {
  const body = Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from([`--${boundary}`, ...head, '', ''].join('\r\n')),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const response = await server().request('/v1/images/edits', {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: isChunked ? new Blob([body]).stream() : body,
    duplex: 'half',
  } as RequestInit)
  return dataOf(response)
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
  const headers = {
    accept: '*/*',
    'accept-encoding': 'gzip, deflate',
    'user-agent': 'Python/3.11 aiohttp/3.14.3',
    'x-openwebui-user-name': 'Asha%20Rao',
    'x-openwebui-user-id': '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  }

  test('generates images with a version of the API in the query, and opens a link with its key', async () => {
    const response = await server().request('/v1/images/generations?api-version=2025-04-01-preview', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        prompt: 'A kite — पतंग',
        model: 'gpt-image-1',
        size: 'auto',
        response_format: 'url',
      }),
    })
    const [image] = await dataOf(response)
    const found = await fetch(image?.url ?? '', { headers: { ...headers, authorization: `Bearer ${key}` } })
    await expectImage(new Uint8Array(await found.arrayBuffer()), found.headers.get('content-type') ?? '')
    expect(await latestPrompt()).toBe('A kite — पतंग')
  })

  test.each([['image'], ['image[]', 'image[]']])('edits images as %s %s', async (...names) => {
    const prompt = `Edited ${names.length} — पतंग`
    const texts = {
      model: 'forge',
      prompt,
      n: '1',
      size: '512x512',
      background: 'auto',
      response_format: 'b64_json',
    }
    const images = await edit(headers, '36474b7732bd4bb888531112bc9fc85a', [
      ...Object.entries(texts).map(([name, text]) => typeFirst(field(name, text))),
      ...names.map((name, index) => typeFirst(file(name, '5199f654.png', index === 0 ? png : jpeg))),
    ])
    await expectImage(Buffer.from(images[0]?.b64_json ?? '', 'base64'), pngType)
    expect(await latestPrompt()).toBe(prompt)
  })
})

/** @see https://github.com/danny-avila/LibreChat/tree/main/api/app/clients/tools/structured */
test('LibreChat edits an image with image_edit_oai, in chunks, and takes it for a PNG', async () => {
  const headers = { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1.21.1' }
  const texts = { model: 'forge', prompt: 'An edited kite', quality: 'auto', size: 'auto' }
  const parts = [
    ...Object.entries(texts).map(([name, text]) => field(name, text)),
    file('image[]', 'ü photo.png', png),
  ]
  const [image] = await edit(headers, '--------------------------c446c8058eea64b5aa6ca60c', parts, true)
  await expectImage(Buffer.from(image?.b64_json ?? '', 'base64'), pngType)
  expect(await latestPrompt()).toBe('An edited kite')
})

/** @see https://github.com/n8n-io/n8n/tree/master/packages/%40n8n/nodes-langchain/nodes/vendors/OpenAi */
test.each([
  ['gpt-image-1', 'image[]', { quality: 'auto', output_format: 'png', input_fidelity: 'low' }],
  ['forge', 'image', {}],
])('n8n edits an image with the model %s', async (model, name, options) => {
  const mask = await sharp(png).ensureAlpha(0).png().toBuffer()
  const prompt = `Edited with ${model}`
  const texts = { prompt, model, n: '1', size: '1024x1024', user: 'user-12345', output_compression: '100' }
  const [image] = await edit({ accept: 'application/json' }, '----------------------------515890814546601', [
    file(name, 'photo.png', png),
    ...Object.entries({ ...texts, ...options }).map((entry) => field(...entry)),
    file('mask', 'photo.png', mask),
  ])
  await expectImage(Buffer.from(image?.b64_json ?? '', 'base64'), pngType)
  const rows = await imageRows(server())
  expect(rows.find((row) => row.prompt === prompt)).toMatchObject({ engine: model, state: 'succeeded' })
})
