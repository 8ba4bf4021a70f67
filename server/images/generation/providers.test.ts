import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { eventually, follow } from '../../../test/support/generations.ts'
import { images, jpegSegment, withSegments } from '../../../test/support/openai/images.ts'
import {
  completedEvent,
  partialEvent,
  respondChat,
  respondChatImage,
  respondError,
  respondEvents,
  respondImage,
} from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import {
  bearer,
  engineOfEnvironment,
  providerKey,
  startWithProvider,
} from '../../../test/support/provider.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { transports } from '../../../test/support/transports.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'

const prompt = 'a heron named Quentin'

async function stored({ services }: TestServer, address: string): Promise<Buffer> {
  const [, , folder = '', file = ''] = address.split('/')
  return Buffer.from((await services.blobs.read(folder, file)) ?? [])
}

describe('an image of a provider', () => {
  /** Expects XMP that names the model, but not the prompt. */
  async function expectProvenance(bytes: Uint8Array): Promise<void> {
    const { xmpAsString } = await sharp(bytes).metadata()
    expect(xmpAsString).toContain('digitalsourcetype/trainedAlgorithmicMedia')
    expect(xmpAsString).toContain('rangoli:Model="gpt-image-9"')
    expect(xmpAsString).not.toContain('Quentin')
  }

  test('is kept byte for byte with its content credentials; its thumbnails name the model', async () => {
    const responder = respondEvents([partialEvent(images.preview), completedEvent(images.signed)])
    const env = { OPENAI_IMAGE_MODEL: 'gpt-image-9' }
    const { server, client, double } = await startWithProvider(responder, env)
    const image = await follow(client, { prompt }).ended
    expect(image).toMatchObject({ engine: 'openai', model: 'gpt-image-9', prompt, width: 32, height: 24 })
    expect(await stored(server, image.photo)).toEqual(images.signed)
    const rest = await server.postJson('/api/v1/imgGenerate', { prompt }, { bearer })
    expect(await rest.json()).toEqual({ success: true, photo: images.signed.toString('base64') })
    for (const size of thumbnailSizes)
      await expectProvenance(await stored(server, thumbnailUrl(image.photo, size)))
    expect(double.requests.map(({ body }) => body)).toMatchObject([{ prompt, model: 'gpt-image-9' }, {}])
  })

  test('loses a prompt in its metadata, and is recognized when it is shared', async () => {
    const exif = { IFD0: { ImageDescription: prompt } }
    const files = [
      await sharp(images.jpeg)
        .withExif({ IFD0: exif.IFD0, IFD2: { UserComment: prompt } })
        .toBuffer(),
      await sharp(images.jpeg)
        .withExif({ IFD0: { ...exif.IFD0, Orientation: '6' } })
        .toBuffer(),
      await sharp(images.png).withExif(exif).toBuffer(),
      withSegments(images.jpeg, jpegSegment(0xfe, prompt)),
      Buffer.concat([images.jpeg, Buffer.from(prompt)]),
    ]
    const env = { OPENAI_IMAGE_MODEL: 'gpt-image-9', DAILY_UPLOAD_LIMIT: '0' }
    const { server, client } = await startWithProvider(files.map(respondImage), env)
    for (const file of files) {
      expect(file.includes('Quentin')).toBe(true)
      const generated = await server.postJson('/api/v1/imgGenerate', { prompt }, { bearer })
      const { photo } = (await generated.json()) as { photo: string }
      const body = { name: 'Asha', prompt: 'A heron', photo: `data:image/jpeg;base64,${photo}` }
      expect((await server.postJson('/api/v1/post', body, { bearer })).status).toBe(201)
      const [post] = (await client.posts.list.query()).posts
      const original = await stored(server, post?.photo ?? '')
      expect(original.toString('base64')).toBe(photo)
      expect(original.includes('Quentin')).toBe(false)
      await expectProvenance(original)
      expect((await sharp(original).metadata()).exif).toBeUndefined()
    }
  })
})

const echo = { message: `Incorrect API key provided: ${providerKey} for ${prompt}` }
const busy = { status: 503, error: 'The image service is busy. Try again in a moment.', retryAfter: 3_600 }
const blocked = {
  status: 400,
  error: 'The image service does not allow this prompt. Change it and try again.',
}

describe('a failure of a provider', () => {
  test.each<[name: string, Responder, expected: object, failure: string]>([
    [
      'an image blocked after a preview',
      respondEvents([
        partialEvent(images.preview),
        { type: 'error', error: { code: 'moderation_blocked', ...echo } },
      ]),
      blocked,
      'prompt_blocked',
    ],
    [
      'too many requests',
      respondError(429, { code: 'rate_limit_exceeded', ...echo }, { 'retry-after': '3600' }),
      busy,
      'engine_busy',
    ],
  ])('is reported in words of the site, refunded, and discloses no secrets: %s', async (...row) => {
    const [, responder, expected, failure] = row
    const { server, client, double, lines } = await startWithProvider(responder)
    for (const transport of transports)
      expect(await transport.generate(server, { prompt }, { bearer })).toMatchObject(expected)
    expect(double.requests).toHaveLength(transports.length)
    expect(await client.images.quota.query()).toMatchObject({ used: 0 })
    const own = (await client.images.list.query()).images
    expect(own).toMatchObject([1, 2].map(() => ({ state: 'failed', failure, photo: null })))
    const log = lines.join('')
    expect(log).toContain(`"failure":"${failure}"`)
    for (const word of [providerKey, 'Quentin']) expect(log).not.toContain(word)

    const input = encodeURIComponent(JSON.stringify({ ids: [own[0]?.id] }))
    const headers = server.headersOf({ bearer })
    const wire = await (await server.request(`/trpc/images.watch?input=${input}`, { headers })).text()
    expect(wire).toContain(`"failure":"${failure}"`)
    expect(wire).not.toContain(providerKey)
  })

  test('is reported with its retry delay to the caller and to all subscribers', async () => {
    let respondNow = () => {}
    const joined = new Promise<void>((resolve) => (respondNow = resolve))
    const { server, client, double } = await startWithProvider(async (exchange) => {
      await joined
      await respondError(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '90' })(exchange)
    })
    const results = transports.map((transport) => transport.generate(server, { prompt }, { bearer }, 'a-key'))
    await eventually(() => double.requests.length).toBe(1)
    const [image] = (await client.images.list.query()).images
    const watching = follow(client, { id: image?.id ?? '' })
    await watching.seen('running')
    await eventually(() => server.services.generations.watchers).toBe(3)
    respondNow()
    for (const result of results) expect(await result).toEqual({ ...busy, retryAfter: 90 })
    await expect(watching.ended).rejects.toMatchObject({ data: { reason: 'engine_busy', retryAfter: 90 } })
  })
})

describe('the engines of ENGINES_FILE', () => {
  /** Starts a server with an engine for the Images API, and one for chat completions of the same provider. */
  async function start(chat: Responder) {
    const provider = await startFakeProvider((exchange) =>
      exchange.request.path === '/v1/chat/completions'
        ? chat(exchange)
        : respondImage(images.signed)(exchange),
    )
    onTestFinished(provider.stop)
    const common = { url: provider.url, apiKey: { env: 'PROVIDER_KEY' } }
    const engines = [
      { ...common, id: 'images', kind: 'openai', label: 'Images', model: 'gpt-image-2' },
      { ...common, id: 'gateway', kind: 'chat', label: 'Gateway', model: 'gemini-image' },
    ]
    const file = path.join(await tempFolder(), 'engines.json')
    await writeFile(file, JSON.stringify(engines))
    const server = await startTestServer({
      ...engineOfEnvironment,
      env: { ENGINES_FILE: file, PROVIDER_KEY: providerKey, API_TOKEN: bearer },
    })
    return { provider, server, lines: server.lines, client: server.client(server.headersOf({ bearer })) }
  }

  test('are listed without addresses and keys, and generate with reference images', async () => {
    const { server, provider, client } = await start(
      respondChatImage(images.png, { model: 'gemini-image-9' }),
    )
    const text = await (await server.request('/trpc/engines.list')).text()
    for (const secret of [providerKey, new URL(provider.url).host]) expect(text).not.toContain(secret)
    expect((await client.engines.list.query()).engines).toMatchObject([
      { id: 'images', kind: 'openai', label: 'Images', models: ['gpt-image-2'], isAvailable: true },
      { id: 'gateway', kind: 'chat', label: 'Gateway', models: ['gemini-image'], isAvailable: true },
    ])
    const { id } = await follow(client, { prompt }).ended
    const options = { engine: 'gateway', size: '1344x768', referenceImageIds: [id] }
    await follow(client, { prompt, ...options }).ended
    const [, chat] = provider.requests
    expect(chat).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'gemini-image', image_config: { aspect_ratio: '16:9' } },
    })
    expect(JSON.stringify(chat?.body)).toContain(images.signed.toString('base64'))
    const [image] = (await client.images.list.query()).images
    expect(image).toMatchObject({
      engine: 'gateway',
      engineKind: 'chat',
      model: 'gemini-image-9',
      width: 32,
      recipe: { size: '1344x768', engineLabel: 'Gateway', referenceImageIds: [id] },
    })
  })

  test('show what a model answers in place of an image, but do not log it', async () => {
    const answer = 'I cannot draw a living person.'
    const { client, lines } = await start(respondChat({ content: answer }))
    const message = `The model generated no image. It answered: “${answer}”.`
    await expect(follow(client, { prompt, engine: 'gateway' }).ended).rejects.toMatchObject({ message })
    expect((await client.images.list.query()).images).toMatchObject([{ failureDetail: message }])
    expect(lines.join('')).not.toContain(answer)
  })
})
