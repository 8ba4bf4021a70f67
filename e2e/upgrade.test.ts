import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppRouter } from '../server/trpc/router.ts'
import { copyEarlierSite, earlierSite } from './support/earlier-site.ts'
import { password } from './support/user.ts'
import { startHostedServer, type HostedServer } from './support/hosted-server.ts'
import { makeFolder } from './support/server-process.ts'

describe('a site of commit 4cc01976', () => {
  let server: HostedServer
  let removeFolder: () => Promise<void>
  let signIns = 0

  beforeAll(async () => {
    const folder = await makeFolder()
    removeFolder = folder.remove
    await copyEarlierSite(folder.path)
    server = await startHostedServer(folder.path, { PORT: '0', TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await server.stop()
    await removeFolder()
  })

  function clientWith(headers: Record<string, string> = {}) {
    return createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${server.url}/trpc`, headers })],
    })
  }

  async function signIn(email: string) {
    const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: server.url,
        'x-forwarded-for': `10.2.0.${(signIns += 1)}`,
      },
      body: JSON.stringify({ email, password }),
    })
    expect(response.status).toBe(200)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return clientWith({ cookie, origin: server.url })
  }

  test('lists every post that is not hidden, newest first, and finds them by search', async () => {
    const { posts, total } = await clientWith().posts.list.query()
    expect(posts.map(({ name, prompt }) => [name, prompt])).toEqual([
      ['रवि', 'An uploaded photo'],
      ['रवि', 'दीवाली के दीये'],
      ['Asha', 'A lotus on a lake'],
      ['Asha', 'A lotus on a lake'],
    ])
    expect(total).toBe(4)
    expect((await clientWith().posts.list.query({ search: 'दीवाली' })).total).toBe(1)
    expect((await clientWith().posts.list.query({ search: 'LOTUS' })).total).toBe(2)
  })

  test('serves every image byte for byte', async () => {
    const { posts } = await clientWith().posts.list.query()
    for (const { photo } of posts) {
      const response = await fetch(server.url + photo)
      const [, , folder = '', file = ''] = photo.split('/')
      const original = await readFile(path.join(earlierSite, 'images', folder, file))
      expect(Buffer.from(await response.arrayBuffer()).equals(original)).toBe(true)
    }
  })

  test('lets users sign in, and keeps their images in every state', async () => {
    const asha = await signIn('asha@example.org')
    const { images } = await asha.images.list.query()
    expect(images.map(({ prompt, state, failure }) => [prompt, state, failure])).toEqual([
      ['hang at the restart', 'failed', 'interrupted'],
      ['hang and cancel', 'canceled', null],
      ['A peacock in the monsoon', 'succeeded', null],
      ['A lotus on a lake', 'succeeded', null],
    ])
    const ravi = await signIn('ravi@example.org')
    expect((await ravi.images.list.query()).images.map(({ state, failure }) => [state, failure])).toEqual([
      ['succeeded', null],
      ['failed', 'engine_failed'],
      ['succeeded', null],
    ])
  })

  test('joins the image of a request key', async () => {
    const asha = await signIn('asha@example.org')
    const before = await asha.images.list.query()
    const request = { prompt: 'A lotus on a lake', requestKey: 'key-of-asha' }
    const { images } = await asha.images.generate.mutate(request)
    const { posts, ...image } = before.images.at(-1) ?? { posts: [] }
    expect(posts).not.toEqual([])
    expect(images).toEqual([image])
    expect(await asha.images.list.query()).toEqual(before)
  })

  test('accepts API keys, and lists them', async () => {
    const [key = ''] = /rgl_\w+/.exec(await readFile(path.join(earlierSite, 'README.md'), 'utf8')) ?? []
    expect(await clientWith({ authorization: `Bearer ${key}` }).viewer.query()).toMatchObject({
      firstName: 'Asha',
    })
    const ravi = await signIn('ravi@example.org')
    expect(await ravi.account.apiKeys.list.query()).toMatchObject([{ name: 'Expiring' }])
  })

  test('keeps reports, hidden posts and the administrator', async () => {
    const meera = await signIn('meera@example.org')
    const { entries } = await meera.moderation.listReported.query()
    expect(
      entries.map(({ post, isHidden, reports }) => [
        post.prompt,
        isHidden,
        reports.map(({ comment }) => comment),
      ]),
    ).toEqual([
      ['A lotus on a lake', false, ['']],
      ['A peacock in the monsoon', true, ['Not nice']],
    ])
    expect(await meera.moderation.auditLog.query()).toMatchObject([
      { action: 'hide', administrator: 'Meera' },
    ])
  })
})
