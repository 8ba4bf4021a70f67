import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import {
  respondBytes,
  respondError,
  respondEvents,
  respondJson,
  respondNothing,
  respondImage,
  completedEvent,
  partialEvent,
} from '../../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Responder } from '../../../test/support/openai/provider.ts'
import { images } from '../../../test/support/openai/images.ts'
import { linesOf } from '../../../test/support/doctor.ts'
import { generateTestImage } from './engine.ts'

const key = 'sk-secret-1234567890abcdef'

/** Generates a test image at a service that gives these answers, and counts its requests. */
async function check(answers: readonly Responder[], seconds = 60) {
  const files = { '/made/1.png': respondBytes(images.png, 'image/png') }
  const provider = await startFakeProvider(answers, files)
  onTestFinished(provider.stop)
  const env = { OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'sd', OPENAI_API_KEY: key }
  const {
    engines: [engine],
  } = parseConfig(env, '/srv')
  if (engine.kind !== 'openai') throw new Error('This is about the openai engine.')
  const lines = linesOf(await generateTestImage(engine, seconds)).map((line) =>
    line.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
  )
  expect(lines.join('\n')).not.toContain(key)
  return { lines, asked: provider.requests.length }
}

const unknown = (param: string) => respondError(400, { code: 'unknown_parameter', param })
const url = respondJson((origin: string) => ({ data: [{ url: `${origin}/made/1.png` }] }))
const took = expect.stringMatching(/^ok: It took \d+\.\d seconds\.$/)

describe('a service that generates an image', () => {
  test('is described as a stream with previews', async () => {
    const stream = respondEvents([
      partialEvent(images.preview),
      partialEvent(images.sharper, 1),
      completedEvent(images.jpeg),
    ])
    const { lines, asked } = await check([stream])
    expect(lines).toEqual([
      expect.stringMatching(
        /^ok: HOST generated a JPEG of 32 × 24 pixels and \d+ bytes, and returned it as base64\.$/,
      ),
      took,
      'ok: It accepts all parameters that sd is sent.',
      'ok: It streams: 2 previews came before the image.',
    ])
    expect(asked).toBe(1)
  })

  test('is called again without the parameters that it rejects', async () => {
    const { lines, asked } = await check([
      unknown('response_format'),
      unknown('output_format'),
      unknown('stream'),
      url,
    ])
    expect(lines).toEqual([
      expect.stringMatching(/^ok: HOST generated a PNG of 32 × 24 pixels .*, and returned its URL\.$/),
      'note: Images that are not JPEG are converted to JPEG, without content credentials.',
      took,
      'ok: It does not accept response_format, output_format; the server leaves that out.',
      'note: It does not stream: users see nothing before the image is finished.',
    ])
    expect(asked).toBe(4)
  })

  test('is noted where it sends plain JSON instead of a stream', async () => {
    const { lines } = await check([respondImage(images.jpeg)])
    expect(lines.at(-1)).toBe('note: It sent no preview: users see nothing before the image is finished.')
  })

  test('is noted where it only answers without a stream', async () => {
    const empty = respondEvents([{ type: 'image_generation.completed', b64_json: '' }])
    const { lines, asked } = await check([empty, respondImage(images.jpeg)])
    expect(lines.at(-1)).toMatch(/^note: It does not stream/)
    expect(asked).toBe(2)
  })
})

describe('a service that generates no image', () => {
  test.each([
    [
      respondError(401, { code: 'invalid_api_key', message: `Wrong key ${key}` }),
      'problem: HOST generated no image: the image service responded with an error (401, invalid_api_key). → The image service rejects the key: check OPENAI_API_KEY.',
    ],
    [
      respondError(404, { code: 'model_not_found' }),
      'problem: HOST generated no image: the image service responded with an error (404, model_not_found). → The image service has no such model',
    ],
    [
      respondError(400, { code: 'moderation_blocked' }),
      'problem: HOST generated no image: the image service responded with an error (400, moderation_blocked). → Its moderation',
    ],
    [
      respondError(500, {}),
      'problem: HOST generated no image: the image service responded with an error (500). → Read the log',
    ],
    [
      respondJson({ data: [] }),
      'problem: HOST generated no image: the response contains no image. → Read the log',
    ],
    [respondImage(images.svg), 'problem: HOST generated no image: the response contains no JPEG'],
  ])('is a problem, with a fix, %#', async (answer, begin) => {
    const { lines, asked } = await check([answer])
    expect(lines.at(-1)?.slice(0, begin.length)).toBe(begin)
    expect(asked).toBe(1)
  })

  test('is a problem where the image is broken', async () => {
    const { lines } = await check([respondImage(images.jpeg.subarray(0, 200))])
    expect(lines.at(-1)).toBe(
      'problem: HOST generated a broken image. → Read the log of the service, and check OPENAI_IMAGE_MODEL.',
    )
  })

  test('is a problem where the time is up', async () => {
    const { lines } = await check([respondNothing()], 1)
    expect(lines).toEqual([
      'problem: HOST generated no image in 1 seconds. → Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.',
    ])
  })

  test('still lists the parameters that it rejected first', async () => {
    const { lines } = await check([unknown('output_format'), respondError(500, {})])
    expect(lines[0]).toBe('ok: It does not accept output_format; the server leaves that out.')
    expect(lines[1]).toMatch(/^problem: /)
  })
})
