import { afterAll, beforeAll } from 'vitest'
import { pino } from 'pino'
import { testImageEngine } from '../../../test/support/image-engine-contract.ts'
import { environmentSettings } from './setting-names.ts'
import { createOpenAiEngine } from './openai-engine.ts'
import {
  respondEvents,
  completedEvent,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type FakeProvider } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'

let provider: FakeProvider

beforeAll(async () => {
  provider = await startFakeProvider(
    respondEvents([partialEvent(images.preview), completedEvent(images.jpeg)]),
  )
})

afterAll(() => provider.stop())

testImageEngine(() =>
  createOpenAiEngine({
    id: 'openai',
    label: 'OpenAI',
    apiKey: 'sk-test',
    baseUrl: provider.url,
    model: 'gpt-image-2',
    settings: environmentSettings,
    log: pino({ level: 'silent' }),
  }),
)
