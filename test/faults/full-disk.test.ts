import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { tempFolder } from '../support/folder.ts'
import { images } from '../support/openai/images.ts'
import { trpcTransport } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { createScriptedEngine, eventually, expectState, follow } from '../support/generations.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import { Engines } from '../../server/engines/engines.ts'
import { Generations } from '../../server/images/generation/generations.ts'
import { openDiskBlobStore } from '../../server/storage/disk-blob-store.ts'
import { smallDisk } from './disks.ts'

const noSpace = 'This site is out of storage space. Contact the operator of this site.'

/** Starts a server with its images or its database on a small disk. */
async function startOnSmallDisk(what: 'images' | 'database') {
  const disk = await smallDisk()
  const env: Record<string, string> =
    what === 'images'
      ? { UPLOADS_DIR: path.join(disk.folder, 'uploads') }
      : { DATABASE_URL: `file:${path.join(disk.folder, 'rangoli.db')}` }
  const { engine, jobs, waitForJob } = createScriptedEngine()
  const server = await startTestServer({ env, engine })
  const asha = await server.signUp()
  const photo = dataUrl(await plainJpeg('a photo'))
  return { disk, server, asha, photo, jobs, waitForJob, log: () => server.lines.join('') }
}

test('a blob store on a full disk rejects an image, keeps nothing of it, and stores the next one that fits', async () => {
  const disk = await smallDisk()
  const directory = path.join(disk.folder, 'uploads')
  const store = await openDiskBlobStore(directory)
  const stored = await store.put({ 'original.jpg': Buffer.alloc(100_000, 'a') })
  disk.fill()
  await expect(store.put({ 'original.jpg': Buffer.alloc(100_000, 'b') })).rejects.toMatchObject({
    code: 'storage_full',
    cause: { code: expect.stringMatching(/^(?:ENOSPC|EFBIG)$/) },
  })
  expect(await readdir(directory)).toEqual([stored])
  expect((await store.read(stored, 'original.jpg'))?.length).toBe(100_000)
  disk.freeSpace()
  expect(await store.put({ 'original.jpg': Buffer.alloc(100_000, 'c') })).toMatch(/./)
})

test('rejects a photo with a full disk of images, keeps serving posts, and recovers', async () => {
  const { disk, server, asha, log } = await startOnSmallDisk('images')
  const share = async (prompt: string) =>
    trpcTransport.share(server, { prompt, photo: dataUrl(await plainJpeg(prompt)) }, asha)
  expect(await share('Before')).toMatchObject({ error: null })
  disk.fill()
  expect(await share('While full')).toMatchObject({ status: 507, error: noSpace })
  expect(log()).toMatch(/bytes left|ENOSPC|EFBIG/)
  const { posts } = await asha.trpc.posts.list.query()
  expect(posts).toMatchObject([{ prompt: 'Before' }])
  expect((await server.request(posts[0]?.photo ?? '')).status).toBe(200)
  disk.freeSpace()
  expect(await share('After')).toMatchObject({ error: null })
  const usage = await server.services.db.selectFrom('daily_usage').select(['kind', 'used']).execute()
  expect(usage).toEqual([
    { kind: 'post', used: 2 },
    { kind: 'upload', used: 2 },
  ])
})

test('a generated image waits for free space and is then stored unchanged', async () => {
  const { disk, server, asha, waitForJob, jobs, log } = await startOnSmallDisk('images')
  const generation = follow(asha.trpc, { prompt: 'A lotus' })
  const job = await waitForJob('A lotus')
  disk.fill()
  await job.finish(images.signed)
  await eventually(log).toContain('storing a generated image failed; retrying')
  const imageId = await generation.id
  await expectState(asha, imageId, { state: 'running' })
  disk.freeSpace()
  const { image } = await generation.seen('succeeded')
  const served = await server.request(image.photo, { headers: server.headersOf(asha) })
  expect(Buffer.from(await served.arrayBuffer()).equals(images.signed)).toBe(true)
  expect(jobs).toHaveLength(1)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('a generation fails with the reason and refunds the quota if no space becomes free', async () => {
  const { disk, server, asha, log } = await startOnSmallDisk('images')
  const { engine, waitForJob } = createScriptedEngine()
  const generations = new Generations({
    ...server.services,
    engines: new Engines([engine], server.services.log),
    imageConcurrency: 1,
    imageTimeout: 60,
    imageLeaseSeconds: 30,
    runsGenerations: true,
    notifications: null,
    storageRetryMs: 600,
  })
  const viewer = { id: asha.id, firstName: 'Asha', imageUrl: null, role: 'member' as const }
  const [image] = await generations.generate(viewer, { prompt: 'A lotus' })
  const waiting = generations.waitForOriginal(viewer, image?.id ?? '')
  waiting.catch(() => {})
  const job = await waitForJob('A lotus')
  disk.fill()
  await job.finish()
  await eventually(log).toContain('a generation failed')
  disk.freeSpace()
  await expect(waiting).rejects.toMatchObject({ code: 'storage_full' })
  expect((await asha.trpc.images.list.query()).images).toMatchObject([
    { state: 'failed', failure: 'storage_full', photo: null },
  ])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  expect(log()).toMatch(/ENOSPC|EFBIG/)
})

test('rejects writes with a full disk of the database, keeps serving posts, and recovers', async () => {
  const { disk, server, asha, photo, jobs, log } = await startOnSmallDisk('database')
  const share = (prompt: string) => trpcTransport.share(server, { prompt, photo }, asha)
  expect(await share('Before')).toMatchObject({ error: null })
  disk.fill()
  for (const rejected of [
    await share('While full'),
    await trpcTransport.generate(server, { prompt: 'A lotus' }, asha),
  ]) {
    expect(disk.databaseStatuses).toContain(rejected.status)
    expect(rejected.error).toMatch(
      /^This site .* Contact the operator of this site\.$|^This site .* in a moment\.$/,
    )
  }
  expect(jobs).toEqual([])
  expect(log()).toMatch(/database or disk is full|disk I\/O error/)
  expect((await trpcTransport.list(server, {})).posts).toMatchObject([{ prompt: 'Before' }])
  expect((await server.request('/')).status).toBe(200)
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
  disk.freeSpace()
  expect(await share('After')).toMatchObject({ error: null })
  expect((await trpcTransport.list(server, {})).posts).toMatchObject([
    { prompt: 'After' },
    { prompt: 'Before' },
  ])
})

test('records results of generations once the database can be written again', async () => {
  const { disk, asha, waitForJob, log } = await startOnSmallDisk('database')
  const made = follow(asha.trpc, { prompt: 'A lotus' })
  const failed = follow(asha.trpc, { prompt: 'A tiger' })
  const [lotus, tiger] = [await waitForJob('A lotus'), await waitForJob('A tiger')]
  disk.fill()
  await lotus.finish()
  tiger.fail(new Error('out of paint'))
  await eventually(log).toContain('storing a generated image failed; retrying')
  await eventually(log).toContain('recording the state of a generation failed; retrying')
  disk.freeSpace()
  await made.seen('succeeded')
  await expect(failed.ended).rejects.toMatchObject({ data: { reason: 'engine_failed' } })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

test('a backup to a full disk fails with one line and leaves earlier backups unchanged', async () => {
  const disk = await smallDisk()
  const backups = path.join(disk.folder, 'backups')
  const server = await startTestServer()
  const asha = await server.signUp()
  const take = () => runCommand(server.directory, ['backup', backups])
  await asha.share('A lotus')
  expect((await take()).error).toBeNull()
  const before = await readdir(backups, { recursive: true })
  await asha.share('A kite')

  disk.fill()
  const { error, printed } = await take()
  expect(error).toMatch(/^No backup was made in [^\n]+; earlier backups are unchanged: [^\n]+\.$/)
  expect(printed).toEqual([])
  expect((await readdir(backups, { recursive: true })).sort()).toEqual(before.sort())

  disk.freeSpace()
  const folder = await tempFolder()
  expect((await runCommand(folder, ['restore', backups])).error).toBeNull()
  expect((await runCommand(folder, ['verify'])).error).toBeNull()
  expect((await take()).error).toBeNull()
})

test('a restore to a full disk fails with one line, changes nothing and can be repeated', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  await asha.generate('A lotus')
  const backups = path.join(await tempFolder(), 'backups')
  await runCommand(server.directory, ['backup', backups])

  const disk = await smallDisk()
  const put = () => runCommand(disk.folder, ['restore', backups])
  disk.fill()
  expect((await put()).error).toMatch(/^The backup was not restored: [^\n]+\.$/)
  disk.freeSpace()
  expect((await put()).error).toBeNull()
  expect((await runCommand(disk.folder, ['verify'])).error).toBeNull()
})
