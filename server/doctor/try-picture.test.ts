import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import {
  answerBytes,
  answerError,
  answerEvents,
  answerJson,
  answerNothing,
  answerPicture,
  completedEvent,
  partialEvent,
} from '../engines/openai/provider-answers.ts'
import { startProviderDouble, type Answer } from '../engines/openai/provider-double.ts'
import { pictures } from '../engines/openai/test-pictures.ts'
import { linesOf } from './test-findings.ts'
import { tryPicture } from './try-picture.ts'

const key = 'sk-secret-1234567890abcdef'

/** What is found out about a service that answers requests for pictures like this, and how often it was asked. */
async function examine(answers: readonly Answer[], seconds = 60) {
  const files = { '/made/1.png': answerBytes(pictures.png, 'image/png') }
  const double = await startProviderDouble(answers, files)
  onTestFinished(double.stop)
  const env = { OPENAI_BASE_URL: double.url, OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: key }
  const { engine } = parseConfig(env, '/srv')
  if (engine.kind !== 'openai') throw new Error('This is about the openai engine.')
  const lines = linesOf(await tryPicture(engine, seconds)).map((line) =>
    line.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
  )
  expect(lines.join('\n')).not.toContain(key)
  return { lines, asked: double.requests.length }
}

const unknown = (param: string) => answerError(400, { code: 'unknown_parameter', param })
const url = answerJson((origin: string) => ({ data: [{ url: `${origin}/made/1.png` }] }))
const took = expect.stringMatching(/^ok: It took \d+\.\d seconds\.$/)

describe('a service that makes a picture', () => {
  test('as a stream with previews', async () => {
    const stream = answerEvents([
      partialEvent(pictures.preview),
      partialEvent(pictures.sharper, 1),
      completedEvent(pictures.jpeg),
    ])
    const { lines, asked } = await examine([stream])
    expect(lines).toEqual([
      expect.stringMatching(
        /^ok: HOST made a JPEG of 32 × 24 pixels and \d+ bytes, and answered with it in base64\.$/,
      ),
      took,
      'ok: It takes all the parameters that sd is asked with.',
      'ok: It streams: 2 previews came before the picture.',
    ])
    expect(asked).toBe(1)
  })

  test('at an address, once it is asked without what it refuses', async () => {
    const { lines, asked } = await examine([
      unknown('response_format'),
      unknown('output_format'),
      unknown('stream'),
      url,
    ])
    expect(lines).toEqual([
      expect.stringMatching(/^ok: HOST made a PNG of 32 × 24 pixels .*, and answered with its address\.$/),
      'note: What is no JPEG is kept as one, without any content credentials.',
      took,
      'ok: It does not take response_format, output_format; the server leaves that out.',
      'note: It does not stream: people see nothing before the picture is finished.',
    ])
    expect(asked).toBe(4)
  })

  test('as plain JSON, whatever it is asked for', async () => {
    const { lines } = await examine([answerPicture(pictures.jpeg)])
    expect(lines.at(-1)).toBe('note: It sent no preview: people see nothing before the picture is finished.')
  })

  test('only when it is asked again without a stream', async () => {
    const empty = answerEvents([{ type: 'image_generation.completed', b64_json: '' }])
    const { lines, asked } = await examine([empty, answerPicture(pictures.jpeg)])
    expect(lines.at(-1)).toMatch(/^note: It does not stream/)
    expect(asked).toBe(2)
  })
})

describe('a service that makes none', () => {
  test.each([
    [
      answerError(401, { code: 'invalid_api_key', message: `Wrong key ${key}` }),
      'problem: HOST made no picture: the image service answered with an error (401, invalid_api_key). → The image service refuses the key: check OPENAI_API_KEY.',
    ],
    [
      answerError(404, { code: 'model_not_found' }),
      'problem: HOST made no picture: the image service answered with an error (404, model_not_found). → The image service has no such model',
    ],
    [
      answerError(400, { code: 'moderation_blocked' }),
      'problem: HOST made no picture: the image service answered with an error (400, moderation_blocked). → Its moderation',
    ],
    [
      answerError(500, {}),
      'problem: HOST made no picture: the image service answered with an error (500). → Look at the log',
    ],
    [answerJson({ data: [] }), 'problem: HOST made no picture: the answer has no picture. → Look at the log'],
    [answerPicture(pictures.svg), 'problem: HOST made no picture: what is in the answer is not a JPEG'],
  ])('%#', async (answer, begin) => {
    const { lines, asked } = await examine([answer])
    expect(lines.at(-1)?.slice(0, begin.length)).toBe(begin)
    expect(asked).toBe(1)
  })

  test('that is whole', async () => {
    const { lines } = await examine([answerPicture(pictures.jpeg.subarray(0, 200))])
    expect(lines.at(-1)).toBe(
      'problem: HOST made a picture that is broken. → Look at the log of the service, and check OPENAI_IMAGE_MODEL.',
    )
  })

  test('in time', async () => {
    const { lines } = await examine([answerNothing()], 1)
    expect(lines).toEqual([
      'problem: HOST made no picture in 1 seconds. → Raise IMAGE_TIMEOUT_SECONDS, or have a faster model make the pictures.',
    ])
  })

  test('but refuses parameters first', async () => {
    const { lines } = await examine([unknown('size'), answerError(500, {})])
    expect(lines[0]).toBe('ok: It does not take size; the server leaves that out.')
    expect(lines[1]).toMatch(/^problem: /)
  })
})
