import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  eventually,
  expectAlert,
  expectPageErrors,
  openPage,
  sharedBrowser,
  unexpectedPageErrors,
} from './support/browser.ts'
import { dataUrl, expectToday, generationOn, imageReady, startGeneration } from './support/form.ts'
import { startHostedServer } from './support/hosted-server.ts'
import { images, startProvider } from './support/provider.ts'
import { launch, startServer } from './support/server-process.ts'
import { callAs, follow, signUp, type User } from './support/user.ts'
import { tempFolder } from '../test/support/folder.ts'

const provider = await startProvider()
afterAll(provider.stop)

const interrupted = { state: 'failed', failure: 'interrupted', photo: null }
const interruptedMessage = 'The server stopped while the image was being generated. Try again.'
/** Browser errors for an unreachable server. */
const unreachable =
  /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH|EMPTY_RESPONSE|CONNECTION_RESET|SOCKET_NOT_CONNECTED|FAILED)/

/** Creates a data folder, and functions that start a server in it, and the one after it. */
async function open(env: Record<string, string> = {}) {
  const folder = await tempFolder()
  const variables = { TRUST_PROXY: '1', ...provider.env, ...env }
  return {
    folder,
    async start() {
      const server = await startServer(folder, variables)
      onTestFinished(() => void server.kill())
      return server
    },
    async startNext(port = '0') {
      const server = await startHostedServer(folder, { PORT: port, ...variables })
      onTestFinished(server.stop)
      return server
    },
  }
}

describe('a killed server', () => {
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
    running.job.preview(images.preview)
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
    const listed = await again.images.list.query()
    expect(listed.images).toMatchObject([{ state: 'succeeded' }, interrupted, { state: 'succeeded' }])
    expect(await again.images.quota.query()).toMatchObject({ used: 2 })
    expect(provider.requestCount('Running when killed')).toBe(1)
    expect(second.errors()).toContain('"interrupted":1')
    const next = follow(again, { prompt: 'Made after the kill' })
    ;(await provider.waitForRequest('Made after the kill')).finish()
    await next.ended
    expect(next.types().at(-1)).toBe('succeeded')
  })
})

describe('a page with a running generation', () => {
  /** Opens the page on a server that can be restarted on the same port. */
  async function begin(prompt: string) {
    const { start, startNext } = await open()
    const server = await start()
    const asha = await signUp(server.url, 'Asha Rao')
    provider.finishesAtOnce = true
    await asha.generate('A lotus made before')
    provider.finishesAtOnce = false
    const context = await (await sharedBrowser()).newContext()
    onTestFinished(() => context.close())
    await asha.enter(context)
    const tab = await openPage(context, server.url)
    await tab.page.goto(`${server.url}/create-post`)
    await startGeneration(tab.page, prompt)
    const form = generationOn(tab.page)
    // The list is the last part of the page to load: a crash must not interrupt a request for one.
    await form.imageOf('A lotus made before').waitFor()
    const job = await provider.waitForRequest(prompt)
    job.preview(images.preview)
    await form.partial.waitFor()
    return { server, startNext: () => startNext(new URL(server.url).port), tab, form, job }
  }

  test('reports the lost connection during a crash, then the failed generation after the restart', async () => {
    const { server, startNext, tab, form } = await begin('A lotus in a crash')
    await server.kill()
    await tab.page.getByText('Restoring the connection…').waitFor()
    expect(await form.partial.getAttribute('src')).toBe(dataUrl(images.preview))
    await expectPageErrors(tab, unreachable)
    await startNext()
    await expectAlert(tab, interruptedMessage)
    await form.failure.getByText(interruptedMessage, { exact: true }).waitFor()
    for (const part of [form.spinner, form.partial, form.cancel]) expect(await part.count()).toBe(0)
    expect(await form.generate.isEnabled()).toBe(true)
    await expectToday(tab.page, 1)
    await form.generate.click()
    ;(await provider.waitForRequest('A lotus in a crash', 2)).finish()
    await imageReady(form)
    await expectToday(tab.page, 2)
    expect([...tab.alerts, ...unexpectedPageErrors(tab)]).toEqual([])
  })

  test('announces a graceful restart and still shows the image', async () => {
    const { server, startNext, tab, form, job } = await begin('A lotus over a restart')
    tab.expectedErrors.push(unreachable)
    server.child.kill('SIGTERM')
    await tab.page.getByText('The server is restarting…').waitFor()
    job.finish()
    await imageReady(form)
    // Its connections do not delay the end.
    const before = performance.now()
    expect(await server.finished).toMatchObject({ code: 0 })
    expect(performance.now() - before).toBeLessThan(10_000)
    await startNext()
    await tab.page.reload()
    await imageReady(form)
    expect(await form.image.getAttribute('alt')).toBe('A lotus over a restart')
    await expectToday(tab.page, 2)
    expect([...tab.alerts, ...unexpectedPageErrors(tab)]).toEqual([])
  })
})

test('a second signal during a shutdown ends the server immediately', async () => {
  const server = await (await open()).start()
  const asha = await signUp(server.url)
  // Ends without a response.
  asha.generate('A lotus at dawn').catch(() => {})
  await provider.waitForRequest('A lotus at dawn')
  server.child.kill('SIGTERM')
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
  server.child.kill('SIGTERM')
  expect(await server.finished).toMatchObject({ code: 143 })
})

test('a command deletes an account once the server has canceled its generation', async () => {
  const { folder, startNext } = await open({ IMAGE_LEASE_SECONDS: '2' })
  const asha = await signUp((await startNext()).url)
  asha.generate('A lotus of a closed account').catch(() => {})
  await provider.waitForRequest('A lotus of a closed account')
  const { stdout } = await launch(folder, ['account', 'delete', asha.email, '--yes']).finished
  expect(stdout).toBe(`The account ${asha.email} is deleted.\n`)
})

describe('a second server', () => {
  /** Starts a server that is expected to wait for another one. */
  function launchSecond(folder: string, more: Record<string, string> = {}) {
    const second = launch(folder, ['serve'], { TRUST_PROXY: '1', ...provider.env, ...more })
    onTestFinished(() => void second.child.kill('SIGKILL'))
    return second
  }

  test('on the same data is rejected', async () => {
    const { folder, startNext } = await open()
    const first = await startNext()
    const second = await launchSecond(folder, { SHUTDOWN_SECONDS: '0' }).finished
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(
      `DATABASE_URL: another server is using the database ${path.join(folder, 'data/rangoli.db')}. Stop it first, or give this one its own DATABASE_URL and UPLOADS_DIR.\n`,
    )
    await first.stop()
    const copy = await open()
    await cp(path.join(folder, 'data'), path.join(copy.folder, 'data'), { recursive: true })
    await startNext()
    const uploads = path.join(folder, 'uploads')
    const third = await launchSecond(copy.folder, { UPLOADS_DIR: uploads, SHUTDOWN_SECONDS: '0' }).finished
    expect(third.code).toBe(1)
    expect(third.stderr).toContain(`UPLOADS_DIR: another server is using the uploads folder ${uploads}. `)
  })

  test('takes over when the running job has finished and requests are still served, as in a rolling restart', async () => {
    const { folder, start } = await open()
    const server = await start()
    const asha = await signUp(server.url)
    const image = asha.generate('Running during a rolling restart')
    // A test that fails leaves it without an answer.
    image.catch(() => {})
    const job = await provider.waitForRequest('Running during a rolling restart')
    const second = launchSecond(folder)
    await eventually(second.errors).toContain('waiting for another server')
    server.child.kill('SIGTERM')
    const readiness = async () => (await fetch(`${server.url}/readyz`)).json()
    await eventually(readiness).toEqual({ ready: false, because: ['stopping'] })
    for (const address of ['/healthz', '/']) expect((await fetch(server.url + address)).status).toBe(200)
    await expect(asha.generate('Another')).rejects.toMatchObject({ data: { httpStatus: 503 } })
    expect(second.output()).toBe('')
    job.finish()
    expect(await image).toMatchObject({ state: 'succeeded' })
    expect(await server.finished).toMatchObject({ code: 0 })

    await eventually(second.output).toContain('uploads')
    const url = /http:\/\/\S+/.exec(second.output())?.[0] ?? ''
    const again = callAs(asha, url)
    expect(await again.images.list.query()).toMatchObject({ images: [{ state: 'succeeded' }] })
    expect(await again.images.quota.query()).toMatchObject({ used: 1 })
  })
})
