import { afterAll, beforeAll } from 'vitest'
import { pino } from 'pino'
import { testImageEngine } from '../../../test/support/image-engine-contract.ts'
import { respondChatImage } from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type FakeProvider } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import { createChatEngine } from './chat-engine.ts'

let provider: FakeProvider

beforeAll(async () => {
  provider = await startFakeProvider(respondChatImage(images.jpeg))
})

afterAll(() => provider.stop())

testImageEngine(() =>
  createChatEngine({
    id: 'gateway',
    kind: 'chat',
    label: 'Gateway',
    apiKey: 'sk-test',
    url: provider.url,
    model: 'google/gemini-image',
    log: pino({ level: 'silent' }),
  }),
)
