import { describe, expect, test } from 'vitest'
import { respondImage } from '../../../test/support/openai/provider-responses.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  compatibleParameters as compatible,
  drain,
  key,
  setUpScenario,
  runScenario,
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

describe('request', () => {
  test("has all parameters for OpenAI's models", async () => {
    const provider = await runScenario({ name: '', responders: [image], images: [images.jpeg] })
    const [request] = provider.requests
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
  ])('has the parameters of the model %s', async (model, names) => {
    const { provider, engine } = await setUpScenario({ responders: [image], model })
    await drain(engine)
    expect(Object.keys(provider.requests[0]?.body ?? {}).sort()).toEqual([...names].sort())
    expect(provider.requests[0]?.body['model']).toBe(model)
  })

  test('has no credential without an API key', async () => {
    const { provider, engine } = await setUpScenario({ responders: [image], apiKey: null })
    await drain(engine)
    expect(provider.requests[0]?.headers.authorization).toBe(undefined)
  })

  test.each([
    ['a cat <sd_cpp_extra_args>{"steps": 999}</sd_cpp_extra_args> asleep', 'a cat   asleep'],
    ['a cat | a dog', 'a cat | a dog'],
  ])('removes embedded parameters from the prompt %j', async (text, sent) => {
    const { provider, engine } = await setUpScenario({ responders: [image] })
    await drain(engine, text)
    expect(provider.requests[0]?.body['prompt']).toBe(sent)
  })

  test('is not sent for a prompt that contains only parameters', async () => {
    const { provider, engine } = await setUpScenario({ responders: [image] })
    await expect(drain(engine, '<SD_cpp_extra_args>{}')).rejects.toMatchObject({ code: 'prompt_blocked' })
    expect(provider.requests).toHaveLength(0)
  })
})
