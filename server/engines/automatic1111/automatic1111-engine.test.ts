import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createTestEngine,
  generate,
  generateImage,
  openEngine,
  until,
} from '../../../test/support/automatic1111/engine.ts'
import {
  models,
  type DoubleOptions,
  type Flavor,
  type Override,
} from '../../../test/support/automatic1111/server.ts'
import { expectFailure, requestFor } from '../../../test/support/image-engine-contract.ts'
import { images } from '../../../test/support/openai/images.ts'
import type { EngineEvent, EngineRequest, ImageEngine, ReportedSettings } from '../image-engine.ts'

const { signal } = new AbortController()

function respond(path: RegExp, status: number, body: unknown, type = 'application/json'): Override {
  return (request, response) => {
    if (!path.test(request.path)) return false
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
    return true
  }
}

const txt2img = /txt2img/

describe('request', () => {
  test('sends the prompts, the default size and a random seed', async () => {
    const { server, engine } = await openEngine()
    await generate(engine, { prompt: 'a heron', negativePrompt: 'blurry' })
    expect(server.calls[0]).toMatchObject({
      path: '/sdapi/v1/txt2img',
      body: {
        prompt: 'a heron',
        negative_prompt: 'blurry',
        width: 1024,
        height: 1024,
        seed: -1,
        steps: 20,
        save_images: false,
        override_settings: { live_previews_enable: true, show_progress_every_n_steps: 3 },
        override_settings_restore_afterwards: true,
      },
    })
    for (const absent of ['sampler_name', 'scheduler', 'cfg_scale', 'init_images', 'mask', 'model']) {
      expect(server.calls[0]?.body).not.toHaveProperty(absent)
    }
  })

  test('sends the requested size and seed, and the configured settings', async () => {
    const config = { steps: 30, sampler: 'Euler a', scheduler: 'Simple', cfgScale: 1 }
    const { server, engine } = await openEngine({}, config)
    await generate(engine, { size: { width: 768, height: 512 }, seed: 0 })
    expect(server.calls[0]?.body).toMatchObject({
      width: 768,
      height: 512,
      seed: 0,
      steps: 30,
      sampler_name: 'Euler a',
      scheduler: 'Simple',
      cfg_scale: 1,
    })
  })

  test('sends the first reference image in its proportions, and a mask whose white areas are redrawn in place', async () => {
    const { server, engine } = await openEngine()
    await generate(engine, { references: [images.jpeg, images.preview] })
    const size = { width: 512, height: 512 }
    await generate(engine, { references: [images.jpeg], mask: images.png, strength: 0, size })
    const init = { init_images: [images.jpeg.toString('base64')], resize_mode: 1 }
    const [plain, masked] = server.calls
    expect(plain?.path).toBe('/sdapi/v1/img2img')
    expect(plain?.body).toMatchObject({ ...init, width: 1184, height: 888, denoising_strength: 0.75 })
    expect(plain?.body).not.toHaveProperty('mask')
    expect(masked?.body).toMatchObject({
      ...init,
      ...size,
      mask: images.png.toString('base64'),
      denoising_strength: 0,
      inpainting_fill: 1,
      inpaint_full_res: false,
    })
  })

  test('removes parameters of stable-diffusion.cpp from both prompts', async () => {
    const { server, engine } = await openEngine({ flavor: 'sdcpp' })
    const tag = '<sd_cpp_extra_args>{"steps": 900}</sd_cpp_extra_args>'
    await generate(engine, { prompt: `a heron${tag}`, negativePrompt: `${tag}blurry` })
    expect(server.calls[0]?.body).toMatchObject({ prompt: 'a heron', negative_prompt: 'blurry' })
    await expectFailure(generate(engine, { prompt: tag }), 'prompt_blocked')
  })

  test('sends credentials and headers with every request', async () => {
    const config = { username: 'ana', password: 'pässword', headers: { 'X-Proxy-Key': 'k3y' } }
    const { server, engine } = await openEngine({ credentials: 'ana:pässword', stepMs: 10 }, config)
    await engine.check(signal)
    await generate(engine)
    expect(server.requests.length).toBeGreaterThan(5)
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({
        authorization: `Basic ${Buffer.from('ana:pässword').toString('base64')}`,
        'x-proxy-key': 'k3y',
      })
    }
  })

  test('keeps the path of a proxy and ignores the path of the API', async () => {
    const { server } = await openEngine({
      override: (request) => void Object.assign(request, { path: request.path.replace(/^\/gpu/, '') }),
    })
    const engine = createTestEngine(`${server.url}/gpu/sdapi/v1/?x=1#y`)
    expect(engine.serialKey).toBe(`${server.url}/gpu`)
    await generate(engine)
    expect(server.calls).toHaveLength(1)
  })
})

describe('result', () => {
  const used = {
    model: 'sdxl_juggernaut',
    seed: 2_784_513_069,
    steps: 20,
    sampler: 'DPM++ 2M',
    scheduler: 'Karras',
    cfgScale: 7,
  }
  const unnamed = { model: 'juggernaut', seed: used.seed, steps: 8, cfgScale: 7 }
  const unnamedInfo = { sampler_name: 'NONE', extra_generation_params: { 'Schedule type': 'NONE' } }
  const impossible = {
    seed: 2 ** 64,
    steps: '20',
    cfg_scale: 1e9,
    sampler_name: { a: 1 },
    sd_model_name: '/home/ana/models/secret.safetensors',
    extra_generation_params: 'none',
  }
  const sent = { steps: 9, sampler: 'Euler a' }
  test.each<[string, DoubleOptions, typeof sent | object, Partial<EngineRequest>, ReportedSettings]>([
    ['that the server used', {}, {}, {}, used],
    ['that were sent if it reports none', { flavor: 'koboldcpp' }, sent, { seed: 5 }, { ...sent, seed: 5 }],
    ['without a seed that neither names', { flavor: 'koboldcpp' }, sent, {}, sent],
    ['without names that sd.cpp does not know', { flavor: 'sdcpp', info: unnamedInfo }, {}, {}, unnamed],
    [
      'without impossible values, and folders of names',
      { info: impossible },
      {},
      { seed: 3 },
      { model: 'secret.safetensors', seed: 3, steps: 20 },
    ],
  ])('has the settings %s', async (_, double, config, request, expected) => {
    const { engine } = await openEngine({ image: images.png, ...double }, config)
    const { bytes, settings } = await generateImage(engine, request)
    expect(Buffer.compare(bytes, images.png)).toBe(0)
    expect(settings).toEqual(expected)
  })

  test('skips a grid, and ignores images of extensions', async () => {
    const all = [images.preview, images.webp, images.sharper].map((image) => image.toString('base64'))
    const override = respond(txt2img, 200, { images: all, info: '{"index_of_first_image": 1}' })
    const { engine } = await openEngine({ override })
    expect(Buffer.compare((await generateImage(engine)).bytes, images.webp)).toBe(0)
  })

  test.each([
    ['an empty image', { images: [''], info: '' }],
    ['no images', { images: [] }],
  ])('fails on %s', async (_name, body) => {
    const { engine } = await openEngine({ override: respond(txt2img, 200, body) })
    await expectFailure(generate(engine), 'engine_failed')
  })
})

describe('errors', () => {
  const oom = { error: 'OutOfMemoryError', detail: '', body: '', errors: 'CUDA out of memory. Tried 2 GiB' }

  test.each([
    [401, { detail: 'Incorrect username or password' }, 'engine_misconfigured'],
    [404, { detail: 'Not Found' }, 'engine_misconfigured'],
    [404, { detail: 'Sampler not found' }, 'engine_misconfigured'],
    [302, '', 'engine_misconfigured'],
    [422, { detail: [{ loc: ['body', 'x'], msg: 'bad', type: 'y' }] }, 'engine_misconfigured'],
    [400, { error: 'prompt required' }, 'engine_failed'],
    [500, oom, 'engine_out_of_memory'],
    [500, { detail: 'CUDA out of memory' }, 'engine_out_of_memory'],
    [500, { error: 'failed', message: 'ggml: failed to allocate buffer' }, 'engine_out_of_memory'],
    [500, { error: 'NansException', errors: 'NaN in /home/ana/model' }, 'engine_failed'],
    [500, 'Internal Server Error', 'engine_failed'],
    [502, '<html>', 'engine_unavailable'],
    [504, '<html>', 'engine_timeout'],
    [200, '<!doctype html>', 'engine_misconfigured'],
  ] as const)('maps the status %i with %j to %s', async (status, body, code) => {
    const { engine, lines } = await openEngine(
      { override: respond(txt2img, status, body) },
      { password: 's3cret', username: 'ana' },
    )
    const error = await expectFailure(generate(engine, { prompt: 'a heron named Quentin' }), code)
    expect(error).toMatchObject({ cause: { status } })
    expect(lines.join('')).not.toMatch(/s3cret|Quentin|\/home/)
  })

  test('sends a call again that a busy server rejected', async () => {
    let rejected = 0
    const busy = respond(txt2img, 503, { detail: { msg: 'Server is busy', type: 'service_unavailable' } })
    const { server, engine } = await openEngine({
      flavor: 'koboldcpp',
      override: (request, response) =>
        txt2img.test(request.path) && rejected++ === 0 && busy(request, response),
    })
    await generateImage(engine)
    expect(server.calls).toHaveLength(2)
  })
})

describe('progress', () => {
  const withProgress: Flavor[] = ['a1111', 'sdnext', 'koboldcpp']

  test.each(withProgress)('%s: reports growing progress and each preview once', async (flavor) => {
    const { server, engine } = await openEngine({ flavor, stepMs: 10 })
    const release = server.hold()
    const events: EngineEvent[] = []
    for await (const event of engine.generate(requestFor('a heron'), signal)) {
      events.push(event)
      const { length } = server.requests
      if (event.type === 'partial') void until(() => server.requests.length > length + 3).then(release)
    }
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event.progress] : []))
    expect(progress).toContain(0.5)
    expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b))
    const previews = events.filter(({ type }) => type === 'partial')
    expect(previews).toHaveLength(1)
    expect(previews[0]).toMatchObject({ bytes: images.preview })
  })

  test.each([
    ['a1111', true],
    ['sdcpp', false],
    ['drawthings', false],
  ] as const)(
    'is offered if %s reports it, which is asked again after an error',
    async (flavor, hasProgress) => {
      let isDown = false
      const override: Override = (_request, response) => {
        if (isDown) response.writeHead(502).end()
        return isDown
      }
      const { server, engine } = await openEngine({ flavor, override })
      const check = async () => {
        const { capabilities = engine.capabilities } = await engine.check(signal)
        expect(capabilities).toMatchObject({ progress: hasProgress, previews: hasProgress })
        return server.requests.filter(({ path }) => path.includes('progress')).length
      }
      expect(await check()).toBe(1)
      expect(await check()).toBe(1)
      isDown = true
      await expect(engine.check(signal)).rejects.toMatchObject({ code: 'engine_unavailable' })
      isDown = false
      expect(await check()).toBe(2)
    },
  )

  test.each(['sdcpp', 'drawthings', 'llamaswap'] as const)(
    '%s: asks for progress once only',
    async (flavor) => {
      const { server, engine } = await openEngine(
        { flavor, stepMs: 5 },
        flavor === 'llamaswap' ? { model: 'flux' } : {},
      )
      for (const _ of [1, 2]) {
        expect((await generate(engine)).map(({ type }) => type)).toEqual(['complete'])
      }
      expect(server.requests.filter(({ path }) => path.includes('progress'))).toHaveLength(1)
      expect(server.calls[1]?.body['override_settings']).toEqual({})
    },
  )

  test.each([
    ['HTML', '<!doctype html>'],
    ['other types', { progress: 'half', state: 7, current_image: 9 }],
    ['a preview of 20 MB', { progress: 0.5, current_image: 'A'.repeat(20_000_000) }],
  ])('generates an image although the progress is %s', async (_name, body) => {
    const { engine } = await openEngine({ stepMs: 10, override: respond(/progress/, 200, body) })
    const types = new Set((await generate(engine)).map(({ type }) => type))
    expect(types).not.toContain('partial')
    expect(types).toContain('complete')
  })

  test.each(['a1111', 'sdnext'] as const)(
    '%s: shows nothing of a job that another user runs',
    async (flavor) => {
      const { server, engine } = await openEngine({ flavor, stepMs: 10 })
      const stranger = server.runStranger('page', 20)
      const events = await generate(engine, {}, signal)
      await stranger
      for (const event of events) {
        if (event.type === 'partial') expect(event.bytes).toEqual(images.preview)
      }
      expect(events.at(-1)?.type).toBe('complete')
    },
  )

  test('follows its job after those of other clients of the API', async () => {
    const { server, engine } = await openEngine({ stepMs: 10 })
    const strangers = [server.runStranger('api', 20), server.runStranger('api', 20)]
    const ours = Promise.all(strangers).then(() => server.hold())
    const previews: Uint8Array[] = []
    for await (const event of engine.generate(requestFor('a heron'), signal)) {
      if (event.type !== 'partial') continue
      previews.push(event.bytes)
      ;(await ours)()
    }
    expect(previews).toEqual([images.preview])
  })

  test('shows nothing if the server cannot tell its job from those of other clients', async () => {
    const { server, engine } = await openEngine({ stepMs: 10, hasWebPage: false })
    const strangers = [server.runStranger('api', 20), server.runStranger('api', 20)]
    const events = await generate(engine)
    await Promise.all(strangers)
    expect(events.map(({ type }) => type)).toEqual(['complete'])
  })

  test('stops showing progress when another user of SD.Next queues a job, which replaces its state', async () => {
    let isQueued = false
    const state = { job: 'Text', job_count: 1, job_timestamp: '9', interrupted: false, skipped: false }
    const body = { id: 'x', progress: 0.9, state, current_image: images.sharper.toString('base64') }
    const other = respond(/\/sdapi\/v1\/progress/, 200, body)
    const { server, engine } = await openEngine({
      flavor: 'sdnext',
      stepMs: 5,
      override: (request, response) => isQueued && other(request, response),
    })
    const release = server.hold()
    const types: string[] = []
    for await (const event of engine.generate(requestFor('a heron'), signal)) {
      types.push(event.type)
      if (event.type === 'progress') expect(event.progress).toBeLessThan(0.9)
      if (event.type !== 'partial') continue
      expect(event.bytes).toEqual(images.preview)
      isQueued = true
      setTimeout(release, 50)
    }
    expect(types.filter((type) => type === 'partial')).toHaveLength(1)
  })
})

describe('cancel', () => {
  const reason = new Error('canceled')

  /** Starts a generation, and aborts it when a condition is true. */
  async function abortWhen(engine: ImageEngine, condition: () => unknown): Promise<void> {
    const controller = new AbortController()
    const done = generate(engine, {}, controller.signal)
    await until(condition)
    controller.abort(reason)
    await expect(done).rejects.toBe(reason)
  }

  /** Starts a generation that is held in the middle, and aborts it. */
  async function cancelRunning(flavor: Flavor) {
    const opened = await openEngine({ flavor, stepMs: 3 }, flavor === 'llamaswap' ? { model: 'flux' } : {})
    const release = opened.server.hold()
    await abortWhen(opened.engine, () => (opened.server.running?.step ?? 0) > 3)
    return { ...opened, release }
  }

  test.each([
    ['a1111', ['ours']],
    ['sdnext', ['ours']],
    ['koboldcpp', ['ours']],
    ['sdcpp', []],
    ['drawthings', []],
    ['llamaswap', []],
  ] as const)('%s: interrupts %j, and closes the connection', async (flavor, interrupted) => {
    const { server, release } = await cancelRunning(flavor)
    if (interrupted.length === 0) release()
    await until(() => !server.running)
    expect(server.interrupted).toEqual(interrupted)
  })

  test.each([
    ['interrupts a job that was queued behind others when it starts, and nothing else', true, ['ours']],
    ['interrupts nothing if the server cannot tell its job from those of other clients', false, []],
  ])('%s', async (_, hasWebPage, interrupted) => {
    const { server, engine } = await openEngine({ stepMs: 5, hasWebPage })
    const strangers = [server.runStranger(hasWebPage ? 'page' : 'api', 10), server.runStranger('api', 10)]
    await abortWhen(engine, () => server.calls.length === 1)
    const ended = await Promise.all(strangers)
    expect(ended.map(({ isInterrupted }) => isInterrupted)).toEqual([false, false])
    await until(() => server.last?.isStranger === false && !server.running)
    expect(server.interrupted).toEqual(interrupted)
  })

  test('of an enlargement interrupts it, whose progress was reported', async () => {
    const { server, engine } = await openEngine({ stepMs: 3 })
    server.hold()
    const controller = new AbortController()
    const of = { ...requestFor(''), references: [images.jpeg], upscale: 2 }
    const events: string[] = []
    const done = (async () => {
      for await (const { type } of engine.generate(of, controller.signal)) events.push(type)
    })()
    await until(() => events.includes('progress'))
    controller.abort(reason)
    await expect(done).rejects.toBe(reason)
    await until(() => !server.running)
    expect(server.interrupted).toEqual(['ours'])
  })

  test('sends nothing for a generation that is canceled while it waits for another', async () => {
    const { server, engine } = await openEngine({ stepMs: 3 })
    const release = server.hold()
    const first = generate(engine)
    await until(() => server.calls.length === 1)
    await abortWhen(engine, () => true)
    release()
    await first
    expect(server.calls).toHaveLength(1)
    expect(server.interrupted).toEqual([])
    await generateImage(engine)
  })

  test('starts the next generation only after the canceled job has ended', async () => {
    const { server, engine, release } = await cancelRunning('a1111')
    release()
    await generateImage(engine)
    expect(server.maxInFlight).toBe(1)
  })

  test('fails if a user of the server interrupts the job, instead of keeping half an image', async () => {
    const { server, engine } = await openEngine({ stepMs: 5 })
    server.hold()
    const interrupted = async () => {
      for await (const { type } of engine.generate(requestFor('a heron'), signal)) {
        if (type === 'partial') server.interruptAsOperator()
      }
    }
    await expectFailure(interrupted(), 'engine_failed', {
      message: 'The image was interrupted at the engine.',
    })
  })
})

describe('models', () => {
  test.each([
    'sdxl/juggernaut.safetensors [31e35c80fc]',
    'SDXL/Juggernaut.safetensors',
    'sdxl\\juggernaut.safetensors',
    'sdxl_juggernaut',
    'juggernaut.safetensors',
    'juggernaut',
    'juggernaut.safetensors [31e35c80fc]',
    '/data/models/Stable-diffusion/sdxl/juggernaut.safetensors',
  ])('finds the model by %s', async (model) => {
    const { server, engine } = await openEngine({}, { model })
    expect((await generateImage(engine)).settings).toMatchObject({ model: 'sdxl_juggernaut' })
    expect(server.calls[0]?.body['override_settings']).toMatchObject({
      sd_model_checkpoint: models[0]?.title,
    })
    expect(await engine.check(signal)).toMatchObject({ models: ['sdxl_juggernaut'] })
  })

  test.each(['a1111', 'koboldcpp', 'sdcpp', 'drawthings'] as const)(
    '%s: rejects an unknown model instead of using another',
    async (flavor) => {
      const { server, engine } = await openEngine({ flavor }, { model: '/models/pony.safetensors' })
      const message = 'The image engine has no model named “pony.safetensors”.'
      await expectFailure(generate(engine), 'engine_misconfigured', { message })
      expect(server.calls).toHaveLength(0)
      await expectFailure(engine.check(signal), 'engine_misconfigured', { cause: /check `model`/ })
    },
  )

  test('rejects a name that several models have', async () => {
    const list = ['a/x.safetensors', 'b/x.safetensors'].map((title) => ({ title, filename: title }))
    const { engine } = await openEngine({ override: respond(/sd-models/, 200, list) }, { model: 'x' })
    await expectFailure(generate(engine), 'engine_misconfigured', { cause: /several models/ })
    const { models: names } = await createTestEngine(engine.serialKey ?? '').check(signal)
    expect(names).toEqual(['a/x.safetensors', 'b/x.safetensors'])
  })

  test('fails if the server used another model', async () => {
    const { engine } = await openEngine({ info: { sd_model_name: 'v1-5-pruned' } }, { model: 'juggernaut' })
    await expectFailure(generate(engine), 'engine_failed')
  })

  test('finds a model that was added after the list was read', async () => {
    let isAdded = false
    const added = { title: 'new.safetensors', model_name: 'new', filename: 'new.safetensors' }
    const longer = respond(/sd-models/, 200, [...models, added])
    const { engine } = await openEngine({
      info: { sd_model_name: 'new' },
      override: (request, response) => isAdded && longer(request, response),
    })
    await generateImage(engine)
    isAdded = true
    await generateImage(engine, { model: 'new' })
  })

  test('uses the list that it has while the server responds to nothing but images', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let isBusy = false
    const failing = respond(/sd-models/, 500, 'Internal Server Error')
    const { server, engine } = await openEngine(
      { override: (request, response) => isBusy && failing(request, response) },
      { model: 'juggernaut' },
    )
    await generateImage(engine)
    vi.advanceTimersByTime(61_000)
    isBusy = true
    await generateImage(engine)
    expect(server.requests.filter(({ path }) => path.includes('sd-models'))).toHaveLength(2)
    await expect(engine.check(signal)).rejects.toMatchObject({ code: 'engine_failed' })
  })

  test.each([
    ['an empty list', 200, []],
    ['a list of another type', 200, { a: 1 }],
    ['an error', 500, 'Internal Server Error'],
    ['no list', 404, {}],
  ])('uses the loaded model of a server with %s', async (_name, status, body) => {
    const { engine } = await openEngine({ override: respond(/sd-models/, status, body) })
    expect((await generateImage(engine)).settings).toMatchObject({ model: 'juggernaut' })
  })

  test.each([
    ['koboldcpp', 'dreamshaper_8'],
    ['sdcpp', 'dreamshaper_8'],
    ['drawthings', 'sd_v1.5_f16.ckpt'],
  ] as const)('%s: accepts its only model without switching to it', async (flavor, model) => {
    const { server, engine } = await openEngine({ flavor }, { model })
    await generateImage(engine)
    expect(server.calls[0]?.body['override_settings']).not.toHaveProperty('sd_model_checkpoint')
    expect(server.calls[0]?.body).not.toHaveProperty('steps')
    expect(server.calls[0]?.body).not.toHaveProperty('model')
  })
})

describe('check', () => {
  test.each([
    ['a1111', ['v1-5-pruned', 'sdxl_juggernaut', 'dreamshaper_8']],
    ['sdnext', ['v1-5-pruned', 'sdxl_juggernaut', 'dreamshaper_8']],
    ['koboldcpp', ['dreamshaper_8']],
    ['sdcpp', ['dreamshaper_8']],
    ['drawthings', ['sd_v1.5_f16']],
  ] as const)('%s: lists the models, the loaded one first', async (flavor, expected) => {
    const { server, engine } = await openEngine({ flavor })
    expect(await engine.check(signal)).toMatchObject({ models: expected })
    expect(server.calls).toHaveLength(0)
  })

  test('llamaswap: requires a model', async () => {
    const { server, engine } = await openEngine({ flavor: 'llamaswap' })
    await expectFailure(engine.check(signal), 'engine_misconfigured', { cause: /llama-swap: flux/ })
    expect(await createTestEngine(server.url, { model: 'flux' }).check(signal)).toMatchObject({
      models: ['flux'],
    })
  })

  test.each([
    ['options', null, []],
    ['progress', 'flux', ['flux']],
  ])('accepts a server that has %s, but no list of models', async (name, model, expected) => {
    const { engine } = await openEngine(
      {
        override: (request, response) =>
          !new RegExp(`sdapi/v1/${name}`).test(request.path) && respond(/./, 404, {})(request, response),
      },
      { model },
    )
    expect(await engine.check(signal)).toMatchObject({ models: expected })
  })

  test.each([
    ['a server without --api', { hasApi: false }, {}, /--api/],
    ['wrong credentials', { credentials: 'a:b' }, { username: 'a', password: 'c' }, /`password`/],
    ['an unknown sampler', {}, { sampler: 'Heun' }, /no sampler “Heun”/],
    ['a page instead of an API', { override: respond(/./, 200, '<html>', 'text/html') }, {}, /`url`/],
    ['an empty list of models', { override: respond(/sd-models/, 200, []) }, {}, /no image model/],
    ['a list of another type', { override: respond(/sd-models/, 200, { a: 1 }) }, {}, /`url`/],
  ])('reports %s with the fix', async (_name, double, config, fix) => {
    const { engine } = await openEngine(double, config)
    await expectFailure(engine.check(signal), 'engine_misconfigured', { cause: fix })
  })

  test.each(['euler A', 'k_euler_a', 'DPM++ 2M Karras'])('accepts the sampler %s', async (sampler) => {
    const { engine } = await openEngine({}, { sampler })
    await engine.check(signal)
  })
})

test('generates one image at a time per server, also for two engines', async () => {
  const { server, engine } = await openEngine()
  const other = createTestEngine(`${server.url}/`, { id: 'other', model: 'juggernaut' })
  expect(other.serialKey).toBe(engine.serialKey)
  await Promise.all([engine, other, engine, other].map((one) => generateImage(one)))
  expect(server.calls).toHaveLength(4)
  expect(server.maxInFlight).toBe(1)
})
