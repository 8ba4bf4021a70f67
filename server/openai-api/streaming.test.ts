import { text as readText } from 'node:stream/consumers'
import { APIError, type OpenAI } from 'openai'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { plainJpeg } from '../../test/support/engine.ts'
import { createScriptedEngine } from '../../test/support/generations.ts'
import { signUpProgram } from '../../test/support/openai-api/client.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { AppError } from '../errors/app-error.ts'
import { eventStream } from './respond-with-images.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine })
let client: OpenAI
let key: string
beforeAll(async () => {
  ;({ client, key } = await signUpProgram(server()))
})

/** Reads the next event of a stream. */
async function next<Event>(events: AsyncIterator<Event>): Promise<Event> {
  const { value, done } = await events.next()
  if (done) throw new Error('The stream has ended.')
  return value
}

describe('a stream', () => {
  test('has as many previews as the request asks for, and the image', async () => {
    const prompt = 'A lotus'
    const stream = await client.images.generate({
      prompt,
      output_format: 'jpeg',
      stream: true,
      partial_images: 2,
    })
    const events = stream[Symbol.asyncIterator]()
    const job = await waitForJob(prompt)
    for (const index of [0, 1]) {
      const preview = await plainJpeg(`preview ${index}`)
      job.preview(preview)
      expect(await next(events)).toMatchObject({
        type: 'image_generation.partial_image',
        partial_image_index: index,
        b64_json: preview.toString('base64'),
        output_format: 'jpeg',
        background: 'opaque',
        quality: 'auto',
        size: 'auto',
      })
    }
    job.preview(await plainJpeg('one too many'))
    const image = await plainJpeg('the image')
    await job.finish(image)
    const completed = await next(events)
    expect(completed).toMatchObject({
      type: 'image_generation.completed',
      output_format: 'jpeg',
      size: '64x48',
      usage: { total_tokens: 0 },
    })
    expect((await sharp(Buffer.from(completed.b64_json, 'base64')).metadata()).format).toBe('jpeg')
    expect((await events.next()).done).toBe(true)
  })

  test.each([
    ['by default', {}, 100_000],
    ['that are not readable', { partial_images: 1 }, 200],
  ])('has no previews %s', async (name, parameters, length) => {
    const prompt = `A kite ${name}`
    const stream = await client.images.generate({ prompt, stream: true, ...parameters })
    const job = await waitForJob(prompt)
    job.preview((await plainJpeg('a preview')).subarray(0, length))
    await job.finish()
    const types = []
    for await (const { type } of stream) types.push(type)
    expect(types).toEqual(['image_generation.completed'])
  })

  test('sends a comment every ten seconds until it ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let finish = () => {}
    const { body } = eventStream(async (send) => {
      await new Promise<void>((resolve) => (finish = resolve))
      send({ type: 'done' })
    })
    if (!body) throw new Error('The response has no body.')
    vi.advanceTimersByTime(20_000)
    finish()
    expect(await readText(body)).toBe(': waiting\n\n: waiting\n\nevent: done\ndata: {"type":"done"}\n\n')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends with the error of the generation', async () => {
    const stream = await client.images.generate({ prompt: 'A sword', stream: true })
    ;(await waitForJob('A sword')).fail(new AppError('prompt_blocked'))
    const events = stream[Symbol.asyncIterator]()
    const error: unknown = await events.next().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({
      code: 'moderation_blocked',
      type: 'image_generation_user_error',
      param: null,
    })
  })

  test('is sent at once through proxies, and not kept', async () => {
    const response = await server().postJson(
      '/v1/images/generations',
      { prompt: 'A sail', stream: true },
      { bearer: key },
    )
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    await (await waitForJob('A sail')).finish()
    expect(await response.text()).toMatch(/^event: image_generation\.completed\ndata: \{.*\}\n\n$/)
  })
})
