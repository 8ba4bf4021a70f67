import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { createScriptedEngine, eventually, follow, imageRows } from '../support/generations.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import { usualSeconds } from '../../server/images/generation/engine-queues.ts'
import { openDiskBlobStore } from '../../server/storage/disk-blob-store.ts'
import { collect } from '../support/blob-store-contract.ts'

afterEach(() => void vi.useRealTimers())

const beforeMidnight = Date.UTC(2026, 0, 1, 23, 59, 59)
const afterMidnight = Date.UTC(2026, 0, 2, 0, 0, 1)

async function startWithClock(start: number) {
  const clock = { time: start }
  const { engine, waitForJob } = createScriptedEngine()
  const server = await startTestServer({
    engine,
    now: () => clock.time,
    env: { DAILY_IMAGE_LIMIT: '1000', DAILY_UPLOAD_LIMIT: '1000' },
  })
  const asha = await server.signUp()
  return { clock, server, asha, waitForJob }
}

async function usedByDay(server: TestServer, kind: 'image' | 'upload' = 'image') {
  const rows = await server.services.db
    .selectFrom('daily_usage')
    .select(['day', 'used'])
    .where('kind', '=', kind)
    .orderBy('day')
    .execute()
  return Object.fromEntries(rows.map(({ day, used }) => [day, used]))
}

test.each([
  ['forward', beforeMidnight, afterMidnight, '2026-01-01'],
  ['backward', afterMidnight, beforeMidnight, '2026-01-02'],
])(
  'refunds the quota of the day that it was consumed on when the clock jumps %s over midnight',
  async (_, start, end, day) => {
    const { clock, server, asha, waitForJob } = await startWithClock(start)
    const failing = follow(asha.trpc, { prompt: 'A lotus' })
    const made = follow(asha.trpc, { prompt: 'A tiger' })
    const [lotus, tiger] = [await waitForJob('A lotus'), await waitForJob('A tiger')]
    clock.time = end
    lotus.fail(new Error('out of paint'))
    await tiger.finish()
    await expect(failing.ended).rejects.toThrow()
    await made.seen('succeeded')
    expect(await usedByDay(server)).toEqual({ [day]: 1 })
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 0 })
    clock.time = start
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  },
)

test('counts each image on the day of its generation for any sequence of clock jumps', async () => {
  const { clock, server, asha, waitForJob } = await startWithClock(beforeMidnight)
  // A pseudo-random sequence, the same in each run.
  let seed = 20260101
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  for (let round = 0; round < 40; round += 1) {
    clock.time = beforeMidnight + (random(5) - 2) * 24 * 60 * 60 * 1_000
    const prompt = `Image ${round}`
    const generation = follow(asha.trpc, { prompt })
    const job = await waitForJob(prompt)
    const imageId = await generation.id
    clock.time = beforeMidnight + (random(5) - 2) * 24 * 60 * 60 * 1_000
    const ending = random(3)
    if (ending === 0) await job.finish()
    else if (ending === 1) job.fail(new Error('out of paint'))
    else await asha.trpc.images.cancel.mutate({ id: imageId })
    await Promise.allSettled([generation.ended])
  }
  const counted: Record<string, number> = {}
  const rows = await imageRows(server)
  for (const { counted_on } of rows) if (counted_on) counted[counted_on] = (counted[counted_on] ?? 0) + 1
  const used = await usedByDay(server)
  expect(Object.fromEntries(Object.entries(used).filter(([, count]) => count !== 0))).toEqual(counted)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['succeeded', 'failed', 'canceled']))
  expect(Object.keys(used).length).toBeGreaterThan(2)
})

test('counts an upload on the day that it was sent, unless it is rejected by its first bytes', async () => {
  const { clock, server, asha } = await startWithClock(beforeMidnight)
  const share = async (prompt: string) =>
    asha.trpc.posts.create.mutate({ name: 'Asha', prompt, photo: dataUrl(await plainJpeg(prompt)) })
  await share('Before')
  clock.time = afterMidnight
  await share('After')
  clock.time = beforeMidnight
  await share('Before again')
  await expect(
    asha.trpc.posts.create.mutate({
      name: 'Asha',
      prompt: 'None',
      photo: dataUrl(Buffer.from('no image')),
    }),
  ).rejects.toMatchObject({ data: { reason: 'bad_input' } })
  expect(await usedByDay(server, 'upload')).toEqual({ '2026-01-01': 2, '2026-01-02': 1 })
  expect((await asha.trpc.posts.list.query()).posts.map(({ prompt }) => prompt)).toEqual([
    'Before again',
    'After',
    'Before',
  ])
})

test('ignores negative durations when the clock is set back', async () => {
  const { clock, server, asha, waitForJob } = await startWithClock(afterMidnight)
  const generation = follow(asha.trpc, { prompt: 'A lotus' })
  const job = await waitForJob('A lotus')
  await eventually(async () => (await imageRows(server))[0]?.started_at).toBe(afterMidnight)
  clock.time = beforeMidnight
  await job.finish()
  await generation.seen('succeeded')
  expect(await usualSeconds(server.services.db, { id: 'rangoli', model: 'scripted' })).toBeNull()
})

test('keeps images whose rows are about to be written when the clock is set forward', async () => {
  const directory = path.join(await tempFolder(), 'uploads')
  const store = await openDiskBlobStore(directory)
  const folder = await store.put({ 'original.jpg': Buffer.from('image') })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 48 * 60 * 60 * 1_000 })
  const hour = 60 * 60 * 1_000
  expect(await collect(store.olderThan(hour))).toEqual([])
  // It is old for another process, which cannot be about to write its row.
  expect(await collect((await openDiskBlobStore(directory)).olderThan(hour))).toEqual([folder])
})
