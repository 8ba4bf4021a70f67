import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '../../../shared/posts.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Kalā' } })

let site: string
let asha: TestUser
let post: Post
beforeAll(async () => {
  site = server().url
  asha = await server().signUp()
  const large = sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: 'teal' } })
  const photo = dataUrl(await large.jpeg().toBuffer())
  post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', photo })
})

function ask(parameters: Record<string, string>, address = `${site}/posts/${post.id}`) {
  return server().request(`/oembed?${new URLSearchParams({ url: address, ...parameters })}`)
}

describe('/oembed', () => {
  test('describes the image of a post', async () => {
    const response = await ask({})
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      version: '1.0',
      type: 'photo',
      title: 'A lotus',
      author_name: 'Asha',
      author_url: `${site}/authors/${asha.id}`,
      provider_name: 'Kalā',
      provider_url: site,
      url: site + post.photo,
      width: 2_000,
      height: 1_000,
    })
  })

  test.each([
    [{ maxwidth: '1999' }, 'fit-1280.webp', 1_280, 640],
    [{ maxheight: '500' }, 'fit-640.webp', 640, 320],
    [{ maxwidth: '300', maxheight: '200' }, 'fit-640.webp', 300, 150],
  ])('fits the image into %j', async (bounds, file, width, height) => {
    const description = (await (await ask({ format: 'json', ...bounds })).json()) as { url: string }
    expect(description).toMatchObject({ type: 'photo', width, height })
    expect(description.url).toBe(site + post.photo.replace('original.jpg', file))
    expect((await server().request(new URL(description.url).pathname)).status).toBe(200)
  })

  test.each([
    [{ format: 'xml' }, 501],
    [{ maxwidth: '-1' }, 400],
    [{ maxheight: 'wide' }, 400],
  ])('responds to %j with %i', async (parameters, status) => {
    expect((await ask(parameters as Record<string, string>)).status).toBe(status)
  })

  test.each([
    '',
    'nonsense',
    'https://other.example/posts/ID',
    'SITE/posts/unknown',
    'SITE/posts/a%3Fb',
    'SITE/create-post',
  ])('responds 404 to the address "%s"', async (address) => {
    expect((await ask({}, address.replace('ID', post.id).replace('SITE', site))).status).toBe(404)
  })

  test('describes a sensitive post as a link, without its image', async () => {
    const { id: imageId } = await asha.generate('A wound')
    const { id, photo } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A wound', imageId })
    await server().services.db.updateTable('posts').set({ sensitive: 1 }).where('id', '=', id).execute()
    const text = await (await ask({}, `${site}/posts/${id}`)).text()
    expect(JSON.parse(text)).toMatchObject({ type: 'link', title: 'A wound' })
    expect(text).not.toContain(photo.slice(0, photo.lastIndexOf('/')))
  })

  test('responds to an author as to everyone', async () => {
    const own = await server().request(
      `/oembed?${new URLSearchParams({ url: `${site}/posts/${post.id}` })}`,
      {
        headers: { cookie: asha.cookie },
      },
    )
    expect(await own.json()).toEqual(await (await ask({})).json())
  })
})
