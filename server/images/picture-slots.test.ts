import { expect, test } from 'vitest'
import { doors } from '../http/test-doors.ts'
import { startTestServer } from '../http/test-kit.ts'
import { dataUrl, noisyPhoto } from '../http/test-pictures.ts'
import { pictureQueueLength, pictureSlots, unlessTooManyWait, whenSlotIsFree } from './picture-slots.ts'

/** Work that goes on until the test says so, and how much of it goes on at a time. */
function heldWork() {
  const running: (() => void)[] = []
  let most = 0
  const work = async () => {
    await new Promise<void>((resolve) => {
      running.push(resolve)
      most = Math.max(most, running.length)
    })
  }
  return { work, running, most: () => most }
}

test('no more pictures are worked on than there are slots, and none waits in vain', async () => {
  const { work, running, most } = heldWork()
  const all = Array.from({ length: 20 }, () => whenSlotIsFree(work))
  for (let done = 0; done < 20; done += 1) {
    await expect.poll(() => running.length, { interval: 1 }).toBe(Math.min(pictureSlots, 20 - done))
    running.shift()?.()
  }
  await Promise.all(all)
  expect(most()).toBe(pictureSlots)
})

test('uploads are refused while many wait, pictures that were paid for are not', async () => {
  const { work, running } = heldWork()
  const taken = Array.from({ length: pictureSlots + pictureQueueLength }, () => unlessTooManyWait(work))
  await expect.poll(() => running.length).toBe(pictureSlots)
  await expect(unlessTooManyWait(work)).rejects.toMatchObject({ code: 'busy', retryAfter: 10 })
  const paid = whenSlotIsFree(work)
  const ended = Promise.all([...taken, paid])
  const release = setInterval(() => running.shift()?.(), 1)
  await ended
  clearInterval(release)
  const next = unlessTooManyWait(work)
  await expect.poll(() => running.length).toBe(1)
  running.shift()?.()
  await next
})

test.each(doors)(
  'a crowd of photos is shared or told to come again, and nothing else happens, $name',
  async (door) => {
    const server = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1000' } })
    const asha = await server.signUp()
    const photo = dataUrl(await noisyPhoto(1_500, 1_000).jpeg().toBuffer())
    const crowd = Array.from({ length: pictureSlots + 3 * pictureQueueLength }, (_, number) =>
      door.share(server, { prompt: `Photo ${number}`, photo }, asha),
    )
    const answers = await Promise.all(crowd)
    const shared = answers.filter(({ error }) => error === null).length
    const refused = answers.filter(({ status }) => status === 503)
    expect(shared + refused.length).toBe(crowd.length)
    expect(shared).toBeGreaterThanOrEqual(pictureSlots)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toEqual({
      status: 503,
      error: 'Many photos are being shared right now. Please try again in a moment.',
      retryAfter: 10,
    })
    expect((await door.list(server, { limit: 100 })).posts).toHaveLength(shared)
    expect(await server.services.db.selectFrom('daily_usage').select('used').execute()).toEqual([
      { used: shared },
    ])
    expect(await door.share(server, { prompt: 'Later', photo }, asha)).toMatchObject({ error: null })
  },
)
