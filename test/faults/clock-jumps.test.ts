import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { createScriptedEngine, follow } from '../support/generations.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
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
