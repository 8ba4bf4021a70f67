import { describe, expect, test } from 'vitest'
import { createInstantEngine, plainJpeg } from '../../../test/support/engine.ts'
import { eventually } from '../../../test/support/generations.ts'
import { signUpProgram } from '../../../test/support/openai-api/client.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'
import type { ModelDetails } from '../../../shared/engines.ts'
import { type EngineRequest, promptOnly } from '../../engines/image-engine.ts'

const modelDetails: Record<string, ModelDetails> = {
  painter: {
    capabilities: { ...promptOnly, seed: true },
    parameters: [
      { name: 'resolution', type: 'enum', values: ['1K', '2K'] },
      { name: 'guidance', type: 'range', min: 1, max: 20 },
      { name: 'enhance', type: 'boolean' },
    ],
    price: null,
  },
  sketcher: { capabilities: promptOnly, parameters: [], price: null },
}

const requests: EngineRequest[] = []
const router = {
  ...createInstantEngine({
    id: 'router',
    label: 'Router',
    model: '',
    capabilities: { ...promptOnly, seed: true },
    hasModelDetails: true,
    check: () => Promise.resolve({ models: Object.keys(modelDetails), modelDetails }),
  }),
  async *generate(request: EngineRequest) {
    requests.push(request)
    const settings = request.prompt === 'free' ? {} : { cost: 0.0412345 }
    yield { type: 'complete' as const, bytes: await plainJpeg(request.prompt), settings }
  },
}
/** Its default model takes no seed, though another one does. */
const mixed = {
  ...router,
  id: 'mixed',
  check: () => Promise.resolve({ models: ['sketcher', 'painter'], modelDetails }),
}
/** Its parameters are those of a workflow, whatever the model. */
const workflow = {
  ...router,
  id: 'workflow',
  model: 'flux',
  label: 'Workflow',
  check: () =>
    Promise.resolve({
      models: [],
      capabilities: promptOnly,
      modelDetails: {
        '': {
          capabilities: promptOnly,
          parameters: [
            { name: 'Words', type: 'text' },
            { name: 'Frame', type: 'image' },
            { name: 'Tiled', type: 'boolean' },
          ] as const,
          price: null,
        },
      },
    }),
}
const { hasModelDetails: _, ...ofWorkflow } = workflow
const server = shareTestServer({
  engines: [router, mixed, ofWorkflow, createInstantEngine({ id: 'plain', label: 'Plain' })],
})

test('the parameters of the default model reach the engine, and stay in the recipe', async () => {
  const asha = await server().signUp()
  const parameters = { resolution: '2K', guidance: 2.5, enhance: false }
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', parameters })
  const id = images[0]?.id ?? ''
  await eventually(async () => (await asha.trpc.images.get.query({ id })).state).toBe('succeeded')
  expect(requests.at(-1)).toMatchObject({ model: 'painter', parameters })
  expect(await asha.trpc.images.get.query({ id })).toMatchObject({
    model: 'painter',
    recipe: { parameters },
    cost: 0.041235,
  })
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
  const ravi = await server().signUp('Ravi Shah')
  const shared = await ravi.trpc.posts.get.query({ id: post.id })
  expect(shared).toMatchObject({ recipe: { parameters } })
  expect(JSON.stringify(shared)).not.toMatch(/cost/iu)
})

describe('inputs of a workflow', () => {
  async function start() {
    const asha = await server().signUp()
    const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A frame', model: 'sketcher' })
    const frame = images[0]?.id ?? ''
    await eventually(async () => (await asha.trpc.images.get.query({ id: frame })).state).toBe('succeeded')
    return { asha, frame }
  }

  test('reach the engine, and stay with their owner', async () => {
    const { asha, frame } = await start()
    const parameters = { Words: 'in\nink', Frame: frame, Tiled: true }
    const input = { engine: 'workflow', prompt: 'A lotus', parameters }
    const { images } = await asha.trpc.images.generate.mutate(input)
    const id = images[0]?.id ?? ''
    await eventually(async () => (await asha.trpc.images.get.query({ id })).state).toBe('succeeded')
    expect(requests.at(-1)).toMatchObject({
      parameters,
      parameterImages: { Frame: expect.any(Buffer) as Buffer },
    })
    expect(await asha.trpc.images.get.query({ id })).toMatchObject({ model: 'flux', recipe: { parameters } })

    const ravi = await server().signUp('Ravi Shah')
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
    const { recipe } = await ravi.trpc.posts.get.query({ id: post.id })
    expect(recipe?.parameters).toEqual({ Words: 'in\nink', Tiled: true })
    expect(JSON.stringify(recipe)).not.toContain(frame)
    await asha.trpc.posts.update.mutate({ id: post.id, hidePrompt: true })
    const hidden = await ravi.trpc.posts.get.query({ id: post.id })
    expect(hidden.recipe?.parameters).toEqual({ Tiled: true })
  })

  test.each([
    ['an image of another user', { Frame: '' }, 404, 'image'],
    ['control characters', { Words: 'a\0b' }, 400, 'The parameter "Words" must be a text'],
    ['no id', { Frame: 7 }, 400, 'The parameter "Frame" must be the id of one of your images.'],
    ['what is not declared', { Steps: 7 }, 400, 'Workflow has no parameter "Steps".'],
  ])('are not %s', async (_what, given, status, message) => {
    const { frame } = await start()
    const ravi = await server().signUp('Ravi Shah')
    const parameters = 'Frame' in given && given.Frame === '' ? { Frame: frame } : given
    const input = { prompt: 'A lotus', engine: 'workflow', parameters }
    const response = await server().postJson('/trpc/images.generate', input, ravi)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(JSON.stringify(message).slice(1, -1))
  })
})

test('the cost is null where the provider does not say, and no seed is chosen for a model without', async () => {
  const asha = await server().signUp()
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'free', model: 'sketcher' })
  const id = images[0]?.id ?? ''
  await eventually(async () => (await asha.trpc.images.get.query({ id })).state).toBe('succeeded')
  expect(await asha.trpc.images.get.query({ id })).toMatchObject({ cost: null, recipe: { seed: null } })
  expect(requests.at(-1)).toMatchObject({ parameters: {}, seed: null })
})

test('engines.list has the details of each model', async () => {
  const { engines } = await (await server().signUp()).trpc.engines.list.query()
  expect(engines.map((engine) => engine.modelDetails)).toEqual([
    modelDetails,
    modelDetails,
    // Those of a workflow are the same for all models.
    { '': (await workflow.check()).modelDetails[''] },
    undefined,
  ])
})

test('a program of /v1 gets what the default model takes', async () => {
  const { client } = await signUpProgram(server())
  const { data } = await client.images.generate({ model: 'mixed', prompt: 'A fan' })
  expect(data).toHaveLength(1)
  expect(requests.at(-1)).toMatchObject({ model: 'sketcher', seed: null })
})

const resolution = 'The parameter "resolution" must be one of 1K, 2K.'
const sentence = '`parameters` must be an object of at most 30 values: texts, numbers, true or false.'
test.each([
  [{ parameters: { resolution: '8K' } }, resolution],
  [{ parameters: { resolution: 2 } }, resolution],
  [{ parameters: { guidance: 21 } }, 'The parameter "guidance" must be a number from 1 to 20.'],
  [{ parameters: { enhance: 'yes' } }, 'The parameter "enhance" must be true or false.'],
  [{ parameters: { steps: 4 } }, 'painter has no parameter "steps".'],
  [{ parameters: { resolution: '1K' }, model: 'sketcher' }, 'sketcher has no parameter "resolution".'],
  [{ parameters: { resolution: '1K' }, engine: 'plain' }, 'Plain has no parameter "resolution".'],
  [{ seed: 1, model: 'sketcher' }, 'Router does not support seeds.'],
  [{ parameters: [] }, sentence],
  [{ parameters: Object.fromEntries(Array.from(Array(31).keys(), (n) => [n, n])) }, sentence],
])('rejects %j', async (input, message) => {
  const asha = await server().signUp()
  const response = await server().postJson('/trpc/images.generate', { prompt: 'A lotus', ...input }, asha)
  expect(await response.json()).toMatchObject({ error: { message } })
  expect(response.status).toBe(400)
})

test('a request key belongs to the parameters, too', async () => {
  const asha = await server().signUp()
  const generate = (value: string) =>
    asha.trpc.images.generate.mutate({
      prompt: 'A key',
      requestKey: 'the-same-key',
      parameters: { resolution: value },
    })
  const [first, again] = [await generate('1K'), await generate('1K')]
  expect(again.images[0]?.id).toBe(first.images[0]?.id)
  await expect(generate('2K')).rejects.toThrow('other settings')
})
