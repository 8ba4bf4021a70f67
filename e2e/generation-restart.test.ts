import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { callAs, follow } from './support/calls.ts'
import { eventually } from './support/expectations.ts'
import { signUp, type User } from './support/user.ts'
import { images as providerImages, startProvider } from './support/provider.ts'
import { startHostedServer } from './support/hosted-server.ts'
import { makeFolder, startServer } from './support/server-process.ts'

const provider = await startProvider()
afterAll(provider.stop)

const interrupted = { state: 'failed', failure: 'interrupted', photo: null }

/** Creates a data folder, and functions that start a server in it, and the one after it. */
async function open(env: Record<string, string> = {}) {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const variables = { TRUST_PROXY: '1', ...provider.env, ...env }
  async function start() {
    const server = await startServer(folder.path, variables)
    onTestFinished(() => void server.kill())
    return server
  }
  async function startNext() {
    const server = await startHostedServer(folder.path, { PORT: '0', ...variables })
    onTestFinished(server.stop)
    return server
  }
  return { folder: folder.path, start, startNext }
}

/** Starts a generation and waits until the provider has received it. */
async function begin(user: User, prompt: string) {
  const disconnect = new AbortController()
  const own = follow(user.trpc, { prompt }, disconnect.signal)
  const job = await provider.waitForRequest(prompt)
  return { ...own, job, disconnect: () => disconnect.abort() }
}

test('refunds what a killed server had sent, and generates what was queued, at the next start', async () => {
  const { start, startNext } = await open({ IMAGE_CONCURRENCY: '1' })
  const first = await start()
  const asha = await signUp(first.url)
  const before = await begin(asha, 'Finished before the kill')
  before.job.finish()
  await before.ended
  const running = await begin(asha, 'Running when killed')
  running.job.preview(providerImages.preview)
  const waiting = follow(asha.trpc, { prompt: 'Waiting when killed' })
  await eventually(() => waiting.types()).toContain('queued')
  await eventually(() => running.types()).toContain('preview')
  await first.kill()
  running.disconnect()
  await expect(running.ended).rejects.toThrow('abort')

  const second = await startNext()
  const again = callAs(asha, second.url)
  ;(await provider.waitForRequest('Waiting when killed')).finish()
  await follow(again, { id: await waiting.id }).ended
  const { images } = await again.images.list.query()
  expect(images).toMatchObject([{ state: 'succeeded' }, interrupted, { state: 'succeeded' }])
  expect(await again.images.quota.query()).toMatchObject({ used: 2 })
  expect(provider.requestCount('Running when killed')).toBe(1)
  expect(second.errors()).toContain('"interrupted":1')
  const failed = follow(again, { id: images[1]?.id ?? '' })
  await expect(failed.ended).rejects.toMatchObject({
    message: 'The server stopped while the image was being generated. Try again.',
  })
  const next = follow(again, { prompt: 'Made after the kill' })
  ;(await provider.waitForRequest('Made after the kill')).finish()
  await next.ended
  expect(next.types().at(-1)).toBe('succeeded')
})

test.each(['when the folder of the image appears', 'when the image has succeeded'])(
  'leaves a complete image or none, and counts only a complete one, if the server is killed %s',
  async (moment) => {
    const { folder, start, startNext } = await open()
    const first = await start()
    const asha = await signUp(first.url)
    const uploads = path.join(folder, 'uploads')
    await mkdir(uploads, { recursive: true })
    const own = await begin(asha, `Killed ${moment}`)
    if (moment === 'when the image has succeeded') {
      own.job.finish()
      await own.ended
    } else {
      const changed = new Promise<void>((resolve) => {
        const watcher = watch(uploads, () => {
          watcher.close()
          resolve()
        })
      })
      own.job.finish()
      await changed
    }
    await first.kill()
    own.disconnect()
    await Promise.allSettled([own.ended])

    const second = await startNext()
    const again = callAs(asha, second.url)
    const [image] = (await again.images.list.query()).images
    const isComplete = image?.state === 'succeeded'
    if (moment === 'when the image has succeeded') expect(isComplete).toBe(true)
    expect(image).toMatchObject(isComplete ? { failure: null } : interrupted)
    expect(await again.images.quota.query()).toMatchObject({ used: isComplete ? 1 : 0 })
    if (image?.photo) {
      const served = await fetch(second.url + image.photo, {
        headers: { cookie: `${asha.cookie.name}=${asha.cookie.value}` },
      })
      expect(Buffer.from(await served.arrayBuffer()).equals(providerImages.signed)).toBe(true)
    }
  },
)

test('finishes a running generation after SIGTERM, notifies its subscribers and exits with 0', async () => {
  const { start, startNext } = await open({ SHUTDOWN_SECONDS: '30' })
  const first = await start()
  const asha = await signUp(first.url)
  const own = await begin(asha, 'Finished while it stops')
  first.child.kill('SIGTERM')
  await eventually(() => own.types()).toContain('stopping')
  own.job.preview(providerImages.preview)
  await eventually(() => own.types()).toContain('preview')
  own.job.finish()
  await own.ended
  expect(own.types().slice(-4)).toEqual(['running', 'stopping', 'preview', 'succeeded'])
  const noWarnings = expect.not.stringMatching(/"level":[456]0/)
  expect(await first.finished).toMatchObject({ code: 0, stderr: noWarnings })

  const again = callAs(asha, (await startNext()).url)
  expect(await again.images.list.query()).toMatchObject({ images: [{ state: 'succeeded' }] })
  expect(await again.images.quota.query()).toMatchObject({ used: 1 })
})

test('fails and refunds generations of a stalled provider after SIGTERM', async () => {
  const { start, startNext } = await open({ SHUTDOWN_SECONDS: '1', IMAGE_CONCURRENCY: '1' })
  const first = await start()
  const asha = await signUp(first.url)
  const stalled = await begin(asha, 'Stalled while it stops')
  const waiting = follow(asha.trpc, { prompt: 'Waiting while it stops' })
  await eventually(() => waiting.types()).toContain('queued')
  first.child.kill('SIGTERM')
  for (const { ended } of [stalled, waiting]) {
    await expect(ended).rejects.toMatchObject({ data: { reason: 'interrupted', httpStatus: 503 } })
  }
  const { code, stderr } = await first.finished
  expect(code).toBe(0)
  expect(stderr).not.toMatch(/unhandled|uncaught/i)
  expect(provider.requestCount('Waiting while it stops')).toBe(0)

  const again = callAs(asha, (await startNext()).url)
  expect((await again.images.list.query()).images).toMatchObject([interrupted, interrupted])
  expect(await again.images.quota.query()).toMatchObject({ used: 0 })
})
