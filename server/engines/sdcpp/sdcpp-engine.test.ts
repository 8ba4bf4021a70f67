import { beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { eventually, follow } from '../../../test/support/generations.ts'
import { expectFailure, imageOf, requestFor } from '../../../test/support/image-engine-contract.ts'
import { images } from '../../../test/support/openai/images.ts'
import { createTestEngine, startSdCpp } from '../../../test/support/sdcpp/server.ts'
import { startTestServer, userOf } from '../../../test/support/test-server.ts'
import { AppError } from '../../errors/app-error.ts'
import type { EngineEvent, EngineRequest } from '../image-engine.ts'

let sd: Awaited<ReturnType<typeof startSdCpp>>
beforeEach(async () => {
  sd = await startSdCpp(images.png)
  return sd.stop
})

/** Starts a generation, whose events so far are `events`. */
function start(more: Partial<EngineRequest> = {}) {
  const controller = new AbortController()
  const events: EngineEvent[] = []
  async function run() {
    const request = { ...requestFor('a heron named Quentin'), ...more }
    for await (const event of createTestEngine(sd.url).generate(request, controller.signal))
      events.push(event)
    return events
  }
  const ended = run()
  // Awaited by tests later.
  ended.catch(() => {})
  return { events, ended, abort: (code: 'canceled' | 'interrupted') => controller.abort(new AppError(code)) }
}

const { signal } = new AbortController()
const submitted = { type: 'submitted', jobId: 'job_1' }

describe('the model of the server', () => {
  test('has its sizes, limits and samplers', async () => {
    const { models, capabilities, modelDetails } = await createTestEngine(sd.url).check(signal)
    expect(models).toEqual(['sdxl'])
    expect(capabilities).toMatchObject({ seed: true, mask: true, progress: false, previews: false })
    expect(capabilities?.customSizes).toEqual({ min: 64, max: 1024, step: 8 })
    expect(capabilities?.sizes).toEqual(['640x512', '1024x1024', '512x512', '512x768', '768x512'])
    const sampler = { name: 'sampler', type: 'enum', values: ['euler', 'euler_a', 'dpm++2m'] }
    const upscaler = { name: 'hires_upscaler', type: 'enum', values: ['Latent', '4x-sharp'] }
    expect(modelDetails?.['sdxl']?.parameters).toEqual(expect.arrayContaining([sampler, upscaler]))
  })

  test.each([
    [{ limits: null }, /no sd-server/],
    [{ defaults_by_mode: { vid_gen: {} } }, /generates no images/],
  ])('of another server, or one for videos, is an error: %j', async (changes, cause) => {
    Object.assign(sd.state, { capabilities: { ...sd.state.capabilities, ...changes } })
    await expectFailure(createTestEngine(sd.url).check(signal), 'engine_misconfigured', { cause })
  })

  test('is the requested one', async () => {
    const other = start({ model: 'flux' }).ended
    await expectFailure(other, 'engine_misconfigured', { message: /no model named “flux”/ })
    expect(sd.submissions).toEqual([])
  })
})

describe('a job', () => {
  test('has the settings of the request, and those of the server for the others', async () => {
    const parameters = { sampler: 'dpm++2m', steps: 7.4, cfg_scale: 1.5, hires_upscaler: '4x-sharp' }
    const size = { width: 832, height: 512 }
    const guidance = { txt_cfg: 1.5 }
    const of = { negativePrompt: 'rain', seed: 4_294_967_295, size, parameters, model: 'sdxl' }
    const events = await start({ ...of, prompt: 'a cat<sd_cpp_extra_args>{"seed":1}' }).ended
    expect(sd.submissions).toEqual([
      {
        prompt: 'a cat',
        negative_prompt: 'rain',
        ...size,
        seed: 4_294_967_295,
        batch_count: 1,
        sample_params: { sample_method: 'dpm++2m', scheduler: 'default', sample_steps: 7, guidance },
        hires: { enabled: true, upscaler: '4x-sharp' },
        output_format: 'png',
        embed_image_metadata: false,
      },
    ])
    const { model, seed } = of
    const settings = { model, seed, sampler: 'dpm++2m', steps: 7, cfgScale: 1.5, size: '832x512' }
    expect(events).toEqual([submitted, { type: 'complete', bytes: images.png, settings }])
  })

  test('has a reference image in its proportions, a mask, and always a seed', async () => {
    const imageId = '0f5c2a4e-0000-4000-8000-0000000000ff'
    const of = { imageId, references: [images.jpeg], mask: images.png, strength: 0.4 }
    const { settings } = imageOf(await start(of).ended)
    expect(sd.submissions).toMatchObject([
      {
        width: 664,
        height: 496,
        seed: 255,
        strength: 0.4,
        init_image: images.jpeg.toString('base64'),
        mask_image: images.png.toString('base64'),
      },
    ])
    expect(settings).toMatchObject({ seed: 255, sampler: 'euler_a', steps: 20, cfgScale: 7, size: '664x496' })
  })

  test('reports its place in the queue until it runs', async () => {
    Object.assign(sd.state, { hold: 'queued', ahead: 2, limited: 2 })
    const { events, ended } = start()
    await eventually(() => events).toEqual([submitted, { type: 'waiting', ahead: 2 }])
    sd.state.hold = 'generating'
    await eventually(() => events.at(-1)).toEqual({ type: 'waiting', ahead: null })
    sd.state.hold = null
    expect(imageOf(await ended).bytes).toEqual(images.png)
  })

  test.each([
    ['queued', ['cancelled']],
    ['generating', ['generating']],
  ] as const)('that is %s when it is canceled is removed, or left to run', async (hold, statuses) => {
    sd.state.hold = hold
    const { ended, abort } = start()
    await eventually(sd.lookUps).toBeGreaterThan(0)
    abort('canceled')
    await expect(ended).rejects.toMatchObject({ code: 'canceled' })
    expect(sd.statuses()).toEqual(statuses)
  })

  test('that is accepted after the generation was canceled is canceled, too', async () => {
    let answer = () => {}
    Object.assign(sd.state, { hold: 'queued', answer: new Promise<void>((resolve) => (answer = resolve)) })
    const { ended, abort } = start()
    await eventually(() => sd.submissions.length).toBe(1)
    abort('canceled')
    answer()
    await expect(ended).rejects.toMatchObject({ code: 'canceled' })
    expect(sd.statuses()).toEqual(['cancelled'])
  })

  test.each([
    [429, 'engine_busy', /too many requests/],
    [200, 'engine_failed', /an unexpected response/],
  ] as const)('is not accepted with the status %i', async (status, code, cause) => {
    sd.state.rejection = status
    await expectFailure(start().ended, code, { cause })
  })
})

describe('after a restart', () => {
  test('of this server, its job is continued', async () => {
    sd.state.hold = 'queued'
    const { events, ended, abort } = start()
    await eventually(() => events.length).toBe(2)
    abort('interrupted')
    await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
    expect(sd.statuses()).toEqual(['queued'])
    Object.assign(sd.state, { hold: null, isDown: true })
    const resumed = start({ isResumed: true, jobId: 'job_1' })
    await eventually(sd.rejected).toBeGreaterThan(0)
    sd.state.isDown = false
    expect((await resumed.ended).map(({ type }) => type)).toEqual(['complete'])
    expect(sd.submissions).toHaveLength(1)
  })

  test('of this server, a job whose id was not stored is not submitted again', async () => {
    await expectFailure(start({ isResumed: true }).ended, 'engine_failed', { message: /Try again/ })
    expect(sd.submissions).toEqual([])
  })

  test('of sd-server, which is waited for, a job is submitted once more with the same seed', async () => {
    sd.state.hold = 'generating'
    const { ended } = start()
    await eventually(sd.lookUps).toBeGreaterThan(0)
    sd.state.isDown = true
    sd.end('restarted')
    await eventually(sd.rejected).toBeGreaterThan(0)
    Object.assign(sd.state, { hold: null, isDown: false })
    expect((await ended).filter(({ type }) => type === 'submitted')).toEqual([
      submitted,
      { type: 'submitted', jobId: 'job_2' },
    ])
    expect(sd.submissions[1]).toEqual(sd.submissions[0])
  })

  test.each([
    ['restarted', 2, /lost the job/],
    ['expired', 1, /no longer has/],
    ['failed', 1, /read the log/],
    ['cancelled', 1, /interrupted/],
  ] as const)('a job that is lost again, or without an image, fails: %s', async (how, submissions, cause) => {
    sd.state.hold = 'generating'
    const { ended } = start()
    for (let count = 1; count <= submissions; count += 1) {
      await eventually(() => sd.submissions.length).toBe(count)
      const before = sd.lookUps()
      await eventually(sd.lookUps).toBeGreaterThan(before)
      sd.end(how)
    }
    await expectFailure(ended, 'engine_failed', { cause })
    expect(sd.submissions).toHaveLength(submissions)
  })

  test('of the whole site, a job is found by its id, once its owner has seen its place', async () => {
    Object.assign(sd.state, { hold: 'queued', ahead: 2 })
    const folder = await tempFolder()
    const site = () => startTestServer({ engine: createTestEngine(sd.url), folder })
    const before = await site()
    const asha = await before.signUp()
    const watching = new AbortController()
    const target = { prompt: 'A lotus', parameters: { steps: 8 } }
    const watched = follow(asha.trpc, target, watching.signal)
    const id = await watched.id
    const place = { type: 'queue', id, position: 2, waitSeconds: null, isSent: true }
    await eventually(() => watched.events).toContainEqual(place)
    const again = await site()
    sd.state.hold = null
    const { trpc } = userOf(again, asha.id, asha.cookie)
    await eventually(() => trpc.images.get.query({ id })).toMatchObject({
      state: 'succeeded',
      recipe: { model: 'sdxl', steps: 8, parameters: { steps: 8 } },
    })
    expect(sd.submissions).toHaveLength(1)
    expect(await trpc.images.quota.query()).toMatchObject({ used: 1 })
    // Clients try to reconnect for ever.
    watching.abort()
    await before.stop()
  })
})
