import { expect, test } from 'vitest'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import type { BlobStore } from '../../server/storage/blob-store.ts'
import { createPost, deletePost } from '../../server/posts/posts-service.ts'
import { letTimePass, uploadsIn } from '../support/site.ts'

/** Result of a removal of orphaned images that finds none. */
const nothing = { quarantined: 0, restored: 0, removed: 0, skippedReason: null }

const crash = new Error('the process is gone')

/** Wraps a store to throw before or after a method, as if the process had ended there. */
function crashing(blobs: BlobStore, when: 'after put' | 'before remove'): BlobStore {
  return {
    ...blobs,
    async put(files, reservation) {
      const folder = await blobs.put(files, reservation)
      if (when === 'after put') throw crash
      return folder
    },
    remove: (folder) => (when === 'before remove' ? Promise.reject(crash) : blobs.remove(folder)),
  }
}

async function startWithPost(folder: string) {
  const server = await startTestServer({ folder })
  const asha = await server.signUp()
  const viewer = { id: asha.id, firstName: 'Asha', imageUrl: null, role: 'member' as const }
  const input = { name: 'Asha', prompt: 'A lotus', photo: dataUrl(await plainJpeg('a lotus')) }
  const post = await createPost(server.services, viewer, input)
  return { server, viewer, input, post }
}

/** Restarts a server on a folder whose contents are made two hours older. */
async function startLater(folder: string): Promise<TestServer> {
  await letTimePass(folder, 2 * 60 * 60 * 1_000)
  return startTestServer({ folder })
}

async function foldersAndRows(server: TestServer) {
  const rows = await server.services.db.selectFrom('images').select('folder').execute()
  const folders = await uploadsIn(server.directory)
  return { folders, rows: rows.map((row) => row.folder ?? '').toSorted() }
}

test('removes the files of an image whose row was not written before a crash', async () => {
  const folder = await tempFolder()
  const { server, viewer, input, post } = await startWithPost(folder)
  const services = { ...server.services, blobs: crashing(server.services.blobs, 'after put') }
  const another = { ...input, photo: dataUrl(await plainJpeg('another lotus')) }
  await expect(createPost(services, viewer, another)).rejects.toBe(crash)
  await server.stop()

  const again = await startLater(folder)
  expect((await foldersAndRows(again)).folders).toHaveLength(2)
  expect(await again.services.sweepOrphans(Date.now())).toEqual({ ...nothing, quarantined: 1 })
  const { folders, rows } = await foldersAndRows(again)
  expect(folders).toEqual(rows)
  expect((await again.request(post.photo)).status).toBe(200)
  expect(await again.services.db.selectFrom('daily_usage').select(['kind', 'used']).execute()).toEqual([
    { kind: 'post', used: 1 },
    { kind: 'upload', used: 1 },
  ])
})

test('removes the files of an image whose row was deleted before a crash', async () => {
  const folder = await tempFolder()
  const { server, viewer, post } = await startWithPost(folder)
  const services = { ...server.services, blobs: crashing(server.services.blobs, 'before remove') }
  await deletePost(services, viewer, { id: post.id })
  await server.stop()

  const again = await startLater(folder)
  expect(await again.services.sweepOrphans(Date.now())).toEqual({ ...nothing, removed: 1 })
  expect(await foldersAndRows(again)).toEqual({ folders: [], rows: [] })
  expect((await again.client().posts.list.query({})).total).toBe(0)
})
