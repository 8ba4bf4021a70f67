import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import {
  respondChat,
  respondChatImage,
  respondImage,
} from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import { bearer, engineOfEnvironment, providerKey } from '../../../test/support/provider.ts'
import { startTestServer } from '../../../test/support/test-server.ts'
import { transports } from '../../../test/support/transports.ts'

/** Starts a server with an engine for the Images API, and one for chat completions of the same provider. */
async function start(chat: Responder = respondChatImage(images.png, { model: 'google/gemini-image-9' })) {
  const provider = await startFakeProvider((exchange) =>
    exchange.request.path === '/v1/chat/completions' ? chat(exchange) : respondImage(images.signed)(exchange),
  )
  onTestFinished(provider.stop)
  const apiKey = { env: 'PROVIDER_KEY' }
  const engines = [
    { id: 'images', kind: 'openai', label: 'Images', url: provider.url, apiKey, model: 'gpt-image-2' },
    {
      id: 'gateway',
      kind: 'chat',
      label: 'Gateway',
      url: provider.url,
      apiKey,
      model: 'google/gemini-image',
    },
  ]
  const file = path.join(await tempFolder(), 'engines.json')
  await writeFile(file, JSON.stringify(engines))
  const lines: string[] = []
  const server = await startTestServer({
    ...engineOfEnvironment,
    env: { ENGINES_FILE: file, PROVIDER_KEY: providerKey, API_TOKEN: bearer },
    logTo: { write: (line) => void lines.push(line) },
  })
  return { provider, server, lines, client: server.client(server.headersOf({ bearer })) }
}

test('lists the engines with their capabilities, without addresses and keys', async () => {
  const { server, provider } = await start()
  const text = await (await server.request('/trpc/engines.list')).text()
  expect(text).not.toContain(providerKey)
  expect(text).not.toContain(new URL(provider.url).host)
  const { engines } = await server.client().engines.list.query()
  expect(engines).toMatchObject([
    { id: 'images', kind: 'openai', label: 'Images', models: ['gpt-image-2'], isAvailable: true },
    { id: 'gateway', kind: 'chat', label: 'Gateway', models: ['google/gemini-image'], isAvailable: true },
  ])
})

test.each(transports)(
  'generates an image of a size with the engine of the request, through $name',
  async (transport) => {
    const { server, provider, client } = await start()
    const body = { prompt: 'A heron', engine: 'gateway', size: '1344x768' }
    expect(await transport.generate(server, body, { bearer })).toMatchObject({ status: 200 })
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'google/gemini-image', image_config: { aspect_ratio: '16:9' } },
    })
    expect((await client.images.list.query()).images).toMatchObject([
      {
        engine: 'gateway',
        engineKind: 'chat',
        model: 'google/gemini-image-9',
        width: 32,
        recipe: { size: '1344x768', engineLabel: 'Gateway' },
      },
    ])
  },
)

test.each(transports)('sends own images as references to both engines, through $name', async (transport) => {
  const { server, provider, client } = await start()
  await transport.generate(server, { prompt: 'A heron' }, { bearer })
  const [own] = (await client.images.list.query()).images
  const references = { referenceImageIds: [own?.id] }
  for (const engine of ['images', 'gateway']) {
    const body = { prompt: 'In winter', engine, ...references }
    expect(await transport.generate(server, body, { bearer })).toMatchObject({ status: 200 })
  }
  const [, edit, chat] = provider.requests
  expect(edit?.path).toBe('/v1/images/edits')
  expect(edit?.files.map(({ bytes }) => bytes.equals(images.signed))).toEqual([true])
  expect(JSON.stringify(chat?.body)).toContain(images.signed.toString('base64'))
  const [newest] = (await client.images.list.query()).images
  expect(newest).toMatchObject({ state: 'succeeded', recipe: references })
})

test.each(transports)('shows what a model answers in place of an image, through $name', async (transport) => {
  const answer = 'I cannot draw a living person.'
  const { server, client, lines } = await start(respondChat({ content: answer }))
  const error = `The model generated no image. It answered: “${answer}”.`
  const body = { prompt: 'A heron', engine: 'gateway' }
  expect(await transport.generate(server, body, { bearer })).toMatchObject({ status: 502, error })
  expect((await client.images.list.query()).images).toMatchObject([
    { state: 'failed', failure: 'engine_failed', failureDetail: error },
  ])
  expect(await client.images.quota.query()).toMatchObject({ used: 0 })
  expect(lines.join('')).not.toContain(answer)
})

test.each(transports)('names what an engine does not support, through $name', async (transport) => {
  const { server, provider } = await start()
  const cases = [
    [{ negativePrompt: 'trees' }, 'Gateway does not support negative prompts.'],
    [{ seed: 1 }, 'Gateway does not support seeds.'],
    [{ strength: 0.5 }, 'Gateway does not support a strength.'],
  ] as const
  for (const [options, error] of cases) {
    const body = { prompt: 'A heron', engine: 'gateway', ...options }
    expect(await transport.generate(server, body, { bearer })).toMatchObject({ status: 400, error })
  }
  expect(provider.requests).toEqual([])
})
