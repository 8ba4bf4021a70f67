import { afterAll, beforeAll } from 'vitest'
import { pino } from 'pino'
import { testImageEngine } from '../image-engine-contract.ts'
import { createOpenAiEngine } from './openai-engine.ts'
import { answerEvents, completedEvent, partialEvent } from './provider-answers.ts'
import { startProviderDouble, type ProviderDouble } from './provider-double.ts'
import { pictures } from './test-pictures.ts'

let double: ProviderDouble

beforeAll(async () => {
  double = await startProviderDouble(
    answerEvents([partialEvent(pictures.preview), completedEvent(pictures.jpeg)]),
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
