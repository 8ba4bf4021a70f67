import { describe, expect, test } from 'vitest'
import { respondImage } from '../../../test/support/openai/provider-responses.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  compatibleParameters as compatible,
  drain,
  key,
  openScenario,
  playScenario,
  prompt,
} from '../../../test/support/openai/scenario.ts'

const image = respondImage(images.jpeg)
const openAi = [
  'model',
  'prompt',
  'n',
  'size',
  'output_format',
  'quality',
  'moderation',
  'stream',
  'partial_images',
]
describe('a request', () => {
  test("for one of OpenAI's models", async () => {
    const double = await playScenario({ name: '', answers: [image], images: [images.jpeg] })
    const [request] = double.requests
    expect(request?.body).toEqual({
      model: 'gpt-image-2',
      prompt,
      n: 1,
      size: '1024x1024',
      output_format: 'jpeg',
      quality: 'medium',
      moderation: 'auto',
      stream: true,
      partial_images: 2,
    })
    expect(request?.headers.authorization).toBe(`Bearer ${key}`)
    expect(Object.keys(request?.headers ?? {})).not.toContain('openai-organization')
  })

  test.each([
    ['gpt-image-2', openAi],
    ['azure/gpt-image-1.5', openAi],
    ['chatgpt-image-latest', openAi],
    ['flux-1-schnell', compatible],
    ['grok-2-image', compatible],
  ])('for %s has its parameters', async (model, names) => {
    const { double, engine } = await openScenario({ answers: [image], model })
    await drain(engine)
    expect(Object.keys(double.requests[0]?.body ?? {}).sort()).toEqual([...names].sort())
    expect(double.requests[0]?.body['model']).toBe(model)
  })

  test('without a key has no credential', async () => {
    const { double, engine } = await openScenario({ answers: [image], apiKey: null })
    await drain(engine)
    expect(double.requests[0]?.headers.authorization).toBe(undefined)
  })

  test.each([
    ['a cat <sd_cpp_extra_args>{"steps": 999}</sd_cpp_extra_args> asleep', 'a cat   asleep'],
    ['a cat | a dog', 'a cat | a dog'],
  ])('for %j', async (words, sent) => {
    const { double, engine } = await openScenario({ answers: [image] })
    await drain(engine, words)
    expect(double.requests[0]?.body['prompt']).toBe(sent)
  })

  test('is not made for a prompt of nothing but parameters', async () => {
    const { double, engine } = await openScenario({ answers: [image] })
    await expect(drain(engine, '<SD_cpp_extra_args>{}')).rejects.toMatchObject({ code: 'prompt_blocked' })
    expect(double.requests).toHaveLength(0)
  })
})
