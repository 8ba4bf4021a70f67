import { cp, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { callAs } from './support/calls.ts'
import { eventually } from './support/expectations.ts'
import { signUp } from './support/user.ts'
import { startProvider } from './support/provider.ts'
import { runHosted, startHostedServer, type HostedServer } from './support/hosted-server.ts'
import { launch, launcher, makeFolder, startServer, type ServerProcess } from './support/server-process.ts'

const provider = await startProvider()
afterAll(provider.stop)

const env = { TRUST_PROXY: '1', ...provider.env }

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

async function start(folder: string, more: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer(folder, { ...env, ...more })
  onTestFinished(() => void server.kill())
  return server
}

/** Starts a server that is neither killed nor waiting, in another process than those of `start`. */
async function startHosted(folder: string, more: Record<string, string> = {}): Promise<HostedServer> {
  const server = await startHostedServer(folder, { PORT: '0', ...env, ...more })
  onTestFinished(server.stop)
  return server
}

/** Starts a server that is expected to wait for another one. */
function launchSecond(folder: string, more: Record<string, string> = {}) {
  const second = launch(folder, ['serve'], { ...env, ...more })
  onTestFinished(() => void second.child.kill('SIGKILL'))
  return second
}

/** A server that is generating an image, and the prompt of that image. */
async function startGenerating(folder: string, prompt: string) {
  const server = await start(folder)
  const asha = await signUp(server.url)
  const image = asha.generate(prompt)
  // A server that is killed leaves the caller without an answer.
  image.catch(() => {})
  return { server, asha, image, job: await provider.waitForRequest(prompt) }
}

test('rejects a second server on the same data, and continues running jobs', async () => {
  const folder = await freshFolder()
  const { server, asha, image, job } = await startGenerating(folder, 'Running next to a second server')
  const second = await launchSecond(folder, { SHUTDOWN_SECONDS: '1' }).finished
  expect(second).toMatchObject({ code: 1, stdout: '' })
  const lines = second.stderr.trimEnd().split('\n')
  expect(lines).toEqual([
    expect.stringContaining('waiting for another server'),
    `DATABASE_URL: another server is using the database ${path.join(folder, 'data/rangoli.db')}. Stop it first, or give this one its own DATABASE_URL and UPLOADS_DIR.`,
  ])
  job.finish()
  expect(await image).toMatchObject({ state: 'succeeded' })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })
  expect(await server.stop()).toMatchObject({ code: 0 })
})

test('rejects a second server on the same database by another path', async () => {
  const folder = await freshFolder()
  const elsewhere = await freshFolder()
  await startHosted(folder)
  await symlink(path.join(folder, 'data'), path.join(elsewhere, 'data'))
  const { code, stderr } = await launchSecond(elsewhere, { SHUTDOWN_SECONDS: '0' }).finished
  expect(code).toBe(1)
  expect(stderr).toContain('DATABASE_URL: another server is using the database')
})

test('rejects a second server on a copy of the database and the same uploads folder', async () => {
  const folder = await freshFolder()
  await (await startHosted(folder)).stop()
  const copy = await freshFolder()
  await cp(path.join(folder, 'data'), path.join(copy, 'data'), { recursive: true })
  await startHosted(folder)
  const uploads = path.join(folder, 'uploads')
  const { code, stderr } = await launchSecond(copy, { UPLOADS_DIR: uploads, SHUTDOWN_SECONDS: '0' }).finished
  expect(code).toBe(1)
  expect(stderr).toMatch(
    new RegExp(
      `^UPLOADS_DIR: another server is using the uploads folder ${uploads}\\. Stop it first, .*\\.\n$`,
      'm',
    ),
  )
})

test('a rolling restart hands over when the running job has finished', async () => {
  const folder = await freshFolder()
  const { server, asha, image, job } = await startGenerating(folder, 'Running during a rolling restart')
  const second = launchSecond(folder)
  await eventually(second.errors).toContain('waiting for another server')
  server.child.kill('SIGTERM')
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
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

test('a server that waits for another one exits on SIGTERM', async () => {
  const folder = await freshFolder()
  const first = await startHosted(folder)
  const second = launchSecond(folder)
  await eventually(second.errors).toContain('waiting for another server')
  second.child.kill('SIGTERM')
  expect(await second.finished).toMatchObject({ code: 143 })
  expect((await fetch(first.url)).status).toBe(200)
})

test('starts without delay after the previous server was killed', async () => {
  const folder = await freshFolder()
  const { server, asha } = await startGenerating(folder, 'Running when killed')
  await server.kill()
  const next = await startHosted(folder, { SHUTDOWN_SECONDS: '0' })
  expect(next.errors()).not.toContain('waiting for another server')
  const failed = { state: 'failed', failure: 'interrupted' }
  expect(await callAs(asha, next.url).images.list.query()).toMatchObject({ images: [failed] })
})

test('commands run while a server runs, and the development server does not', async () => {
  const folder = await freshFolder()
  const backups = path.join(await freshFolder(), 'backups')
  const { image, job } = await startGenerating(folder, 'Running next to every command')
  for (const args of [
    ['seed', '--posts', '1'],
    ['account', 'list'],
    ['backup', backups],
    ['verify'],
    ['doctor'],
  ]) {
    expect(await runHosted(folder, args, env)).toMatchObject({ code: 0 })
  }
  const dev = await launch(folder, ['dev'], { ...env, SHUTDOWN_SECONDS: '0' }, launcher).finished
  expect(dev).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL: another server') })
  job.finish()
  expect(await image).toMatchObject({ state: 'succeeded' })
})

test('releases the site if the port is in use', async () => {
  const folder = await freshFolder()
  const other = await startHosted(await freshFolder())
  const { code, stderr } = await launchSecond(folder, { PORT: new URL(other.url).port }).finished
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^PORT: /) })
  await startHosted(folder, { SHUTDOWN_SECONDS: '0' })
  expect(await readdir(path.join(folder, 'data'))).toContain('rangoli.db')
})
