import { chmod, cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestClient } from '../test/support/trpc-client.ts'
import { runHosted, startHostedServer } from './support/hosted-server.ts'
import { inventory } from './support/unprivileged.ts'
import { password } from './support/user.ts'
import { tempFolder } from '../test/support/folder.ts'

/** Runs a command, expects it to succeed, and returns its output. */
async function run(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runHosted(folder, args, env)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

const postCount = 4

/** Creates a stopped site with posts and their images. */
async function makeSite(): Promise<string> {
  const folder = await tempFolder()
  await run(folder, ['seed', '--posts', String(postCount)])
  return folder
}

const uploadsOf = (folder: string) => path.join(folder, 'uploads')
const databaseOf = (folder: string) => `file:${path.join(folder, 'data/rangoli.db')}`

/** Expects that a start fails with one line about both variables and does not change the uploads folder. */
async function expectError(folder: string, env: Record<string, string>, uploads: string): Promise<string> {
  const before = inventory(uploads)
  const { code, stdout, stderr } = await runHosted(folder, ['serve'], env)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^UPLOADS_DIR and DATABASE_URL: [^\n]*\n$/)
  expect(stderr).toContain(uploads)
  expect(inventory(uploads)).toEqual(before)
  return stderr
}

/** Expects a site to show its posts with their images. */
async function expectWhole(folder: string): Promise<void> {
  const server = await startHostedServer(folder, { PORT: '0' })
  onTestFinished(server.stop)
  const posts = (await (await fetch(`${server.url}/api/v1/post`)).json()) as { data: { photo: string }[] }
  expect(posts.data).toHaveLength(postCount)
  for (const { photo } of posts.data) expect((await fetch(photo)).status).toBe(200)
  await server.stop()
}

test('rejects a database that the images do not belong to, by any command: another, a missing and an empty one', async () => {
  const site = await makeSite()
  const uploads = uploadsOf(site)
  const another = { DATABASE_URL: databaseOf(await makeSite()) }
  const rejection = 'belongs to another database than'
  expect(await expectError(site, another, uploads)).toContain(rejection)
  const before = inventory(uploads)
  const backups = path.join(await tempFolder(), 'backups')
  for (const args of [['seed', '--posts', '1'], ['account', 'list'], ['verify'], ['backup', backups]]) {
    const { code, stdout, stderr } = await runHosted(site, args, another)
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toMatch(/^UPLOADS_DIR and DATABASE_URL: [^\n]* belongs to another database than [^\n]*\n$/)
  }
  const doctor = await runHosted(site, ['doctor'], another)
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/ {2}problem {2}The uploads folder \S+ belongs to another database than/)
  // But for the time of the folder, in which the doctor has tried to write.
  expect(inventory(uploads)).toEqual(before)

  const nowhere = await tempFolder()
  expect(await expectError(nowhere, { UPLOADS_DIR: uploads }, uploads)).toContain('does not exist')
  expect(await readdir(nowhere)).toEqual([])

  const other = await tempFolder()
  await (await startHostedServer(other)).stop()
  const empty = { DATABASE_URL: databaseOf(other) }
  await expectError(site, empty, uploads)
  // As in a copy without hidden files.
  await rm(path.join(uploads, '.rangoli'), { recursive: true })
  expect(await expectError(site, empty, uploads)).toContain('lists none of the images')
  await expectWhole(site)
  expect(await readdir(path.join(uploads, '.rangoli'))).toContain('site-id')
})

test('rejects an uploads folder whose disk is not mounted, and starts once it is', async () => {
  const site = await makeSite()
  const uploads = uploadsOf(site)
  await rename(uploads, `${uploads}-disk`)
  const { code, stderr } = await runHosted(site, ['serve'])
  expect(code).toBe(1)
  expect(stderr).toContain(`the uploads folder ${uploads} has 0 of the ${postCount} newest images`)
  expect(await readdir(site)).not.toContain('uploads')
  await mkdir(uploads)
  expect(await expectError(site, {}, uploads)).toContain('Mount its disk')
  await rm(uploads, { recursive: true })
  await rename(`${uploads}-disk`, uploads)
  await expectWhole(site)
})

/** Data of a site of commit 4cc01976, described by its README. */
const earlierSite = path.resolve(import.meta.dirname, '../test/fixtures/earlier-site')

/** Copies that site to the default paths of a server started in `folder`. */
async function copyEarlierSite(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'data'))
  for (const file of ['rangoli.db', 'auth-secret']) {
    await cp(path.join(earlierSite, file), path.join(folder, 'data', file))
  }
  await chmod(path.join(folder, 'data/auth-secret'), 0o600)
  await cp(path.join(earlierSite, 'images'), path.join(folder, 'uploads'), { recursive: true })
}

test('a site of commit 4cc01976 keeps posts, images, accounts and API keys', async () => {
  const folder = await tempFolder()
  await copyEarlierSite(folder)
  const server = await startHostedServer(folder, { PORT: '0', TRUST_PROXY: '1' })
  onTestFinished(server.stop)
  const visitor = createTestClient(server.url)
  const { posts } = await visitor.posts.list.query()
  expect(posts.map(({ name, prompt }) => [name, prompt])).toEqual([
    ['रवि', 'An uploaded photo'],
    ['रवि', 'दीवाली के दीये'],
    ['Asha', 'A lotus on a lake'],
    ['Asha', 'A lotus on a lake'],
  ])
  for (const { photo } of posts) {
    const response = await fetch(server.url + photo)
    const [, , name = '', file = ''] = photo.split('/')
    const original = await readFile(path.join(earlierSite, 'images', name, file))
    expect(Buffer.from(await response.arrayBuffer()).equals(original)).toBe(true)
  }

  const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ email: 'asha@example.org', password }),
  })
  const cookie = response.headers.getSetCookie().join('; ')
  const asha = createTestClient(server.url, () => ({ cookie, origin: server.url }))
  const { images } = await asha.images.list.query()
  expect(images.map(({ prompt, state, failure }) => [prompt, state, failure])).toEqual([
    ['hang at the restart', 'failed', 'interrupted'],
    ['hang and cancel', 'canceled', null],
    ['A peacock in the monsoon', 'succeeded', null],
    ['A lotus on a lake', 'succeeded', null],
  ])
  const [key = ''] = /rgl_\w+/.exec(await readFile(path.join(earlierSite, 'README.md'), 'utf8')) ?? []
  const program = createTestClient(server.url, () => ({ authorization: `Bearer ${key}` }))
  expect(await program.viewer.query()).toMatchObject({ firstName: 'Asha' })
})
