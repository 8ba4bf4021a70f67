import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cursorOf } from '../../test/support/transports.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'

interface RestPost {
  readonly _id: string
  readonly name: string
  readonly prompt: string
  readonly photo: string
}

const read = async (response: Response) => (await response.json()) as { success: true; data: RestPost[] }

describe('GET /api/v1/post', () => {
  test('returns posts oldest first, with four fields and the absolute URL of a JPEG', async () => {
    const server = await startTestServer()
    const ids = await fillGallery(server, numberedPosts(3))
    // An empty parameter is a missing one.
    const response = await server.request('/api/v1/post?search=&limit=&before=')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('cache-control')).toMatch(/private|no-store/)
    expect(response.headers.get('link')).toBeNull()
    const { success, data } = await read(response)
    expect(success).toBe(true)
    expect(data.map(({ _id }) => _id)).toEqual(ids)
    for (const post of data) expect(Object.keys(post).sort()).toEqual(['_id', 'name', 'photo', 'prompt'])
    const photo = data[0]?.photo ?? ''
    expect(photo.startsWith(`${server.url}/uploads/`)).toBe(true)
    const image = await fetch(photo)
    expect(image.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(await image.arrayBuffer()).metadata()).toMatchObject({ format: 'jpeg' })
  })

  test('names a sensitive image, and leaves out unlisted posts and hidden prompts', async () => {
    const server = await startTestServer()
    const asha = await server.signUp()
    const { id: imageId } = await asha.generate('A lotus')
    const create = (prompt: string, options: object) =>
      asha.trpc.posts.create.mutate({ prompt, imageId, ...options })
    const { id } = await create('Blurred', { isSensitive: true })
    await create('Unlisted', { visibility: 'unlisted' })
    const secret = await create('Secret', { hidePrompt: true })
    const { data } = await read(await server.request('/api/v1/post'))
    expect(data).toMatchObject([
      { _id: id, prompt: 'Blurred', sensitive: true },
      { _id: secret.id, prompt: '' },
    ])
    expect(data[1]).not.toHaveProperty('sensitive')
  })

  test('returns at most the newest 1,000, and links to the next page', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(2_345))
    const pages: RestPost[][] = []
    let address: string | null = '/api/v1/post'
    while (address !== null) {
      const response = await server.request(address)
      pages.unshift((await read(response)).data)
      expect(cursorOf(response) === null).toBe(response.headers.get('link') === null)
      const next = /<(.+)>/.exec(response.headers.get('link') ?? '')?.[1]
      address = next?.startsWith(server.url) ? next.slice(server.url.length) : null
    }
    expect(pages.map((page) => page.length)).toEqual([345, 1_000, 1_000])
    expect(pages.flat().map(({ prompt }) => prompt)).toEqual(numberedPosts(2_345).map(({ prompt }) => prompt))
  })

  test('the link keeps the search and the limit', async () => {
    const server = await startTestServer()
    await fillGallery(server, numberedPosts(3, 'नीला & co'))
    const query = new URLSearchParams({ search: 'नीला & co', limit: '2' })
    const first = await server.request(`/api/v1/post?${query}`)
    const next = new URL(/<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    expect(Object.fromEntries(next.searchParams)).toMatchObject({ search: 'नीला & co', limit: '2' })
    expect((await read(await fetch(next))).data.map(({ prompt }) => prompt)).toEqual(['नीला & co 1'])
  })

  test('uses PUBLIC_URL in URLs if it is set', async () => {
    const server = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
    await fillGallery(server, numberedPosts(2))
    const response = await server.request('/api/v1/post?limit=1')
    expect((await read(response)).data[0]?.photo).toMatch(/^https:\/\/pictures\.example\.org\/uploads\//)
    expect(response.headers.get('link')).toMatch(/^<https:\/\/pictures\.example\.org\/api\/v1\/post\?/)
  })
})

describe('POST', () => {
  const server = shareTestServer({ env: { API_TOKEN: 'a-token-of-enough-letters' } })
  const token = { bearer: 'a-token-of-enough-letters' }

  test('imgGenerate returns the stored JPEG, byte for byte', async () => {
    const asha = await server().signUp()
    const options = { prompt: 'A {red|white} lotus', expand: true, count: 2 }
    const response = await server().postJson('/api/v1/imgGenerate', options, asha)
    expect(response.status).toBe(200)
    const { success, photo, ...rest } = (await response.json()) as { success: boolean; photo: string }
    expect([success, rest]).toEqual([true, {}])
    const [image, ...others] = (await asha.trpc.images.list.query()).images
    expect(others).toEqual([])
    const served = Buffer.from(
      await (await server().request(image?.photo ?? '', { headers: server().headersOf(asha) })).arrayBuffer(),
    )
    expect(Buffer.from(photo, 'base64').equals(served)).toBe(true)
    expect(await sharp(served).metadata()).toMatchObject({ format: 'jpeg' })
  })

  test('post shares the image of imgGenerate, like the client of the specification', async () => {
    const generated = await server().postJson('/api/v1/imgGenerate', { prompt: 'A kite' }, token)
    const { photo } = (await generated.json()) as { photo: string }
    const body = { name: '', prompt: 'A kite', photo: `data:image/jpeg;base64,${photo}` }
    const response = await server().postJson('/api/v1/post', body, token)
    expect(response.status).toBe(201)
    const answer = (await response.json()) as { success: true; data: RestPost }
    expect(answer).toEqual({
      success: true,
      data: {
        _id: expect.stringMatching(/^[\w-]+$/),
        name: 'User',
        prompt: 'A kite',
        photo: expect.stringContaining(server().url),
      },
    })
    const { posts } = await server().client().posts.list.query({ search: 'kite' })
    expect(posts).toMatchObject([{ id: answer.data._id, source: 'generated' }])
    const served = Buffer.from(await (await fetch(answer.data.photo)).arrayBuffer())
    expect(served.toString('base64')).toBe(photo)
  })

  test('post needs no Content-Type', async () => {
    const asha = await server().signUp()
    const response = await server().request('/api/v1/post', {
      method: 'POST',
      headers: { ...server().headersOf(asha), 'content-type': 'text/plain' },
      body: JSON.stringify({ name: 'Asha', prompt: 'Plain', photo: dataUrl(await plainJpeg('plain')) }),
    })
    expect(response.status).toBe(201)
  })
})
