import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from './support/browser.ts'
import { eventually } from './support/expectations.ts'
import { password, signUp } from './support/user.ts'
import { startProvider } from './support/provider.ts'
import { startHostedServer, type HostedServer } from './support/hosted-server.ts'
import { dialogOn } from './support/sign-in-dialog.ts'
import { makeFolder, startServer, type ServerProcess } from './support/server-process.ts'

async function start(folder: string): Promise<ServerProcess> {
  const server = await startServer(folder, { TRUST_PROXY: '1' })
  onTestFinished(() => void server.kill())
  return server
}

/** Starts the server that follows a stopped or killed one. */
async function startNext(folder: string, env: Record<string, string> = { PORT: '0' }): Promise<HostedServer> {
  const server = await startHostedServer(folder, { TRUST_PROXY: '1', ...env })
  onTestFinished(server.stop)
  return server
}

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

/** Returns a server's viewer for a session cookie. */
async function viewerOf(url: string, cookie: { name: string; value: string }): Promise<unknown> {
  const response = await fetch(`${url}/trpc/viewer`, {
    headers: { cookie: `${cookie.name}=${cookie.value}` },
  })
  const body = (await response.json()) as { result: { data: unknown } }
  return body.result.data
}

test('keeps posts, sessions and images after a restart', async () => {
  const folder = await freshFolder()
  const first = await start(folder)
  const asha = await signUp(first.url, 'Asha Rao')
  const post = await asha.share('A lotus at dawn')
  const image = await bytesOf(first.url + post.photo)
  expect(await first.stop()).toMatchObject({ code: 0 })

  const second = await startNext(folder)
  const html = await (await fetch(second.url)).text()
  expect(html).toContain('Showing 1 post')
  expect(html).toContain('A lotus at dawn')
  expect((await bytesOf(second.url + post.photo)).equals(image)).toBe(true)
  expect(await viewerOf(second.url, asha.cookie)).toMatchObject({ firstName: 'Asha' })
})

describe('shutdown with a running generation', () => {
  async function stopWhileGenerating() {
    const folder = await freshFolder()
    const provider = await startProvider()
    onTestFinished(provider.stop)
    const server = await startServer(folder, { TRUST_PROXY: '1', ...provider.env })
    onTestFinished(() => void server.kill())
    const asha = await signUp(server.url, 'Asha Rao')
    const image = asha.generate('A lotus at dusk')
    // A second signal ends the server before it responds.
    image.catch(() => {})
    const job = await provider.waitForRequest('A lotus at dusk')
    server.child.kill('SIGTERM')
    await eventually(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
    return { server, asha, image, job }
  }

  test('reports not ready, still serves requests and rejects new generations', async () => {
    const { server, asha, image, job } = await stopWhileGenerating()
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      ready: false,
      because: ['stopping'],
    })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(server.url)).status).toBe(200)
    await expect(asha.generate('Another')).rejects.toMatchObject({ data: { httpStatus: 503 } })
    job.finish()
    expect(await image).toMatchObject({ prompt: 'A lotus at dusk' })
    expect(await server.finished).toMatchObject({ code: 0 })
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends immediately after a second signal, %s', async (signal, code) => {
    const { server } = await stopWhileGenerating()
    server.child.kill(signal)
    expect(await server.finished).toMatchObject({ code })
  })
})

test('stops without delay while a browser is open, which continues after the restart', async () => {
  const folder = await freshFolder()
  const first = await start(folder)
  const asha = await signUp(first.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  const context = await (await sharedBrowser()).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(first.url)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await dialogOn(page).email.fill(asha.email)
  await dialogOn(page).password.fill(password)
  const before = performance.now()
  expect(await first.stop()).toMatchObject({ code: 0 })
  expect(performance.now() - before).toBeLessThan(10_000)

  await startNext(folder, { PORT: new URL(first.url).port })
  await dialogOn(page).signIn.click()
  await page.getByRole('banner').getByRole('button', { name: 'Asha' }).waitFor()
})
