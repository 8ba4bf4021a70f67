import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { transports } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { createScriptedEngine, eventually } from '../support/generations.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl, noisyImage } from '../support/images.ts'

const noSpace = 'This site is out of storage space. Contact the operator of this site.'
const megabyte = 1024 * 1024

/** Starts a server whose uploads folder, limited to 64 MB, already has `used` bytes. */
async function startNearlyFull(used: number) {
  const folder = await tempFolder()
  const uploads = path.join(folder, 'uploads')
  await (await startTestServer({ folder })).stop()
  const earlier = path.join(uploads, 'earlier')
  await writeFile(earlier, Buffer.alloc(used))
  const { engine, jobs, waitForJob } = createScriptedEngine()
  const lines: string[] = []
  const server = await startTestServer({
    folder,
    // The engine with the largest images.
    engine: { ...engine, kind: 'openai' },
    env: { UPLOADS_MAX_BYTES: '64M' },
    logTo: { write: (line) => void lines.push(line) },
  })
  const restart = async () => {
    await server.stop()
    await rm(earlier)
    return startTestServer({ folder, env: { UPLOADS_MAX_BYTES: '64M' } })
  }
  return { server, restart, asha: await server.signUp(), jobs, waitForJob, log: () => lines.join('') }
}

test.each(transports)(
  'rejects photos for a full uploads folder until one is deleted, through $name',
  async (transport) => {
    const { server, asha, log } = await startNearlyFull(64 * megabyte - 1_000_000)
    const share = async () =>
      transport.share(
        server,
        { prompt: 'A lotus', photo: dataUrl(await noisyImage().jpeg().toBuffer()) },
        asha,
      )
    expect(await share()).toMatchObject({ error: null })
    let answer = await share()
    for (let more = 0; answer.error === null && more < 50; more += 1) answer = await share()
    expect(answer).toMatchObject({ status: 507, error: noSpace })
    expect(log()).toContain('UPLOADS_MAX_BYTES: ')
    const { posts } = await asha.trpc.posts.list.query()
    const usage = await server.services.db.selectFrom('daily_usage').select(['kind', 'used']).execute()
    expect(usage).toEqual([
      { kind: 'post', used: posts.length },
      { kind: 'upload', used: posts.length },
    ])
    // The next photo may be a little larger than the last one.
    for (const { id } of posts.slice(0, 2)) await asha.trpc.posts.delete.mutate({ id })
    expect(await share()).toMatchObject({ error: null })
  },
)

test.each(transports)(
  'does not start a generation that might not fit, without consuming quota, through $name',
  async (transport) => {
    const { server, restart, asha, jobs } = await startNearlyFull(31 * megabyte)
    expect(await transport.generate(server, { prompt: 'A lotus' }, asha)).toMatchObject({
      status: 507,
      error: noSpace,
    })
    expect(jobs).toEqual([])
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    expect(await asha.trpc.images.list.query()).toMatchObject({ images: [] })

    const again = await restart()
    expect(await transport.generate(again, { prompt: 'A lotus' }, { cookie: asha.cookie })).toMatchObject({
      error: null,
    })
  },
)

test('refunds a generation without calling the engine if the space is reserved for another', async () => {
  const { server, asha, jobs, waitForJob } = await startNearlyFull(0)
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
  expect((await server.request('/')).status).toBe(200)
})

test('stores images again without a restart after another process freed space', async () => {
  const { server, asha } = await startNearlyFull(64 * megabyte - 100_000)
  const share = async () => {
    const photo = dataUrl(await noisyImage().jpeg().toBuffer())
    const shared = asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', photo })
    return shared.then(
      () => null,
      (error: { message: string }) => error.message,
    )
  }
  let message = await share()
  for (let more = 0; message === null && more < 50; more += 1) message = await share()
  expect(message).toBe(noSpace)
  await rm(path.join(server.directory, 'uploads/earlier'))
  await eventually(share).toBeNull()
})
