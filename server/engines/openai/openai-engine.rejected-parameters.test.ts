import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  respondError,
  respondEvents,
  respondJson,
  respondImage,
  completedEvent,
} from '../../../test/support/openai/provider-responses.ts'
import type { Responder } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  compatibleParameters as compatible,
  drain,
  setUpScenario,
  runScenario,
  prompt,
} from '../../../test/support/openai/scenario.ts'

const image = respondImage(images.jpeg)
const unknown = (param: string) =>
  respondError(400, { code: 'unknown_parameter', param, message: `Unknown parameter: '${param}'.` })
const stringError = (error: string, status = 400) => respondJson({ error }, { status })
const detail = (value: unknown, status = 422) => respondJson({ detail: value }, { status })
const extra = (name: string) => ({
  type: 'extra_forbidden',
  loc: ['body', name],
  msg: 'Extra inputs are not permitted',
  input: prompt,
})

const minimum = ['model', 'prompt', 'n', 'size', 'stream', 'partial_images']

const without = (...names: string[]) => compatible.filter((name) => !names.includes(name))

/** Errors of a server, and the parameters of the request that succeeds and of later ones. */
const rejections: (readonly [server: string, responders: Responder[], remaining: string[]])[] = [
  ['OpenAI, one at a time', [unknown('response_format'), unknown('output_format')], minimum],
  [
    'a rejected stream',
    [respondError(400, { param: 'stream', code: 'unsupported_value' })],
    without('stream', 'partial_images'),
  ],
  [
    'a stream rejected in the message only',
    [stringError('Streaming is not supported for this model')],
    without('stream', 'partial_images'),
  ],
  [
    'LiteLLM',
    [
      respondError(400, {
        message:
          "litellm.UnsupportedParamsError: xinference does not support parameters: ['stream', 'output_format']",
        type: 'None',
        param: 'None',
        code: '400',
      }),
    ],
    without('stream', 'partial_images', 'output_format'),
  ],
  [
    'xAI',
    [
      respondJson(
        { code: 'Client specified an invalid argument', error: 'Argument not supported: size' },
        { status: 400 },
      ),
    ],
    without('size'),
  ],
  [
    'stable-diffusion.cpp',
    [stringError('invalid output_format, must be one of [png, jpeg]')],
    without('output_format'),
  ],
  [
    'vLLM, an array',
    [detail([extra('output_format'), extra('stream')])],
    without('output_format', 'stream', 'partial_images'),
  ],
  [
    'vLLM, a string',
    [detail('Unsupported response_format. Only b64_json is implemented.', 400)],
    without('response_format'),
  ],
  [
    'an error without a wrapper',
    [respondJson({ object: 'error', message: 'extra fields not permitted: n', code: 400 }, { status: 400 })],
    without('n'),
  ],
]

describe('rejected parameter', () => {
  test.each(rejections)(
    'is left out of this and later requests: %s',
    async (_server, responders, remaining) => {
      const { provider, engine } = await setUpScenario([...responders, image, image], { model: 'flux' })
      await drain(engine)
      await drain(engine)
      expect(provider.requests).toHaveLength(responders.length + 2)
      for (const request of provider.requests.slice(-2))
        expect(Object.keys(request.body).sort()).toEqual([...remaining].sort())
    },
  )

  test('is left out only once, and never if it is required', async () => {
    await runScenario([unknown('size'), unknown('size')], 'engine_failed')
    await runScenario([unknown('prompt')], 'engine_failed')
  })

  test('is sent again if it was rejected with another size', async () => {
    const { provider, engine } = await setUpScenario([unknown('size'), image, image, image])
    const wide = { size: { width: 1536, height: 1024 } }
    await drain(engine, prompt, wide)
    await drain(engine)
    await drain(engine, prompt, wide)
    const sizes = provider.requests.map(({ body }) => body['size'])
    expect(sizes).toEqual(['1536x1024', undefined, '1024x1024', undefined])
  })

  test('disables streaming after a stream without images', async () => {
    const empty = respondEvents([{ ...completedEvent(images.jpeg), b64_json: '' }])
    const { provider, engine } = await setUpScenario([empty, image, image])
    await drain(engine)
    await drain(engine)
    expect(provider.requests.map(({ body }) => body['stream'])).toEqual([true, undefined, undefined])
  })
})

/** Prompt that names every parameter in the wording of an error. */
const hostilePrompt =
  'unknown n, size, output_format, response_format, stream & partial_images: not supported'

const quotes: { name: string; responder: Responder }[] = [
  { name: 'the whole prompt', responder: stringError(`Invalid prompt: "${hostilePrompt}"`) },
  {
    name: 'the prompt in capitals',
    responder: stringError(`Invalid prompt: ${hostilePrompt.toUpperCase()}`),
  },
  {
    name: 'the prompt, with `param` naming it',
    responder: respondError(400, { param: 'prompt', message: `Unsupported: ${hostilePrompt.slice(0, 40)}` }),
  },
]

describe('prompt that names parameters', () => {
  test.each(quotes)('removes no parameter if the error quotes $name', async ({ responder }) => {
    const { provider, engine } = await setUpScenario([responder, image], { model: 'flux' })
    await expect(drain(engine, hostilePrompt)).rejects.toMatchObject({ code: 'engine_failed' })
    await drain(engine)
    expect(Object.keys(provider.requests[1]?.body ?? {}).sort()).toEqual([...compatible].sort())
  })

  test('is retried without them if the error quotes only a part of it, without effect on later requests', async () => {
    const cut = stringError(`Invalid prompt: "${hostilePrompt.slice(0, 30)}…"`)
    const { provider, engine } = await setUpScenario([cut, image, image], { model: 'flux' })
    await drain(engine, hostilePrompt)
    await drain(engine)
    expect(provider.requests.map(({ body }) => Object.keys(body).length)).toEqual([8, 5, 8])
  })

  test.each(['size', 'n'])(
    'that is only the word %j does not hide that parameter in errors',
    async (word) => {
      const rejected = stringError(`Argument not supported: ${word}`)
      const { provider, engine } = await setUpScenario([rejected, image, image], { model: 'flux' })
      await drain(engine, word)
      await drain(engine)
      expect(provider.requests.map(({ body }) => word in body)).toEqual([true, false, true])
    },
  )
})

test('sends a rejected parameter again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { provider, engine } = await setUpScenario([unknown('size'), image, image, image], { model: 'flux' })
  await drain(engine)
  vi.advanceTimersByTime(59 * 60_000)
  await drain(engine)
  vi.advanceTimersByTime(2 * 60_000)
  await drain(engine)
  expect(provider.requests.map(({ body }) => 'size' in body)).toEqual([true, false, false, true])
})
