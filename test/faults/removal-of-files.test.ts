import { describe, expect, test, vi } from 'vitest'
import { storageUnavailable } from '../../server/errors/app-error.ts'
import { signUpAdministrator } from '../support/administrator.ts'
import { makeAccount, type TestAccount } from '../support/accounts.ts'
import { plainJpeg } from '../support/engine.ts'
import { dataUrl } from '../support/images.ts'
import { uploadsIn } from '../support/site.ts'
import { shareTestServer, type TestServer, type TestUser } from '../support/test-server.ts'

type Post = Awaited<ReturnType<TestUser['trpc']['posts']['create']['mutate']>>

interface Site {
  readonly server: TestServer
  readonly asha: TestAccount
  readonly meera: TestUser
  readonly post: Post
}

const deletions: readonly {
  name: string
  /** Runs while the storage works. */
  prepare?: (site: Site) => Promise<unknown>
  remove: (site: Site) => Promise<unknown>
}[] = [
  {
    name: 'an account is deleted by its user',
    async remove({ server, asha }) {
      const { password, cookie } = asha
      const response = await server.postAccount('/delete-user?posts=remove', { password }, { cookie })
      expect(response.status).toBe(200)
      expect(await server.services.authenticator.profileOf(asha.id)).toBeNull()
    },
  },
  {
    name: 'an author deletes a post',
    remove: ({ asha, post }) => asha.trpc.posts.delete.mutate({ id: post.id }),
  },
  {
    name: 'a post is unhidden whose author has deleted it',
    async prepare({ asha, meera, post }) {
      await meera.trpc.moderation.hide.mutate({ id: post.id })
      await asha.trpc.posts.delete.mutate({ id: post.id })
    },
    remove: ({ meera, post }) => meera.trpc.moderation.unhide.mutate({ id: post.id }),
  },
  {
    name: 'an image is deleted permanently',
    async remove({ asha }) {
      const [image] = (await asha.trpc.images.list.query({ filter: 'shared' })).images
      await asha.trpc.images.delete.mutate({ id: image?.id ?? '' })
      await asha.trpc.images.deletePermanently.mutate({ id: image?.id ?? '' })
    },
  },
]

describe('while files cannot be removed', () => {
  const server = shareTestServer()

  async function withPost(): Promise<Site & { files: string }> {
    const asha = await makeAccount(server())
    const meera = await signUpAdministrator(server())
    const photo = dataUrl(await plainJpeg(`a photo of ${asha.id}`))
    const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', photo })
    return { server: server(), asha, meera, post, files: post.photo.split('/')[2] ?? '' }
  }

  test.each(deletions)('succeeds when $name, and the next sweep removes the files', async (deletion) => {
    const site = await withPost()
    await deletion.prepare?.(site)
    const remove = vi
      .spyOn(server().services.blobs, 'remove')
      .mockRejectedValue(storageUnavailable(new Error('EIO: i/o error'), 30))
    const before = server().lines.length
    await deletion.remove(site)
    await expect.poll(() => remove.mock.calls).toEqual([[site.files]])
    remove.mockRestore()
    expect(await uploadsIn(server().directory)).toContain(site.files)
    await expect
      .poll(() => server().lines.slice(before).join(''))
      .toMatch(/EIO: i\/o error.*removing the files of deleted images failed/)

    expect(await server().services.sweepOrphans(Date.now())).toMatchObject({ removed: 1, quarantined: 0 })
    expect(await uploadsIn(server().directory)).not.toContain(site.files)
    expect(await server().services.sweepOrphans(Date.now())).toMatchObject({ removed: 0 })
  })
})
