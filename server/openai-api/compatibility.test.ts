import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { allCapabilities, createInstantEngine, plainJpeg } from '../../test/support/engine.ts'
import { imageRows } from '../../test/support/generations.ts'
import { signUpProgram } from '../../test/support/openai-api/client.ts'
import { shareTestServer } from '../../test/support/test-server.ts'

/*
 * Requests as other programs send them, byte for byte where their libraries decide, and their ways of reading the response.
 */

const capabilities = { ...allCapabilities, sizes: ['1024x1024', '512x512'] as const }
const server = shareTestServer({
  // Some programs have fixed names of models, after which an engine can be named.
  engines: ['forge', 'gpt-image-1'].map((id) => createInstantEngine({ id, label: id, capabilities })),
  env: { DAILY_IMAGE_LIMIT: '1000', DAILY_UPLOAD_LIMIT: '1000' },
})
const prompt = 'A kite — पतंग'
let authorization: string
let png: Buffer
beforeAll(async () => {
  authorization = `Bearer ${(await signUpProgram(server())).key}`
  png = await sharp(await plainJpeg('a photo'))
    .png()
    .toBuffer()
})

const dataOf = async (response: Response) =>
  ((await response.json()) as { data?: readonly { url?: string; b64_json?: string }[] }).data?.[0]

/** Headers of aiohttp, and those that name the user of Open WebUI. */
const openWebUi = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'user-agent': 'Python/3.11 aiohttp/3.14.3',
  'x-openwebui-user-name': 'Asha%20Rao',
  'x-openwebui-user-id': '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
}

test('Open WebUI generates images with a version of the API in the query, and opens a link with its key', async () => {
  const response = await server().request('/v1/images/generations?api-version=2025-04-01-preview', {
    method: 'POST',
    headers: { ...openWebUi, authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, model: 'gpt-image-1', n: 1, size: 'auto', response_format: 'url' }),
  })
  const found = await fetch((await dataOf(response))?.url ?? '', { headers: { ...openWebUi, authorization } })
  const { format } = await sharp(await found.arrayBuffer()).metadata()
  expect(found.headers.get('content-type')).toBe(`image/${format}`)
})

/** A text, or with a name of a file the image `PNG` or `mask`. */
type Part = readonly [name: string, content: string, filename?: string]

interface Program {
  readonly headers: Record<string, string>
  readonly boundary: string
  readonly parts: readonly Part[]
  /** aiohttp names the type of a part first, also that of a text. */
  readonly namesTypeFirst?: boolean
  readonly isChunked?: boolean
}

const auto = [
  ['prompt', prompt],
  ['size', 'auto'],
] as const
const n8n = { headers: { accept: 'application/json' }, boundary: '-------------------------515890814546601' }
const aiohttp = { headers: openWebUi, boundary: '36474b7732bd4bb888531112bc9fc85a', namesTypeFirst: true }

test.each<[name: string, model: string, program: Program]>([
  // https://github.com/open-webui/open-webui/blob/main/backend/open_webui/routers/images.py
  ['Open WebUI', 'forge', { ...aiohttp, parts: [...auto, ['n', '1'], ['image', 'PNG', '5199f654.png']] }],
  // https://github.com/danny-avila/LibreChat/tree/main/api/app/clients/tools/structured
  [
    'LibreChat',
    'forge',
    {
      headers: { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1.21.1' },
      boundary: '--------------------------c446c8058eea64b5aa6ca60c',
      parts: [...auto, ['quality', 'auto'], ['image[]', 'PNG', 'ü photo.png']],
      isChunked: true,
    },
  ],
  // https://github.com/n8n-io/n8n/tree/master/packages/%40n8n/nodes-langchain/nodes/vendors/OpenAi
  [
    'n8n',
    'gpt-image-1',
    { ...n8n, parts: [['image[]', 'PNG', 'photo.png'], ...auto, ['input_fidelity', 'low']] },
  ],
  [
    'n8n, with a mask at the end',
    'forge',
    {
      ...n8n,
      parts: [['image', 'PNG', 'a.png'], ...auto, ['output_compression', '100'], ['mask', 'mask', 'a.png']],
    },
  ],
])('%s edits an image with the model %s, and takes it for a PNG', async (_, model, program) => {
  const { boundary, headers, parts, namesTypeFirst, isChunked } = program
  const mask = await sharp(png).ensureAlpha(0).png().toBuffer()
  const body = Buffer.concat([
    ...[...parts, ['model', model] as Part].flatMap(([name, content, filename]) => {
      const disposition = `Content-Disposition: form-data; name="${name}"`
      const ofText = namesTypeFirst ? ['Content-Type: text/plain; charset=utf-8', disposition] : [disposition]
      const ofFile = [`${disposition}; filename="${filename}"`, 'Content-Type: image/png']
      const head = filename === undefined ? ofText : namesTypeFirst ? ofFile.toReversed() : ofFile
      const bytes = content === 'PNG' ? png : content === 'mask' ? mask : Buffer.from(content)
      return [Buffer.from([`--${boundary}`, ...head, '', ''].join('\r\n')), bytes, Buffer.from('\r\n')]
    }),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const response = await server().request('/v1/images/edits', {
    method: 'POST',
    headers: { ...headers, authorization, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: isChunked ? new Blob([body]).stream() : body,
    duplex: 'half',
  } as RequestInit)
  const bytes = Buffer.from((await dataOf(response))?.b64_json ?? '', 'base64')
  expect((await sharp(bytes).metadata()).format).toBe('png')
  expect((await imageRows(server())).at(-1)).toMatchObject({ prompt, engine: model, state: 'succeeded' })
})
