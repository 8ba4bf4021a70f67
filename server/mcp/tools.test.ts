import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import sharp from 'sharp'
import { allCapabilities, createFailingEngine, createInstantEngine } from '../../test/support/engine.ts'
import { createScriptedEngine, eventually } from '../../test/support/generations.ts'
import { noisyImage } from '../../test/support/images.ts'
import { createKey } from '../../test/support/openai-api/client.ts'
import { connectMcp, imagesOf, jsonOf, protocols, textOf } from '../../test/support/mcp.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import { AppError } from '../errors/app-error.ts'

const server = shareTestServer({ env: { DAILY_IMAGE_LIMIT: '500', DAILY_POST_LIMIT: '500' } })
let asha: TestUser
let ravi: TestUser
let key: string
beforeAll(async () => {
  asha = await server().signUp('Asha Rao')
  ravi = await server().signUp('Ravi Shah')
  key = await createKey(asha)
})

/** Calls a tool with a key, or without one. */
async function call(name: string, input: object, bearer: string | null = key, siteUrl = server().url) {
  const client = await connectMcp(siteUrl, { key: bearer ?? undefined })
  return client.callTool({ name, arguments: { ...input } })
}

interface Generated {
  readonly id: string
  readonly state: string
  readonly imageUrl: string
  readonly post?: { readonly id: string; readonly url: string; readonly visibility: string }
}

async function generate(
  input: { readonly prompt: string; readonly [option: string]: unknown },
  bearer = key,
) {
  const result = await call('generate_image', input, bearer)
  if (result.isError) throw new Error(textOf(result))
  const { images } = jsonOf(result) as { images: [Generated, ...Generated[]] }
  return { image: images[0], images, result }
}

describe.each(protocols)('for $name', ({ mode }) => {
  test('lists the tools with the engines to choose from', async () => {
    const client = await connectMcp(server().url, { mode })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search_posts', true],
      ['get_post', true],
      ['generate_image', false],
      ['share_image', false],
      ['my_images', true],
    ])
    for (const { title, description } of tools) expect([title, description]).not.toContain(undefined)
    const generateImage = tools.find(({ name }) => name === 'generate_image')
    expect(generateImage?.inputSchema.required).toEqual(['prompt'])
    expect(JSON.stringify(generateImage?.inputSchema.properties?.['engine'])).toContain('rangoli (Patterns)')
  })

  test('generates, shares and finds an image', async () => {
    const client = await connectMcp(server().url, { key, mode })
    const prompt = `A lotus for ${JSON.stringify(mode)}`
    const generated = await client.callTool({ name: 'generate_image', arguments: { prompt } })
    const [jpeg] = imagesOf(generated)
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
    const { images } = jsonOf(generated) as { images: [Generated] }
    const { id: imageId, post } = images[0]
    expect(post?.url).toBe(`${server().url}/posts/${post?.id}`)

    const shared = await client.callTool({
      name: 'share_image',
      arguments: { imageId, visibility: 'public' },
    })
    expect(shared.structuredContent).toEqual(jsonOf(shared))
    expect(shared.structuredContent).toMatchObject({ post: { ...post, visibility: 'public' } })

    const visitor = await connectMcp(server().url, { mode })
    const found = await visitor.callTool({ name: 'search_posts', arguments: { query: prompt } })
    expect(found.structuredContent).toEqual(jsonOf(found))
    expect(found.structuredContent).toMatchObject({
      posts: [{ id: post?.id, url: post?.url, prompt, name: 'Asha', width: 64, height: 48 }],
      total: 1,
    })
    const shown = await visitor.callTool({ name: 'get_post', arguments: { id: post?.id } })
    expect(jsonOf(shown)).toMatchObject({ id: post?.id, prompt, engine: 'Patterns', visibility: 'public' })
    expect(await sharp(imagesOf(shown)[0]).metadata()).toMatchObject({ format: 'jpeg', width: 64 })

    const own = await client.callTool({ name: 'my_images', arguments: { limit: 1 } })
    expect(own.structuredContent).toEqual(jsonOf(own))
    expect(own.structuredContent).toMatchObject({
      images: [
        { id: imageId, state: 'succeeded', prompt, posts: [{ url: post?.url, visibility: 'public' }] },
      ],
    })
  })
})

describe('generate_image', () => {
  test.each([
    ['unlisted', {}, 0, 200],
    ['public', { visibility: 'public' }, 1, 200],
    ['private', { visibility: 'private' }, 0, 404],
  ] as const)('shares a post that is %s, with links, for %j', async (visibility, input, found, status) => {
    const prompt = `A heron that is ${visibility}`
    const { image, result } = await generate({ prompt, ...input })
    expect(image.post?.visibility).toBe(visibility)
    expect(imagesOf(result)).toHaveLength(1)
    expect((await asha.trpc.posts.list.query({ search: prompt })).total).toBe(found)
    for (const url of [image.imageUrl, image.post?.url ?? '']) expect((await fetch(url)).status).toBe(status)
  })

  test('creates no post without visibility, and a private one if that is the default of the account', async () => {
    const meera = await server().signUp('Meera Iyer')
    await meera.trpc.account.updateSettings.mutate({ defaultVisibility: 'private' })
    const bearer = await createKey(meera)
    expect((await generate({ prompt: 'A quiet heron' }, bearer)).image.post?.visibility).toBe('private')
    const { image } = await generate({ prompt: 'A heron of its own', visibility: 'none' }, bearer)
    expect(image.post).toBeUndefined()
    expect((await meera.trpc.images.list.query()).images[0]).toMatchObject({ id: image.id, posts: [] })
  })

  test('returns several images below a megabyte in all', async () => {
    const bytes = await noisyImage(1_440, 1_080).jpeg({ quality: 95 }).toBuffer()
    expect(bytes.length).toBeGreaterThan(1_000_000)
    const engine: ImageEngine = {
      ...createInstantEngine({ capabilities: allCapabilities }),
      async *generate() {
        yield await Promise.resolve({ type: 'complete', bytes } as const)
      },
    }
    const own = await startTestServer({ engine })
    const bearer = await createKey(await own.signUp())
    for (const count of [1, 4]) {
      const result = await call('generate_image', { prompt: `Noise ${count}`, count }, bearer, own.url)
      expect(JSON.stringify(result).length).toBeLessThan(1_000_000)
      expect(imagesOf(result)).toHaveLength(count)
      for (const jpeg of imagesOf(result))
        expect((await sharp(jpeg).metadata()).width).toBe(count === 1 ? 1_280 : 640)
    }
  })

  test('says why an image was not generated', async () => {
    const own = await startTestServer({
      env: { DAILY_IMAGE_LIMIT: '1' },
      engine: createFailingEngine(new AppError('prompt_blocked', 'Not this prompt.', { retryAfter: 7 })),
    })
    const bearer = await createKey(await own.signUp())
    const blocked = await call('generate_image', { prompt: 'Something' }, bearer, own.url)
    expect(blocked).toMatchObject({
      isError: true,
      content: [{ text: 'Not this prompt. Try again in 7 seconds.' }],
    })
    const empty = await call('generate_image', { prompt: ' ' }, bearer, own.url)
    expect(empty).toMatchObject({ isError: true, content: [{ text: 'Please provide a prompt' }] })
  })

  test('returns the image if it cannot be shared', async () => {
    const own = await startTestServer({ env: { DAILY_POST_LIMIT: '1' } })
    const bearer = await createKey(await own.signUp())
    await call('generate_image', { prompt: 'First' }, bearer, own.url)
    const second = await call('generate_image', { prompt: 'Second' }, bearer, own.url)
    expect(jsonOf(second)).toMatchObject({
      images: [{ state: 'succeeded', notShared: 'You have reached your daily post limit.' }],
    })
    expect(imagesOf(second)).toHaveLength(1)
  })

  test('returns after ten minutes what is finished', async () => {
    const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
    const own = await startTestServer({ engine })
    const user = await own.signUp()
    const bearer = await createKey(user)
    const timeout = new AbortController()
    const { timeout: startTimeout } = AbortSignal
    const start = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 600_000 ? timeout.signal : startTimeout.call(AbortSignal, ms)))
    onTestFinished(() => start.mockRestore())
    const messages: (string | undefined)[] = []
    const client = await connectMcp(own.url, { key: bearer })
    const result = client.callTool(
      { name: 'generate_image', arguments: { prompt: 'A slow lotus' } },
      { onprogress: ({ message }) => messages.push(message) },
    )
    const job = await waitForJob('A slow lotus')
    await eventually(() => messages).toContain('Generating')
    expect(start).toHaveBeenCalledWith(600_000)
    timeout.abort()
    const { content, isError } = await result
    expect(isError).toBeUndefined()
    expect(jsonOf({ content })).toMatchObject({ images: [{ state: 'running', prompt: 'A slow lotus' }] })
    expect(content.at(-1)).toMatchObject({ text: expect.stringContaining('my_images') })
    await job.finish()
    await eventually(async () => (await user.trpc.images.list.query()).images[0]?.state).toBe('succeeded')
  })

  test('reports increasing progress, from the queue to the end', async () => {
    const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
    const own = await startTestServer({ engine, env: { IMAGE_CONCURRENCY: '1' } })
    const bearer = await createKey(await own.signUp())
    const other = await own.signUp('Ravi Shah')
    const before = other.generate('Ravi is first')
    const first = await waitForJob('Ravi is first')

    const reports: { progress: number; total?: number | undefined; message?: string | undefined }[] = []
    const count = (message: string) => reports.filter((report) => report.message === message).length
    const reported = (message: string, times = 1) =>
      eventually(() => count(message)).toBeGreaterThanOrEqual(times)
    const client = await connectMcp(own.url, { key: bearer })
    const result = client.callTool(
      { name: 'generate_image', arguments: { prompt: 'Asha is second' } },
      { onprogress: (report) => void reports.push(report) },
    )
    await reported('Next in the queue')
    await first.finish()
    await before
    const job = await waitForJob('Asha is second')
    await reported('Generating')
    job.progress(0.4)
    await reported('Generating', 2)
    job.progress(1)
    await reported('Generating', 3)
    await job.finish()
    expect((await result).isError).toBeUndefined()
    const values = reports.map(({ progress }) => progress)
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b))
    expect(values).toContain(40)
    expect(reports.filter(({ progress }) => progress >= 100)).toEqual([
      { progress: 100, total: 100, message: 'Finished' },
    ])
  })
})

describe('share_image', () => {
  test('uses the defaults of the account', async () => {
    const { id: imageId } = await asha.generate('A kite')
    const shared = await call('share_image', { imageId })
    expect(shared.structuredContent).toMatchObject({ post: { visibility: 'public' } })
    const { posts } = await asha.trpc.posts.list.query({ search: 'A kite' })
    expect(posts).toMatchObject([{ name: 'Asha', prompt: 'A kite' }])
  })

  test('changes the visibility of an existing post', async () => {
    const { image } = await generate({ prompt: 'A kite of two kinds' })
    const shared = await call('share_image', { imageId: image.id, visibility: 'private' })
    expect(shared.structuredContent).toMatchObject({ post: { id: image.post?.id, visibility: 'private' } })
    expect((await fetch(image.imageUrl)).status).toBe(404)
  })

  test('does not share the image of another user', async () => {
    const { id: imageId } = await ravi.generate('Ravi’s kite')
    expect(await call('share_image', { imageId })).toMatchObject({
      isError: true,
      content: [{ text: 'Image not found.' }],
    })
    expect((await ravi.trpc.images.list.query()).images).toMatchObject([{ id: imageId, posts: [] }])
  })
})

describe('get_post', () => {
  test('returns no image of a sensitive post', async () => {
    const { id: imageId } = await asha.generate('A storm')
    const post = { name: 'Asha', prompt: 'A storm', imageId, isSensitive: true }
    const { id } = await asha.trpc.posts.create.mutate(post)
    const result = await call('get_post', { id }, null)
    expect(jsonOf(result)).toMatchObject({
      isSensitive: true,
      imageUrl: expect.stringContaining('/uploads/'),
    })
    expect(imagesOf(result)).toEqual([])
  })

  test('shows a private post to its author only', async () => {
    const { image } = await generate({ prompt: 'A private storm', visibility: 'private' })
    const input = { id: image.post?.id }
    const own = await call('get_post', input)
    expect([jsonOf(own)['visibility'], imagesOf(own).length]).toEqual(['private', 1])
    for (const bearer of [null, await createKey(ravi), await createKey(asha, ['generate', 'share'])]) {
      expect(await call('get_post', input, bearer)).toMatchObject({
        isError: true,
        content: [{ text: 'Post not found.' }],
      })
    }
  })
})

describe('a key with the scope', () => {
  test.each([
    ['read', { generate_image: false, share_image: false, my_images: true }],
    ['generate', { generate_image: true, share_image: false, my_images: false }],
    ['share', { generate_image: false, share_image: true, my_images: false }],
  ] as const)('%s can call its tools only', async (scope, allowed) => {
    const bearer = await createKey(asha, [scope])
    const { id: imageId } = await asha.generate(`For ${scope}`)
    const inputs = { generate_image: { prompt: `By ${scope}` }, share_image: { imageId }, my_images: {} }
    for (const [name, isAllowed] of Object.entries(allowed)) {
      const result = await call(name, inputs[name as keyof typeof inputs], bearer)
      expect([name, result.isError ?? false]).toEqual([name, !isAllowed])
      if (!isAllowed) expect(textOf(result)).toContain('does not have the scope')
    }
    expect((await call('search_posts', { query: 'x' }, bearer)).isError).toBeUndefined()
  })

  test('generate creates no post, and rejects a visibility before the image counts', async () => {
    const meera = await server().signUp('Meera Iyer')
    const bearer = await createKey(meera, ['generate'])
    const { image } = await generate({ prompt: 'Unshared' }, bearer)
    expect(image.post).toBeUndefined()
    const rejected = await call('generate_image', { prompt: 'Shared', visibility: 'public' }, bearer)
    expect(textOf(rejected)).toBe('This API key does not have the scope share.')
    expect(await meera.trpc.images.quota.query()).toMatchObject({ used: 1 })
  })
})
