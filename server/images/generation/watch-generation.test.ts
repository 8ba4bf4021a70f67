import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { plainJpeg } from '../../../test/support/engine.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../../../test/support/generations.ts'
import { dataUrl } from '../../../test/support/images.ts'
import { uploadsIn } from '../../../test/support/site.ts'
import {
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../../../test/support/test-server.ts'
import { dialectOf } from '../../db/dialect-of.ts'

const { engine, waitForJob } = createScriptedEngine()
const options = { engine, env: { IMAGE_CONCURRENCY: '1' } }
const server = shareTestServer(options)

/** Creates a client of the same user. */
const secondClient = ({ cookie }: TestUser, of = server()) => of.client(of.headersOf({ cookie }))

const startGeneration = (user: TestUser, prompt: string) => follow(user.trpc, { prompt })

const join = (user: TestUser, imageId: string, of?: TestServer) =>
  follow(secondClient(user, of), { id: imageId })

describe('a subscription', () => {
  test('reports a queued job from its current position to its end', async () => {
    const own = await startTestServer(options)
    const [asha, ravi, meera] = [await own.signUp(), await own.signUp(), await own.signUp()]
    const first = startGeneration(ravi, 'Ravi is first')
    const before = await waitForJob('Ravi is first')
    await startGeneration(meera, 'Meera is second').seen('queued')
    const { image } = await startGeneration(asha, 'Asha waits').seen('queued')
    const { id, createdAt } = image
    expect(image).toMatchObject({ prompt: 'Asha waits', startedAt: null })

    const other = join(asha, id, own)
    expect(await other.seen('queue')).toEqual({ type: 'queue', id, position: 1, waitSeconds: null })
    expect(other.events[0]).toMatchObject({ type: 'state', image: { id, createdAt } })
    await before.finish()
    const next = { type: 'queue', id, position: 0, waitSeconds: expect.any(Number) }
    expect(await other.seen('queue', 1)).toEqual(next)
    await (await waitForJob('Meera is second')).finish()
    const { startedAt } = (await other.seen('running')).image
    expect(Date.parse(startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(createdAt))
    await (await waitForJob('Asha waits')).finish()
    await Promise.all([first.ended, other.ended])
    expect(other.types()).toEqual(['queued', 'queue', 'queue', 'running', 'succeeded'])
    for (let time = 0; time < 2; time += 1) {
      const later = join(asha, id, own)
      await later.ended
      expect(later.events).toMatchObject([{ type: 'state', image: { id, state: 'succeeded' } }])
    }
  })

  test.each<[name: string, end: Error | null, reason: string, httpStatus: number]>([
    ['a failure', new Error('out of paint'), 'engine_failed', 502],
    ['a cancellation', null, 'canceled', 409],
  ])('reports %s, also if it starts afterwards', async (name, end, reason, httpStatus) => {
    const asha = await server().signUp()
    const prompt = `Ends with ${name}`
    const own = startGeneration(asha, prompt)
    const id = await own.id
    const job = await waitForJob(prompt)
    const other = join(asha, id)
    await other.seen('running')
    if (end) job.fail(end)
    else await secondClient(asha).images.cancel.mutate({ id })
    for (const watched of [own, other])
      await expect(watched.ended).rejects.toMatchObject({ data: { reason, httpStatus } })
    await expect(join(asha, id).ended).rejects.toMatchObject({ data: { reason, httpStatus } })
  })

  test('ends neither the job nor other subscriptions when its client unsubscribes', async () => {
    const asha = await server().signUp()
    const own = startGeneration(asha, 'Watched by many')
    const imageId = await own.id
    const job = await waitForJob('Watched by many')
    const controller = new AbortController()
    const unsubscribed = follow(secondClient(asha), { id: imageId }, controller.signal)
    await unsubscribed.seen('running')
    controller.abort()
    await expect(unsubscribed.ended).rejects.toThrow('abort')
    expect(job.signal.aborted).toBe(false)
    await job.finish()
    await own.ended
  })
})

test('finishes and counts a generation whose client disconnects', async () => {
  const asha = await server().signUp()
  const controller = new AbortController()
  const rest = server().request('/api/v1/imgGenerate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...server().headersOf(asha) },
    body: JSON.stringify({ prompt: 'Without subscribers' }),
    signal: controller.signal,
  })
  const job = await waitForJob('Without subscribers')
  controller.abort()
  await expect(rest).rejects.toThrow('abort')
  await job.finish()
  await eventually(() => asha.trpc.images.list.query()).toMatchObject({ images: [{ state: 'succeeded' }] })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
})

describe('previews', () => {
  test('are data URLs of the type of their bytes, the latest one for those who join', async () => {
    const asha = await server().signUp()
    const own = startGeneration(asha, 'Of each type')
    const job = await waitForJob('Of each type')
    await own.seen('running')
    const image = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#c60' } })
    const previews = {
      'image/jpeg': await image().jpeg().toBuffer(),
      'image/png': await image().png().toBuffer(),
      'image/webp': await image().webp().toBuffer(),
    }
    job.preview(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'))
    job.preview(Buffer.alloc(0))
    for (const bytes of Object.values(previews)) job.preview(bytes)
    const latest = await own.seen('preview', 2)
    const other = join(asha, await own.id)
    expect(await other.seen('preview')).toEqual(latest)
    expect(other.types()).toEqual(['running', 'preview'])
    job.preview(await plainJpeg('finest'))
    expect(await other.seen('preview', 1)).toEqual(await own.seen('preview', 3))
    await job.finish()
    await Promise.all([own.ended, other.ended])
    expect(other.types()).toEqual(['running', 'preview', 'preview', 'succeeded'])
    expect(own.events.flatMap((event) => (event.type === 'preview' ? event.dataUrl : []))).toEqual([
      ...Object.entries(previews).map(([type, bytes]) => dataUrl(bytes, type)),
      dataUrl(await plainJpeg('finest')),
    ])
    const later = join(asha, await own.id)
    await later.ended
    expect(later.types()).toEqual(['succeeded'])
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
    const rows = await Promise.all(
      tables.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(db)),
    )
    return Buffer.concat([...contents, Buffer.from(JSON.stringify(rows))])
  }

  test.each(['finish', 'fail'] as const)('are not stored if their generation will %s', async (end) => {
    const asha = await server().signUp()
    const prompt = `Never stored, ${end}`
    const own = startGeneration(asha, prompt)
    const imageId = await own.id
    const job = await waitForJob(prompt)
    const bytes = await plainJpeg(`a preview of ${prompt}`)
    const before = await uploadsIn(server().directory)
    job.preview(bytes)
    await own.seen('preview')
    const row = (await imageRows(server())).find(({ id }) => id === imageId)
    expect(row).toMatchObject({ state: 'running', folder: null, sha256: null, placeholder: null })
    if (end === 'finish') await job.finish()
    else job.fail(new Error('out of paint'))
    await Promise.allSettled([own.ended])
    expect(await uploadsIn(server().directory)).toHaveLength(before.length + (end === 'finish' ? 1 : 0))
    const stored = await everythingStored(server())
    expect(stored.includes(imageId)).toBe(true)
    expect(stored.includes(bytes)).toBe(false)
    expect(stored.includes(bytes.toString('base64'))).toBe(false)
  })

  test('reach the subscription of each image, while others read, with two connections to the database', async () => {
    const scripted = createScriptedEngine()
    const env = { DATABASE_CONNECTIONS: '2', IMAGE_CONCURRENCY: '12' }
    const own = await startTestServer({ engine: scripted.engine, env })
    const [asha, ravi] = [await own.signUp(), await own.signUp()]
    const prompts = Array.from({ length: 12 }, (_, index) => `One of many, ${index}`)
    const followed = prompts.map((prompt, index) => follow((index ? asha : ravi).trpc, { prompt }))
    const jobs = await Promise.all(prompts.map((prompt) => scripted.waitForJob(prompt)))
    await Promise.all(followed.map(({ seen }) => seen('running')))
    for (const job of jobs) job.preview(await plainJpeg(job.prompt))
    await Promise.all(followed.map(({ seen }) => seen('preview')))
    const reads = Array.from({ length: 12 }, () => asha.trpc.images.list.query())
    for (const { images: listed } of await Promise.all(reads)) expect(listed).toHaveLength(11)
    await Promise.all(jobs.map((job) => job.finish()))
    await Promise.all(followed.map(({ ended }) => ended))
    for (const [index, { events }] of followed.entries()) {
      const url = dataUrl(await plainJpeg(prompts[index] ?? ''))
      expect(events.filter(({ type }) => type === 'preview')).toMatchObject([{ dataUrl: url }])
    }
  })
})
