import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { createTestEngine } from '../../test/support/automatic1111/engine.ts'
import { startAutomatic1111 } from '../../test/support/automatic1111/server.ts'
import { startFakeComfyUi } from '../../test/support/comfyui/fake-comfyui.ts'
import { createEngine } from '../../test/support/comfyui/scenario.ts'
import {
  type StartEngine,
  testEngineOfServer,
  testImageEngine,
} from '../../test/support/image-engine-contract.ts'
import { images } from '../../test/support/openai/images.ts'
import {
  completedEvent,
  partialEvent,
  respondChatImage,
  respondEvents,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { createTestEngine as createSdCpp, startSdCpp } from '../../test/support/sdcpp/server.ts'
import { startOpenRouter } from '../../test/support/openrouter/server.ts'
import { createChatEngine } from './chat/chat-engine.ts'
import { cleanPrompt, type ImageEngine } from './image-engine.ts'
import { createOpenAiEngine } from './openai/openai-engine.ts'
import { createOpenRouterEngine } from './openrouter/openrouter-engine.ts'

const common = { id: 'one', label: 'One', apiKey: 'sk-or', model: 'any', log: pino({ level: 'silent' }) }

const openRouter = { ...common, kind: 'openrouter' as const, models: [], model: null, listFile: null }

type Server = Pick<Awaited<ReturnType<typeof startSdCpp>>, 'url' | 'stop'>

/** Starts a double of each engine's server, and creates an engine for it. */
const engines: Record<
  string,
  [start: (file: Uint8Array) => Promise<Server>, create: (url: string) => ImageEngine]
> = {
  openai: [
    (file) => startFakeProvider(respondEvents([partialEvent(images.preview), completedEvent(file)])),
    (baseUrl) => createOpenAiEngine({ ...common, baseUrl }),
  ],
  chat: [
    (file) => startFakeProvider(respondChatImage(file)),
    (url) => createChatEngine({ ...common, kind: 'chat', url }),
  ],
  openrouter: [startOpenRouter, (url) => createOpenRouterEngine({ ...openRouter, url })],
  automatic1111: [(image) => startAutomatic1111({ image }), createTestEngine],
  comfyui: [(file) => startFakeComfyUi({ file }), (url) => createEngine({ url })],
  sdcpp: [startSdCpp, createSdCpp],
}

describe.each(Object.entries(engines))('the engine %s', (_name, [start, create]) => {
  let server: Server
  beforeAll(async () => {
    server = await start(images.jpeg)
  })
  afterAll(() => server.stop())

  testImageEngine(() => create(server.url))
  const startEngine: StartEngine = async (file) => {
    const { url, stop } = await start(file)
    return { engine: create(url), stop }
  }
  testEngineOfServer(startEngine)

  test('names an error of TLS', async () => {
    const engine = create(`${server.url.replace('http', 'https')}/?token=`)
    const misconfigured = { code: 'engine_misconfigured', cause: { networkError: 'EPROTO' } }
    await expect(engine.check(new AbortController().signal)).rejects.toMatchObject(misconfigured)
  })
})

test.each([
  ['a cat', 'a cat'],
  ['  a cat\n', 'a cat'],
  ['a <b>cat</b> | dog', 'a <b>cat</b> | dog'],
  ['a cat<sd_cpp_extra_args>{"seed": 1}</sd_cpp_extra_args>', 'a cat'],
  ['a<SD_CPP_Extra_Args>{\n}</sd_CPP_extra_args>cat', 'a cat'],
  ['a cat<sd_cpp_extra_args>{"seed": 1}', 'a cat'],
  ['<sd_cpp_extra_args>1</sd_cpp_extra_args>a cat<sd_cpp_extra_args>2</sd_cpp_extra_args>', 'a cat'],
  ['<sd_cpp_<sd_cpp_extra_args></sd_cpp_extra_args>extra_args>{}', '<sd_cpp_ extra_args>{}'],
  ['<sd_cpp_extra_args>{}', ''],
])('cleans the prompt %j to %j', (prompt, cleaned) => {
  expect(cleanPrompt(prompt)).toBe(cleaned)
})
