import { describe, expect, test } from 'vitest'
import { answerError, answerEvents, answerJson, answerPicture, completedEvent } from './provider-answers.ts'
import type { Answer } from './provider-double.ts'
import { pictures } from './test-pictures.ts'
import {
  compatibleParameters as compatible,
  drain,
  openScenario,
  playScenario,
  prompt,
} from './test-scenario.ts'

const picture = answerPicture(pictures.jpeg)
const unknown = (param: string) =>
  answerError(400, { code: 'unknown_parameter', param, message: `Unknown parameter: '${param}'.` })
const stringError = (error: string, status = 400) => answerJson({ error }, { status })
const detail = (value: unknown, status = 422) => answerJson({ detail: value }, { status })
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
    answers: [answerError(400, { code: 'unsupported_parameter', param: 'partial_images' })],
    left: without('partial_images'),
  },
  {
    name: 'a stream refused',
    answers: [answerError(400, { param: 'stream', code: 'unsupported_value' })],
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
      answerError(400, {
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
      answerJson(
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
      answerJson({ object: 'error', message: 'extra fields not permitted: n', code: 400 }, { status: 400 }),
    ],
    left: without('n'),
  },
]

describe('a refused parameter', () => {
  test.each(refusals)('is left out and stays out: $name', async ({ answers, left }) => {
    const { double, engine } = await openScenario({ answers: [...answers, picture, picture], model: 'flux' })
    await drain(engine)
    await drain(engine)
    expect(double.requests).toHaveLength(answers.length + 2)
    for (const request of double.requests.slice(-2))
      expect(Object.keys(request.body).sort()).toEqual([...left].sort())
  })

  test('is each refused once at most, and what can not be left out is not asked for again', async () => {
    await playScenario({ name: '', answers: [unknown('size'), unknown('size')], fails: 'engine_failed' })
    await playScenario({ name: '', answers: [unknown('prompt')], fails: 'engine_failed' })
  })

  test('is no business of another engine', async () => {
    const first = await openScenario({ answers: [unknown('size'), picture] })
    const second = await openScenario({ answers: [picture] })
    await drain(first.engine)
    await drain(second.engine)
    expect(Object.keys(second.double.requests[0]?.body ?? {})).toContain('size')
  })

  test('is a stream, too, where it came without pictures', async () => {
    const empty = answerEvents([{ ...completedEvent(pictures.jpeg), b64_json: '' }])
    const { double, engine } = await openScenario({ answers: [empty, picture, picture] })
    await drain(engine)
    await drain(engine)
    expect(double.requests.map(({ body }) => body['stream'])).toEqual([true, undefined, undefined])
  })
})
