import { expect, test } from 'vitest'
import { createScriptedEngine, imageRows } from '../../test/support/generations.ts'
import { allCapabilities, plainJpeg } from '../../test/support/engine.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { discardUploads } from './trash.ts'

async function upload(user: TestUser, text: string): Promise<string> {
  const { id } = await user.trpc.images.upload.mutate(new Blob([new Uint8Array(await plainJpeg(text))]))
  return id
}

test('discards unused uploads with their files, and keeps what the user or another request needs', async () => {
  const { engine, waitForJob } = createScriptedEngine({ capabilities: allCapabilities })
  const server = await startTestServer({ engine })
  const [asha, ravi] = [await server.signUp(), await server.signUp()]
  const ids = {
    unused: await upload(asha, 'unused'),
    shared: await upload(asha, 'shared'),
    reference: await upload(asha, 'reference'),
    mask: await upload(asha, 'mask'),
    hidden: await upload(asha, 'hidden'),
    ofRavi: await upload(ravi, 'of Ravi'),
  }
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', imageId: ids.shared })
  await server.services.db.updateTable('images').set({ hidden_at: 1 }).where('id', '=', ids.hidden).execute()
  const { images } = await asha.trpc.images.generate.mutate({
    prompt: 'A lotus',
    referenceImageIds: [ids.reference],
    maskImageId: ids.mask,
  })
  const job = await waitForJob('A lotus')
  const folders = await uploadsIn(server.directory)

  await discardUploads(server.services, asha.id, [...Object.values(ids), images[0]?.id ?? '', 'unknown'])

  const left = (await imageRows(server)).map(({ id }) => id)
  expect(left).toEqual([ids.shared, ids.reference, ids.mask, ids.hidden, ids.ofRavi, images[0]?.id])
  expect(await uploadsIn(server.directory)).toHaveLength(folders.length - 1)
  await job.finish()
})
