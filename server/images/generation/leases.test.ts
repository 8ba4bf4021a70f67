import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { plainJpeg } from '../../../test/support/engine.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { createScriptedEngine, eventually } from '../../../test/support/generations.ts'
import { createTestDatabase } from '../../../test/support/databases.ts'
import type { Database } from '../../db/open-database.ts'
import { Engines } from '../../engines/engines.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { storageUnavailable } from '../../errors/app-error.ts'
import { openLog } from '../../observability/log.ts'
import { openDiskBlobStore } from '../../storage/disk-blob-store.ts'
import type { ImageState } from '../../../shared/images.ts'
import { findOwnImage } from '../images.ts'
import { createReadSiteOptions } from '../../site/site-options.ts'
import { readQuota } from '../read-quota.ts'
import { Generations } from './generations.ts'
import type { HintListener, Notifications } from './job.ts'
import type { WatchEvent } from './watch.ts'

const asha = { id: 'asha', firstName: 'Asha', imageUrl: null, role: 'member' as const }

const viewerOf = (id: string) => ({ ...asha, id })

interface StartOptions extends Partial<ImageEngine> {
  readonly leaseSeconds?: number
  /** True for a process that takes no part until `begin`. */
  readonly waits?: boolean
  readonly runsGenerations?: boolean
}

const silent = pino({ level: 'silent' })

const prices = { default: 0.04 }

/** Creates processes of one site, which share a database, a folder of images, and messages unless `isSilent`. */
async function createSite({ concurrency = 4, isSilent = false } = {}) {
  const folder = await tempFolder()
  const { config, open } = await createTestDatabase()
  const db = await open()
  const listeners = new Map<object, HintListener>()

  /** Messages within this process, for SQLite. */
  function connectLocally(): Notifications {
    const own = {}
    return {
      publish(hint) {
        for (const [key, listen] of listeners) if (key !== own) queueMicrotask(() => listen(hint))
      },
      subscribe: (listener) => void listeners.set(own, listener),
      findPreview: () => Promise.resolve(null),
    }
  }

  async function connect(ownDb: Database): Promise<Notifications> {
    let notifications = connectLocally()
    if (config.kind === 'postgres') {
      const { PostgresNotifications } = await import('./postgres-notifications.ts')
      const own = new PostgresNotifications(ownDb, config, silent)
      onTestFinished(() => own.close())
      notifications = own
    }
    if (!isSilent) return notifications
    return { publish: () => {}, subscribe: () => {}, findPreview: (id) => notifications.findPreview(id) }
  }

  /** Starts a process with an engine and a connection of its own. */
  async function start({ leaseSeconds = 1, runsGenerations = true, waits, ...facts }: StartOptions = {}) {
    const { engine, jobs, waitForJob } = createScriptedEngine()
    const ownDb = await open()
    const blobs = await openDiskBlobStore(path.join(folder, 'uploads'), null)
    const lines: string[] = []
    const generations = new Generations({
      db: ownDb,
      blobs,
      engines: new Engines([{ ...engine, ...facts }], silent),
      log: openLog('info', { write: (line) => void lines.push(line) }),
      now: Date.now,
      readOptions: createReadSiteOptions({}, console),
      imageConcurrency: concurrency,
      imageTimeout: 60,
      imageLeaseSeconds: leaseSeconds,
      runsGenerations,
      notifications: await connect(ownDb),
    })
    const begin = () => generations.start()
    if (!waits) await begin()
    onTestFinished(async () => {
      await generations.stop(0)
      await ownDb.destroy()
    })

    async function generate(prompt: string, viewer = asha) {
      const [image] = await generations.generate(viewer, { prompt })
      return findOwnImage(db, viewer, image?.id ?? '')
    }
    /** Generates an image whose prompt the engine has got. */
    async function send(prompt: string, viewer = asha) {
      const image = await generate(prompt, viewer)
      return { image, job: await waitForJob(prompt) }
    }
    const finish = async (prompt: string) => (await waitForJob(prompt)).finish()
    /** Ends the process without its knowledge: nothing of it reaches the database any more. */
    const kill = () => ownDb.destroy()
    const log = () => lines.join('')
    return { generations, begin, db: ownDb, blobs, jobs, waitForJob, generate, send, finish, kill, log }
  }

  const expectState = (id: string, state: ImageState) =>
    eventually(async () => (await findOwnImage(db, asha, id)).state).toBe(state)
  const used = async () =>
    (await readQuota({ db, now: Date.now, readOptions: createReadSiteOptions({}, console) }, asha)).used
  const spending = async () =>
    (await db.selectFrom('monthly_spending').select('micros').execute()).map(({ micros }) => micros)
  /** Makes another process settle a generation, as if its own had not renewed the lease. */
  const expire = (id: string) =>
    eventually(async () => {
      await db.updateTable('images').set({ leased_until: 0 }).where('id', '=', id).execute()
      return findOwnImage(db, asha, id)
    }).toMatchObject({ state: 'failed', failure: 'interrupted' })
  /** Ends all connections of PostgreSQL to the database but its own. */
  async function loseConnections() {
    if (config.kind === 'sqlite') return
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(db)
  }
  return { db, start, expectState, used, spending, expire, loseConnections }
}

/** Creates a site with two processes. The second one begins once the first has sent what would else be for the faster of them. */
async function createPair(options: Parameters<typeof createSite>[0] = {}, process: StartOptions = {}) {
  const site = await createSite(options)
  const first = await site.start(process)
  const second = await site.start({ ...process, waits: true })
  async function send(prompt: string, viewer = asha) {
    const sent = await first.send(prompt, viewer)
    await second.begin()
    return sent
  }
  return { site, first: { ...first, send }, second }
}

/** Collects the labels of events: states, and types of the others. */
function collect(events: AsyncIterable<WatchEvent>) {
  const labels: string[] = []
  const ended = (async () => {
    for await (const { event } of events) labels.push(event.type === 'state' ? event.image.state : event.type)
  })()
  ended.catch(() => {})
  return { labels, ended }
}

test('runs at most IMAGE_CONCURRENCY generations over all processes, each once', async () => {
  const { site, first, second } = await createPair({ concurrency: 2 })
  await second.begin()
  const jobs = () => [...first.jobs, ...second.jobs]
  const prompts = Array.from({ length: 8 }, (_, index) => `Image ${index}`)
  await Promise.all(
    prompts.map((prompt, index) => (index % 2 ? first : second).generate(prompt, viewerOf(prompt))),
  )
  const ended = new Set<unknown>()
  for (let finished = 0; finished < prompts.length; finished += 1) {
    await eventually(() => jobs().length).toBe(Math.min(finished + 2, prompts.length))
    const running = site.db.selectFrom('images').select('id').where('state', '=', 'running')
    expect((await running.execute()).length).toBeLessThanOrEqual(2)
    const next = jobs().find((job) => !ended.has(job))
    ended.add(next)
    await next?.finish()
  }
  const sent = jobs().map(({ prompt }) => prompt)
  expect(sent.toSorted()).toEqual(prompts)
})

test('runs at most one generation of a serial engine over all processes, in fair turns', async () => {
  const { first, second } = await createPair({}, { serialKey: 'one server' })
  await second.begin()
  for (let index = 1; index <= 3; index += 1) await first.generate(`Asha ${index}`)
  await second.generate('Ravi', viewerOf('ravi'))
  const jobs = () => [...first.jobs, ...second.jobs]
  const order: string[] = []
  for (let finished = 0; finished < 4; finished += 1) {
    await eventually(() => jobs().length).toBe(finished + 1)
    const next = jobs().find(({ prompt }) => !order.includes(prompt))
    order.push(next?.prompt ?? '')
    await next?.finish()
  }
  expect(order).toEqual(['Asha 1', 'Ravi', 'Asha 2', 'Asha 3'])
})

test('reports positions, states and previews of a generation that another process runs', async () => {
  const { first, second } = await createPair({ concurrency: 1 })
  const { job } = await first.send('Before', viewerOf('ravi'))
  const image = await second.generate('Watched elsewhere')
  const watched = collect(second.generations.watch([image]))
  await eventually(() => watched.labels).toEqual(['queued', 'queue'])
  await job.finish()
  await eventually(() => [...first.jobs, ...second.jobs].length).toBe(2)
  const [runner, other] = first.jobs.length === 2 ? [first, second] : [second, first]
  const elsewhere = collect(other.generations.watch([image]))
  await eventually(() => elsewhere.labels).toContain('running')
  const own = runner.jobs.at(-1)
  own?.preview(await plainJpeg('rough'))
  await eventually(() => elsewhere.labels).toContain('preview')
  await own?.finish()
  await Promise.all([watched.ended, elsewhere.ended])
  for (const { labels } of [watched, elsewhere]) expect(labels.at(-1)).toBe('succeeded')
  expect((await other.generations.waitForOriginal(asha, image.id)).length).toBeGreaterThan(0)
})

describe('canceling at another process', () => {
  test.each([
    { how: 'by a message, before its lease that has expired', isSilent: false, losesConnections: false },
    { how: 'by the renewal of its lease', isSilent: true, losesConnections: false },
    { how: 'after the connections to the database were lost', isSilent: false, losesConnections: true },
  ])('aborts a running generation, counted, $how', async ({ isSilent, losesConnections }) => {
    const { site, first, second } = await createPair({ isSilent }, { leaseSeconds: isSilent ? 1 : 60 })
    const image = await first.generate('Canceled elsewhere')
    const job = await first.waitForJob('Canceled elsewhere')
    if (losesConnections) await site.loseConnections()
    else if (!isSilent) await site.db.updateTable('images').set({ leased_until: 0 }).execute()
    await eventually(() => second.generations.cancel(image)).toMatchObject({ state: 'canceled' })
    expect(job.signal.aborted).toBe(true)
    expect(await site.used()).toBe(1)
  })

  test('refunds a queued generation, which is never sent', async () => {
    const { site, first, second } = await createPair({ concurrency: 1 })
    const { job } = await first.send('Before', viewerOf('ravi'))
    const image = await first.generate('Never sent')
    expect(await second.generations.cancel(image)).toMatchObject({ state: 'canceled' })
    expect(await site.used()).toBe(0)
    await job.finish()
    await first.generate('Next')
    const prompts = () => [...first.jobs, ...second.jobs].map(({ prompt }) => prompt)
    await eventually(prompts).toEqual(['Before', 'Next'])
  })

  test.each(['a command', 'a server', 'a server that can resume'])(
    'cancels the running generation of a killed process, counted, by %s',
    async (by) => {
      const site = await createSite()
      const canResume = by === 'a server that can resume'
      const first = await site.start({ canResume })
      const { image } = await first.send('Canceled after the kill')
      const second = await site.start({ canResume, waits: by === 'a command' })
      await first.kill()
      expect(await second.generations.cancel(image)).toMatchObject({ state: 'canceled' })
      expect(await site.used()).toBe(1)
      expect(second.jobs).toEqual([])
    },
  )
})

test('ends what was canceled, left to another process, and claimed by a killed one', async () => {
  const site = await createSite()
  const web = await site.start({ runsGenerations: false })
  const image = await web.generate('Canceled late')
  const left = { worker: 'killed', leased_until: 0, started_at: 1, cancel_requested_at: 1 }
  await site.db.updateTable('images').set(left).execute()
  await site.expectState(image.id, 'canceled')
  expect(await site.used()).toBe(1)
})

describe('a killed process', () => {
  test('has what it sent failed and refunded by another, once its lease has expired', async () => {
    const { site, first, second } = await createPair({}, { prices })
    const { image } = await first.send('Sent before the kill')
    expect(await site.spending()).toEqual([40_000, 40_000])
    const watched = collect(second.generations.watch([image]))
    await first.kill()
    await watched.ended
    expect(await site.spending()).toEqual([0, 0])
    expect(watched.labels.at(-1)).toBe('failed')
    expect(await findOwnImage(site.db, asha, image.id)).toMatchObject({ failure: 'interrupted' })
    expect(await site.used()).toBe(0)
    expect(second.jobs).toEqual([])
    expect(second.log()).toContain('"interrupted":1')
  })

  test('has generated elsewhere what it had claimed but not sent', async () => {
    const { site, first, second } = await createPair()
    const reserve = first.blobs.reserve
    let calls = 0
    const stuck = new AbortController()
    vi.spyOn(first.blobs, 'reserve').mockImplementation((bytes) => {
      calls += 1
      if (calls === 1) return reserve(bytes)
      return new Promise((_, reject) => stuck.signal.addEventListener('abort', reject))
    })
    const image = await first.generate('Claimed before the kill')
    await eventually(() => calls).toBe(2)
    await second.begin()
    await first.kill()
    await second.finish('Claimed before the kill')
    await site.expectState(image.id, 'succeeded')
    stuck.abort()
    expect(first.jobs).toEqual([])
    expect(await site.used()).toBe(1)
  })

  test('has continued elsewhere what its engine can resume, counted once', async () => {
    const { site, first, second } = await createPair({}, { canResume: true, prices })
    const { image, job: sent } = await first.send('Sent before the kill')
    const watched = collect(second.generations.watch([image]))
    await first.kill()
    const job = await second.waitForJob('Sent before the kill')
    expect(job.request).toEqual({ ...sent.request, isResumed: true })
    await job.finish()
    await watched.ended
    expect(watched.labels.filter((label) => label !== 'progress')).toEqual(['running', 'succeeded'])
    expect(await site.used()).toBe(1)
    expect(await site.spending()).toEqual([40_000, 40_000])
    expect(second.log()).not.toContain('interrupted')
  })
})

test('aborts a generation whose lease was lost', async () => {
  const { site, first } = await createPair({}, { leaseSeconds: 3 })
  const { image, job } = await first.send('Lost')
  await site.expire(image.id)
  await eventually(() => job.signal.aborted).toBe(true)
  await eventually(first.log).toContain('a generation was abandoned')
  await site.expectState(image.id, 'failed')
  expect(await site.used()).toBe(0)
})

test('keeps an image that arrives after its lease was lost, and consumes the quota again', async () => {
  const site = await createSite()
  const first = await site.start({ leaseSeconds: 60, prices })
  await site.start()
  const { image, job } = await first.send('Late')
  await site.expire(image.id)
  expect(await site.used()).toBe(0)
  expect(await site.spending()).toEqual([0, 0])
  await job.finish(undefined, { cost: 0.03 })
  await site.expectState(image.id, 'succeeded')
  expect(await findOwnImage(site.db, asha, image.id)).toMatchObject({ failure: null })
  expect(await site.used()).toBe(1)
  expect(await site.spending()).toEqual([30_000, 30_000])
})

test('stores an image that arrives while the database cannot be reached', async () => {
  const { site, first, second } = await createPair()
  const { image, job } = await first.send('During an outage')
  const watched = collect(second.generations.watch([image]))
  const outages = [first, second].map(({ db }) =>
    vi
      .spyOn(db.getExecutor(), 'provideConnection')
      .mockRejectedValue(storageUnavailable(new Error('The database is away.'), 5)),
  )
  await job.finish()
  await eventually(first.log).toContain('storing a generated image failed; retrying')
  await eventually(first.log).toContain('leases of generations could not be checked; retrying')
  for (const outage of outages) outage.mockRestore()
  await site.expectState(image.id, 'succeeded')
  await watched.ended.catch(() => {})
  expect(await site.used()).toBe(1)
})

describe('a stopping process', () => {
  test('leaves new and queued generations to the others, and finishes what it sent', async () => {
    const { site, first, second } = await createPair({ concurrency: 1 })
    const { image, job } = await first.send('Sent')
    await first.generate('Queued', viewerOf('ravi'))
    const stopped = first.generations.stop(60)
    await first.generate('Late', viewerOf('meera'))
    await job.finish()
    await stopped
    await second.finish('Queued')
    await second.finish('Late')
    expect(first.jobs).toHaveLength(1)
    await site.expectState(image.id, 'succeeded')
  })

  test('ends its subscriptions to generations of other processes', async () => {
    const { site, first, second } = await createPair()
    const { image, job } = await first.send('Goes on')
    const watched = collect(second.generations.watch([image]))
    await eventually(() => watched.labels).toContain('running')
    await second.generations.stop(0.05)
    const interrupted = { code: 'interrupted' }
    await expect(watched.ended).rejects.toMatchObject(interrupted)
    await expect(collect(second.generations.watch([image])).ended).rejects.toMatchObject(interrupted)
    await job.finish()
    await site.expectState(image.id, 'succeeded')
  })

  test('leaves to another one what it sent to an engine that can resume', async () => {
    const { site, first, second } = await createPair({}, { canResume: true })
    const { image, job: sent } = await first.send('Sent before the stop')
    await first.generations.stop(0)
    expect(sent.signal.reason).toMatchObject({ code: 'interrupted' })
    const job = await second.waitForJob('Sent before the stop')
    expect(job.request.isResumed).toBe(true)
    await job.finish()
    await site.expectState(image.id, 'succeeded')
    expect(await site.used()).toBe(1)
  })

  test('has such a generation canceled, counted, while no other one continues it', async () => {
    const site = await createSite()
    const first = await site.start({ canResume: true })
    const web = await site.start({ canResume: true, runsGenerations: false })
    const { image } = await first.send('Left alone')
    await first.generations.stop(0)
    await site.expectState(image.id, 'queued')
    expect(await web.generations.cancel(image)).toMatchObject({ state: 'canceled' })
    expect(await site.used()).toBe(1)
  })
})

test('a process without generations leaves them to the others, and watches and cancels them', async () => {
  const site = await createSite()
  const web = await site.start({ runsGenerations: false })
  const image = await web.generate('Queued at a web process')
  const watched = collect(web.generations.watch([image]))
  await eventually(() => watched.labels).toEqual(['queued', 'queue'])
  const worker = await site.start()
  await worker.waitForJob('Queued at a web process')
  await eventually(() => watched.labels).toContain('running')
  expect(await web.generations.cancel(image)).toMatchObject({ state: 'canceled' })
  await watched.ended
  expect(web.jobs).toEqual([])
})

describe('what waits for an engine that some processes do not have', () => {
  const backdate = ({ db }: { db: Database }) =>
    db
      .updateTable('images')
      .set((eb) => ({ created_at: eb('created_at', '-', 11 * 60 * 1_000) }))
      .execute()

  test('stays for those that have it during a rolling update, and fails ten minutes later', async () => {
    const site = await createSite()
    const web = await site.start({ id: 'new', runsGenerations: false })
    const image = await web.generate('A lotus')
    const older = await site.start({ id: 'old' })
    await site.expectState(image.id, 'queued')
    await backdate(site)
    await site.expectState(image.id, 'failed')
    expect(older.log()).toContain('generations of engines that are not configured failed')
    expect(await site.used()).toBe(0)
  })

  test('stays while one of them generates', async () => {
    const site = await createSite({ concurrency: 1 })
    const newer = await site.start({ id: 'new' })
    const { job } = await newer.send('Running')
    const image = await newer.generate('Waiting')
    await backdate(site)
    await site.start({ id: 'old' })
    await site.expectState(image.id, 'queued')
    await job.finish()
    await newer.finish('Waiting')
    await site.expectState(image.id, 'succeeded')
  })
})
