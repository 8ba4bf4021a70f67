import { afterAll, beforeAll, describe } from 'vitest'
import { pino } from 'pino'
import { createTestEngine } from '../../test/support/automatic1111/engine.ts'
import { startAutomatic1111 } from '../../test/support/automatic1111/server.ts'
import { startFakeComfyUi } from '../../test/support/comfyui/fake-comfyui.ts'
import { createEngine } from '../../test/support/comfyui/scenario.ts'
import { testImageEngine } from '../../test/support/image-engine-contract.ts'
import { images } from '../../test/support/openai/images.ts'
import {
  completedEvent,
  partialEvent,
  respondChatImage,
  respondEvents,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { createChatEngine } from './chat/chat-engine.ts'
import type { ImageEngine } from './image-engine.ts'
import { createOpenAiEngine } from './openai/openai-engine.ts'
import { environmentSettings } from './openai/setting-names.ts'

const common = { id: 'one', label: 'One', apiKey: 'sk-test', model: 'any', log: pino({ level: 'silent' }) }
const events = [partialEvent(images.preview), completedEvent(images.jpeg)]

interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a double of each engine's server, and creates an engine for it. */
const engines: Record<string, [start: () => Promise<Server>, create: (url: string) => ImageEngine]> = {
  openai: [
    () => startFakeProvider(respondEvents(events)),
    (baseUrl) => createOpenAiEngine({ ...common, baseUrl, settings: environmentSettings }),
  ],
  chat: [
    () => startFakeProvider(respondChatImage(images.jpeg)),
    (url) => createChatEngine({ ...common, kind: 'chat', url }),
  ],
  automatic1111: [startAutomatic1111, createTestEngine],
  comfyui: [startFakeComfyUi, (url) => createEngine({ url })],
}

describe.each(Object.entries(engines))('the engine %s', (_name, [start, create]) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  testImageEngine(() => create(server.url))
})
