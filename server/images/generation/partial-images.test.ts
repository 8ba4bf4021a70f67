import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { dialectOf } from '../../db/dialect-of.ts'
import { images } from '../../../test/support/openai/images.ts'
import { plainJpeg } from '../../../test/support/engine.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { uploadsIn } from '../../../test/support/site.ts'

const { engine, waitForJob } = createScriptedEngine()
const server = shareTestServer({ engine })

const preview = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#c60' } })

test('sends previews as data URLs of the type of their bytes, and drops invalid images', async () => {
  const asha = await server().signUp()
  const own = follow(asha.trpc, { prompt: 'Of each type' })
  const job = await waitForJob('Of each type')
  await own.seen('running')
  const previews = {
    'image/jpeg': await preview().jpeg().toBuffer(),
    'image/png': await preview().png().toBuffer(),
    'image/webp': await preview().webp().toBuffer(),
  }
  job.preview(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
  job.preview(Buffer.alloc(0))
  for (const bytes of Object.values(previews)) job.preview(bytes)
  await job.finish()
  await own.ended
  expect(own.events.flatMap((event) => (event.type === 'preview' ? event.dataUrl : []))).toEqual(
    Object.entries(previews).map(([type, bytes]) => dataUrl(bytes, type)),
  )
})

/** Reads all files of the server's folder, and the rows of a database that is elsewhere. */
async function everythingStored({ directory, services: { db } }: TestServer): Promise<Buffer> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const contents = await Promise.all(
    files.map(({ parentPath, name }) => readFile(path.join(parentPath, name))),
  )
  if (dialectOf(db) === 'sqlite') return Buffer.concat(contents)
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(tables.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(db)))
  return Buffer.concat([...contents, Buffer.from(JSON.stringify(rows))])
}

test.each(['finish', 'fail'] as const)('never stores previews of a generation that will %s', async (end) => {
  const asha = await server().signUp()
  const prompt = `Never stored, ${end}`
  const own = follow(asha.trpc, { prompt })
  const imageId = await own.id
  const job = await waitForJob(prompt)
  const bytes = await plainJpeg(`a preview of ${prompt}`)
  const folders = () => uploadsIn(server().directory)
  const before = await folders()
  job.preview(bytes)
  await own.seen('preview')
  expect(await folders()).toEqual(before)
  const row = async () => (await imageRows(server())).find(({ id }) => id === imageId)
  expect(await row()).toMatchObject({ state: 'running', folder: null, sha256: null, placeholder: null })

  if (end === 'finish') await job.finish()
  else job.fail(new Error('out of paint'))
  await Promise.allSettled([own.ended])
  expect((await folders()).length).toBe(before.length + (end === 'finish' ? 1 : 0))
  const stored = await everythingStored(server())
  expect(stored.includes(imageId)).toBe(true)
  expect(stored.includes(bytes)).toBe(false)
  expect(stored.includes(bytes.toString('base64'))).toBe(false)
})

test('sends previews only to their owner, and none through REST', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const own = follow(asha.trpc, { prompt: 'For Asha' })
  const rest = server().postJson('/api/v1/imgGenerate', { prompt: 'For Asha, too' }, asha)
  const others = follow(ravi.trpc, { prompt: 'For Ravi' })
  const jobs = [await waitForJob('For Asha'), await waitForJob('For Asha, too'), await waitForJob('For Ravi')]
  for (const job of jobs) job.preview(await plainJpeg(`a preview ${job.prompt}`))
  await Promise.all([own.seen('preview'), others.seen('preview')])
  for (const job of jobs) await job.finish(images.signed)
  await Promise.all([own.ended, others.ended])

  const partials = (events: typeof own.events) => events.filter(({ type }) => type === 'preview')
  expect(partials(own.events)).toEqual([
    { type: 'preview', id: await own.id, dataUrl: dataUrl(await plainJpeg('a preview For Asha')) },
  ])
  expect(partials(others.events)).toEqual([
    { type: 'preview', id: await others.id, dataUrl: dataUrl(await plainJpeg('a preview For Ravi')) },
  ])
  expect(await (await rest).json()).toEqual({
    success: true,
    photo: images.signed.toString('base64'),
  })
})

test('sends no previews of a finished image', async () => {
  const asha = await server().signUp()
  const own = follow(asha.trpc, { prompt: 'No more previews' })
  const job = await waitForJob('No more previews')
  job.preview(await plainJpeg('rough'))
  await job.finish()
  const { image } = await own.seen('succeeded')
  await eventually(own.types).toContain('preview')
  const later = follow(asha.trpc, { id: image.id })
  await later.ended
  expect(later.types()).toEqual(['succeeded'])
})

test('sends previews to a subscription for each image, and other reads go on, with two connections to the database', async () => {
  const scripted = createScriptedEngine()
  const env = { DATABASE_CONNECTIONS: '2', IMAGE_CONCURRENCY: '12' }
  const own = await startTestServer({ engine: scripted.engine, env })
  const asha = await own.signUp()
  const prompts = Array.from({ length: 12 }, (_, index) => `One of many, ${index}`)
  const followed = prompts.map((prompt) => follow(asha.trpc, { prompt }))
  const jobs = await Promise.all(prompts.map((prompt) => scripted.waitForJob(prompt)))
  const bytes = await preview().jpeg().toBuffer()
  await Promise.all(followed.map(({ seen }) => seen('running')))
  for (const job of jobs) job.preview(bytes)
  await Promise.all(followed.map(({ seen }) => seen('preview')))
  const reads = Array.from({ length: 12 }, () => asha.trpc.images.list.query())
  for (const { images: listed } of await Promise.all(reads)) expect(listed).toHaveLength(12)
  await Promise.all(jobs.map((job) => job.finish()))
  await Promise.all(followed.map(({ ended }) => ended))
})
