import { afterAll, beforeAll } from 'vitest'
import { pino } from 'pino'
import { testImageEngine } from '../../../test/support/image-engine-contract.ts'
import { createOpenAiEngine } from './openai-engine.ts'
import {
  respondEvents,
  completedEvent,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import { startProviderDouble, type ProviderDouble } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'

let double: ProviderDouble

beforeAll(async () => {
  double = await startProviderDouble(
    respondEvents([partialEvent(images.preview), completedEvent(images.jpeg)]),
  )
})

afterAll(() => double.stop())

testImageEngine(() =>
  createOpenAiEngine({
    apiKey: 'sk-test',
    baseUrl: double.url,
    model: 'gpt-image-2',
    log: pino({ level: 'silent' }),
  }),
)
