import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../server/images/processing.ts'
import { describeWithS3, s3StartTimeoutMs } from '../test/support/s3.ts'
import { type Load, startLoad } from './support/fleet-load.ts'
import { useFleet } from './support/fleet.ts'
import { everyPost } from './support/user.ts'
import { type SentPhoto, takeImages } from './support/write-load.ts'

/** Time for what the parts of a fleet do after a failure, on a busy machine. */
const timeoutMs = 60_000
const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: timeoutMs, interval: 50 })

describeWithS3(
  'three processes behind HAProxy as the example has it',
  (storage) => {
    const fleet = useFleet(storage, s3StartTimeoutMs)
    let photos: SentPhoto[]
    let imagePath: string

    beforeAll(async () => {
      photos = await takeImages(10)
      const { provider } = fleet()
      provider.finishesAtOnce = true
      imagePath = (await asha().share('A lotus')).photo
      provider.finishesAtOnce = false
    })

    function asha() {
      const [user] = fleet().users
      if (!user) throw new Error('No user signed up.')
      return user
    }

    /** Starts a load once HAProxy knows all processes, and waits until it has read, shared and generated. */
    async function load({ generates = false } = {}): Promise<Load> {
      await eventually(() => fleet().ready()).toEqual(['web1', 'web2', 'web3'])
      const { url, users } = fleet()
      const running = startLoad(url, users.slice(0, 3), photos, imagePath, generates ? users[3] : undefined)
      onTestFinished(running.stop)
      await progress(running)
      return running
    }

    /** Waits for more successful reads of each kind, more shared posts, and more images if the load generates. */
    async function progress({ reads, shared, generated, failures, isGenerating }: Load): Promise<void> {
      const counts = () =>
        Object.entries({ ...reads, share: shared.size, ...(isGenerating && { generate: generated.length }) })
      const before = new Map(counts())
      const missing = () => {
        const behind = counts().filter(([target, count]) => count < (before.get(target) ?? 0) + 5)
        return behind.map(([target]) => ({
          target,
          lastFailure: failures.findLast((one) => one.target === target),
        }))
      }
      await eventually(missing).toEqual([])
    }

    /** Expects every acknowledged post with its image. */
    async function expectNothingLost({ shared }: Load): Promise<void> {
      const listed = await everyPost(fleet().url, asha())
      for (const [id, sum] of shared) {
        const post = listed.get(id)
        expect(post).toBeDefined()
        const response = await fetch(fleet().url + post?.photo)
        expect({ id, status: response.status }).toEqual({ id, status: 200 })
        expect(await sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sum)
      }
    }

    test(
      'answers every read and keeps every acknowledged post when a process is killed',
      async () => {
        const running = await load()
        await fleet().processes[0]?.kill()
        await progress(running)
        await fleet().restart(0)
        await eventually(() => fleet().ready()).toContain('web1')
        await progress(running)
        await running.stop()
        // Writes that it did not answer are the client's to repeat, and so are responses that it had begun.
        const failedReads = running.failures.filter(({ target }) => target !== 'share')
        expect(failedReads.filter(({ status }) => status !== 200)).toEqual([])
        const cut = failedReads.map(({ target }) => target)
        expect(cut).toEqual([...new Set(cut)])
        await expectNothingLost(running)
      },
      3 * timeoutMs,
    )

    test(
      'fails no request and no generation when the processes are restarted one after the other',
      async () => {
        const { provider } = fleet()
        provider.finishesAtOnce = true
        onTestFinished(() => void (provider.finishesAtOnce = false))
        const running = await load({ generates: true })
        for (const [index, process] of [...fleet().processes].entries()) {
          expect(await process.stop()).toMatchObject({ code: 0 })
          await progress(running)
          await fleet().restart(index)
          await eventually(() => fleet().ready()).toContain(`web${index + 1}`)
        }
        await progress(running)
        await running.stop()
        expect(running.failures).toEqual([])
        await expectNothingLost(running)
        const lila = fleet().users[3]
        for (const id of running.generated) {
          expect(await lila?.trpc.images.get.query({ id })).toMatchObject({ id, state: 'succeeded' })
        }
      },
      3 * timeoutMs,
    )
  },
  ['haproxy'],
)
