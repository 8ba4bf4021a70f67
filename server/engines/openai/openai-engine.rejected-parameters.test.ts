import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  respondError,
  respondEvents,
  respondJson,
  respondImage,
  completedEvent,
} from '../../../test/support/openai/provider-responses.ts'
import type { Answer } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import {
  compatibleParameters as compatible,
  drain,
  openScenario,
  playScenario,
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

interface Refusals {
  readonly name: string
  readonly answers: readonly Answer[]
  /** What is sent in the end, and from then on. */
  readonly left: readonly string[]
}

const without = (...names: string[]) => compatible.filter((name) => !names.includes(name))

const refusals: Refusals[] = [
  {
    name: 'OpenAI, one after another',
    answers: [unknown('response_format'), unknown('output_format')],
    left: minimum,
  },
  {
    name: 'unsupported_parameter',
    answers: [respondError(400, { code: 'unsupported_parameter', param: 'partial_images' })],
    left: without('partial_images'),
  },
  {
    name: 'a stream refused',
    answers: [respondError(400, { param: 'stream', code: 'unsupported_value' })],
    left: without('stream', 'partial_images'),
  },
  {
    name: 'a stream refused in words',
    answers: [stringError('Streaming is not supported for this model')],
    left: without('stream', 'partial_images'),
  },
  {
    name: 'LiteLLM',
    answers: [
      respondError(400, {
        message:
          "litellm.UnsupportedParamsError: xinference does not support parameters: ['stream', 'output_format']",
        type: 'None',
        param: 'None',
        code: '400',
      }),
    ],
    left: without('stream', 'partial_images', 'output_format'),
  },
  {
    name: 'xAI',
    answers: [
      respondJson(
        { code: 'Client specified an invalid argument', error: 'Argument not supported: size' },
        { status: 400 },
      ),
    ],
    left: without('size'),
  },
  {
    name: 'stable-diffusion.cpp',
    answers: [stringError('invalid output_format, must be one of [png, jpeg]')],
    left: without('output_format'),
  },
  {
    name: 'vLLM, an array',
    answers: [detail([extra('output_format'), extra('stream')])],
    left: without('output_format', 'stream', 'partial_images'),
  },
  { name: 'vLLM, an array as a 400', answers: [detail([extra('size')], 400)], left: without('size') },
  {
    name: 'vLLM, a string',
    answers: [detail('Unsupported response_format. Only b64_json is implemented.', 400)],
    left: without('response_format'),
  },
  {
    name: 'an error without a wrapper',
    answers: [
      respondJson({ object: 'error', message: 'extra fields not permitted: n', code: 400 }, { status: 400 }),
    ],
    left: without('n'),
  },
]

describe('a refused parameter', () => {
  test.each(refusals)('is left out and stays out: $name', async ({ answers, left }) => {
    const { double, engine } = await openScenario({ answers: [...answers, image, image], model: 'flux' })
    await drain(engine)
    await drain(engine)
    expect(double.requests).toHaveLength(answers.length + 2)
    for (const request of double.requests.slice(-2))
      expect(Object.keys(request.body).sort()).toEqual([...left].sort())
  })

  test('is left out once at most, and a required one is not retried', async () => {
    await playScenario({ name: '', answers: [unknown('size'), unknown('size')], fails: 'engine_failed' })
    await playScenario({ name: '', answers: [unknown('prompt')], fails: 'engine_failed' })
  })

  test('does not affect another engine', async () => {
    const first = await openScenario({ answers: [unknown('size'), image] })
    const second = await openScenario({ answers: [image] })
    await drain(first.engine)
    await drain(second.engine)
    expect(Object.keys(second.double.requests[0]?.body ?? {})).toContain('size')
  })

  test('is a stream, too, where it came without images', async () => {
    const empty = respondEvents([{ ...completedEvent(images.jpeg), b64_json: '' }])
    const { double, engine } = await openScenario({ answers: [empty, image, image] })
    await drain(engine)
    await drain(engine)
    expect(double.requests.map(({ body }) => body['stream'])).toEqual([true, undefined, undefined])
  })
})

/** Names every parameter, in words that sound like an error. */
const hostilePrompt =
  'unknown n, size, output_format, response_format, stream & partial_images: not supported'

const quotes = [
  { name: 'the whole prompt', answer: stringError(`Invalid prompt: "${hostilePrompt}"`) },
  { name: 'the prompt in capitals', answer: stringError(`Invalid prompt: ${hostilePrompt.toUpperCase()}`) },
  {
    name: 'the prompt, with `param` naming it',
    answer: respondError(400, { param: 'prompt', message: `Unsupported: ${hostilePrompt.slice(0, 40)}` }),
  },
  {
    name: 'the prompt in a validation error of the field',
    answer: detail([{ loc: ['body', 'prompt'], msg: `Invalid: ${hostilePrompt.slice(9)}` }]),
  },
]

describe('a prompt that names parameters', () => {
  test.each(quotes)('takes none from anyone when the error repeats $name', async ({ answer }) => {
    const { double, engine } = await openScenario({ answers: [answer, image], model: 'flux' })
    await expect(drain(engine, hostilePrompt)).rejects.toMatchObject({ code: 'engine_failed' })
    await drain(engine)
    expect(Object.keys(double.requests[1]?.body ?? {}).sort()).toEqual([...compatible].sort())
  })

  test('is tried without them alone when the error repeats only a part of it', async () => {
    const cut = stringError(`Invalid prompt: "${hostilePrompt.slice(0, 30)}…"`)
    const { double, engine } = await openScenario({ answers: [cut, image, image], model: 'flux' })
    await drain(engine, hostilePrompt)
    await drain(engine)
    expect(double.requests.map(({ body }) => Object.keys(body).length)).toEqual([8, 5, 8])
  })

  test.each(['size', 'n'])('of one word, %j, does not hide that word from errors', async (words) => {
    const refused = stringError(`Argument not supported: ${words}`)
    const { double, engine } = await openScenario({ answers: [refused, image, image], model: 'flux' })
    await drain(engine, words)
    await drain(engine)
    expect(double.requests.map(({ body }) => words in body)).toEqual([true, false, true])
  })

  test('is still drawn by a server that refuses such a parameter in words', async () => {
    const refused = stringError('Streaming is not supported for this model')
    const { double, engine } = await openScenario({
      answers: [refused, image, refused, image, image],
      model: 'flux',
    })
    await drain(engine, 'a mountain stream')
    await drain(engine)
    await drain(engine)
    const streamed = double.requests.map(({ body }) => body['stream'])
    expect(streamed).toEqual([true, undefined, true, undefined, undefined])
  })
})

test('sends a refused parameter again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { double, engine } = await openScenario({
    answers: [unknown('size'), image, image, image],
    model: 'flux',
  })
  await drain(engine)
  vi.advanceTimersByTime(59 * 60_000)
  await drain(engine)
  vi.advanceTimersByTime(2 * 60_000)
  await drain(engine)
  expect(double.requests.map(({ body }) => 'size' in body)).toEqual([true, false, false, true])
})
