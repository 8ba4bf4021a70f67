import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { createScriptedEngine } from '../support/generations.ts'
import { startTestServer } from '../support/test-server.ts'

const noSpace = 'This site is out of storage space. Contact the operator of this site.'
const megabyte = 1024 * 1024

/** Starts a server whose uploads folder, limited to 64 MB, already has `used` bytes. */
async function startNearlyFull(used: number) {
  const folder = await tempFolder()
  const uploads = path.join(folder, 'uploads')
  await (await startTestServer({ folder })).stop()
  await writeFile(path.join(uploads, 'earlier'), Buffer.alloc(used))
  const { engine, jobs, waitForJob } = createScriptedEngine()
  const server = await startTestServer({
    folder,
    // The engine with the largest images.
    engine: { ...engine, kind: 'openai' },
    env: { UPLOADS_MAX_BYTES: '100M' },
  })
  return { asha: await server.signUp(), jobs, waitForJob }
}

test('does not start a generation that might not fit, without consuming quota', async () => {
  const { asha, jobs } = await startNearlyFull(40 * megabyte)
  await expect(asha.generate('A lotus')).rejects.toMatchObject({
    message: noSpace,
    data: { httpStatus: 507 },
  })
  expect(jobs).toEqual([])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  expect(await asha.trpc.images.list.query()).toMatchObject({ images: [] })
})

test('refunds a generation without calling the engine if the space is reserved for another', async () => {
  const { asha, jobs, waitForJob } = await startNearlyFull(0)
  const first = asha.generate('A lotus')
  const job = await waitForJob('A lotus')
  // The running generation reserves its largest size, so that a second one does not fit.
  const second = asha.generate('A tiger').catch((error: unknown) => error)
  expect(await second).toMatchObject({ message: noSpace, data: { httpStatus: 507, reason: 'storage_full' } })
  expect(jobs).toHaveLength(1)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  await job.finish(await plainJpeg('A lotus'))
  expect(await first).toMatchObject({ state: 'succeeded' })
  const third = asha.generate('A swan')
  await (await waitForJob('A swan')).finish()
  expect(await third).toMatchObject({ state: 'succeeded' })
})
