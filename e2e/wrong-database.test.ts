import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from './support/expectations.ts'
import { runHosted, startHostedServer, type HostedServer } from './support/hosted-server.ts'
import { launch, makeFolder } from './support/server-process.ts'
import { copyEarlierSite } from './support/earlier-site.ts'
import { inventory } from './support/unprivileged.ts'
import { letTimePass } from '../test/support/site.ts'

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

async function start(folder: string, env: Record<string, string> = {}): Promise<HostedServer> {
  const server = await startHostedServer(folder, { PORT: '0', ...env })
  onTestFinished(server.stop)
  return server
}

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

/** Numbers of posts, each with an image. A sweep moves up to ten orphaned images of any site. */
const postCounts = { first: 12, second: 2 }
const templates = { first: '', second: '' }

beforeAll(async () => {
  const seed = async (which: 'first' | 'second') => {
    const folder = await makeFolder()
    templates[which] = folder.path
    await run(folder.path, ['seed', '--posts', String(postCounts[which])])
  }
  await Promise.all([seed('first'), seed('second')])
})
afterAll(() => Promise.all(Object.values(templates).map((folder) => rm(folder, { recursive: true }))))

/** Creates a stopped site with posts and their images. */
async function makeSite(which: 'first' | 'second' = 'first'): Promise<string> {
  const folder = await freshFolder()
  await cp(templates[which], folder, { recursive: true, preserveTimestamps: true })
  return folder
}

const uploadsOf = (folder: string) => path.join(folder, 'uploads')

/** Names of the images in a folder. */
async function imagesIn(uploads: string): Promise<string[]> {
  return (await readdir(uploads)).filter((name) => /^[\w-]{22}$/.test(name)).sort()
}

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
async function expectWhole(folder: string, count = postCounts.first): Promise<void> {
  const server = await start(folder)
  const posts = (await (await fetch(`${server.url}/api/v1/post`)).json()) as { data: { photo: string }[] }
  expect(posts.data).toHaveLength(count)
  for (const { photo } of posts.data) expect((await fetch(photo)).status).toBe(200)
  await server.stop()
}

test('rejects another database than the one that the images belong to', async () => {
  const [site, other] = [await makeSite('first'), await makeSite('second')]
  const env = { DATABASE_URL: `file:${path.join(other, 'data/rangoli.db')}` }
  expect(await expectError(site, env, uploadsOf(site))).toContain('belongs to another database than')
  await Promise.all([expectWhole(site), expectWhole(other, postCounts.second)])
})

test('rejects a database that does not exist, and does not create it', async () => {
  const site = await makeSite()
  const elsewhere = await freshFolder()
  const env = { UPLOADS_DIR: uploadsOf(site) }
  expect(await expectError(elsewhere, env, uploadsOf(site))).toContain('does not exist')
  expect(await readdir(path.join(elsewhere, 'data'))).toEqual(['rangoli.db.lock'])
  await expectWhole(site)
})

test('rejects an empty database, also for images of a version without ids', async () => {
  const site = await makeSite()
  const other = await freshFolder()
  await (await start(other)).stop()
  const env = { DATABASE_URL: `file:${path.join(other, 'data/rangoli.db')}` }
  await expectError(site, env, uploadsOf(site))
  await rm(path.join(uploadsOf(site), '.rangoli'), { recursive: true })
  expect(await expectError(site, env, uploadsOf(site))).toContain('lists 0 of 12 images')
  await expectWhole(site)
})

test('rejects copied uploads of another site', async () => {
  const [production, staging] = [await makeSite('first'), await makeSite('second')]
  const copy = path.join(staging, 'copied')
  await cp(uploadsOf(production), copy, { recursive: true })
  await expectError(staging, { UPLOADS_DIR: copy }, copy)
})

test('rejects an uploads folder whose disk is not mounted, and starts once it is', async () => {
  const site = await makeSite()
  const uploads = uploadsOf(site)
  await rename(uploads, `${uploads}-disk`)
  const { code, stderr } = await launch(site, ['serve']).finished
  expect(code).toBe(1)
  expect(stderr).toContain(`the uploads folder ${uploads} has 0 of 12 images of the database`)
  expect(await readdir(site)).not.toContain('uploads')
  await mkdir(uploads)
  expect(await expectError(site, {}, uploads)).toContain('Mount its disk')
  await rm(uploads, { recursive: true })
  await rename(`${uploads}-disk`, uploads)
  await expectWhole(site)
})

/** An inventory without the database, which SQLite touches to read it, and folders that the doctor tried to write to. */
const withoutTraces = (files: string[]) =>
  files.filter((line) => !/^(?:data|data\/rangoli\.db(?:-wal|-shm)?|uploads) /.test(line))

test('rejects every command that uses both, and the doctor says why', async () => {
  const [site, other] = [await makeSite('first'), await makeSite('second')]
  const env = { UPLOADS_DIR: uploadsOf(other) }
  const backups = path.join(await freshFolder(), 'backups')
  const before = [inventory(site), inventory(other)]
  for (const args of [['seed', '--posts', '1'], ['account', 'list'], ['verify'], ['backup', backups]]) {
    const { code, stdout, stderr } = await runHosted(site, args, env)
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    expect(stderr).toMatch(/^UPLOADS_DIR and DATABASE_URL: [^\n]* belongs to another database than [^\n]*\n$/)
  }
  const { code, stdout } = await runHosted(site, ['doctor'], env)
  expect(code).toBe(1)
  expect(stdout).toMatch(/ {2}problem {2}The uploads folder \S+ belongs to another database than/)
  expect([inventory(site), inventory(other)].map(withoutTraces)).toEqual(before.map(withoutTraces))
})

/** Makes a site, and everything in its uploads folder, two hours older. */
function letTwoHoursPass(folder: string): Promise<void> {
  return letTimePass(folder, 2 * 60 * 60 * 1_000)
}

test('moves orphaned images to quarantine, and no longer serves them', async () => {
  const site = await makeSite()
  const orphan = 'o'.repeat(22)
  const [image = ''] = await imagesIn(uploadsOf(site))
  await cp(path.join(uploadsOf(site), image), path.join(uploadsOf(site), orphan), { recursive: true })
  await letTwoHoursPass(site)
  const server = await start(site)
  await eventually(server.errors).toContain('swept orphaned images')
  expect(await imagesIn(uploadsOf(site))).not.toContain(orphan)
  const quarantine = path.join(uploadsOf(site), '.rangoli/quarantine')
  const [day = ''] = await readdir(quarantine)
  expect(await readdir(path.join(quarantine, day))).toEqual([orphan])
  for (const folder of [orphan, `.rangoli/quarantine/${day}/${orphan}`, '.rangoli']) {
    expect((await fetch(`${server.url}/uploads/${folder}/original.jpg`)).status).toBe(404)
  }
  expect((await fetch(`${server.url}/uploads/.rangoli/site-id`)).status).toBe(404)
  await server.stop()
  await expectWhole(site)
})

test('moves nothing with an earlier copy of the database that knows few of the images', async () => {
  const site = await makeSite()
  const file = path.join(site, 'data/rangoli.db')
  await cp(file, `${file}.later`)
  const database = new SqliteDatabase(file)
  database.function('grams', () => '')
  database.exec('DELETE FROM posts; DELETE FROM images')
  database.close()
  await letTwoHoursPass(site)
  const server = await start(site)
  await eventually(server.errors).toContain('lists 0 images in the uploads folder and does not list 12')
  await server.stop()
  expect(await imagesIn(uploadsOf(site))).toHaveLength(12)
  const asked = await runHosted(site, ['verify', '--fix'])
  expect(asked).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Move 12 of 12 images to quarantine/),
  })
  expect(await imagesIn(uploadsOf(site))).toHaveLength(12)

  expect(await run(site, ['verify', '--fix', '--yes'])).toContain('12 of 12 images are orphaned: fixed.')
  expect(await imagesIn(uploadsOf(site))).toEqual([])
  await rename(`${file}.later`, file)
  const again = await start(site)
  await eventually(again.errors).toContain('"restored":12')
  await again.stop()
  await expectWhole(site)
})

test('lets an operator continue without lost images', async () => {
  const site = await makeSite()
  await rm(uploadsOf(site), { recursive: true })
  const asked = await runHosted(site, ['verify', '--fix'])
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(/pass --yes to confirm\.\n$/) })
  expect(await run(site, ['verify', '--fix', '--yes'])).toContain('They belong together now.')
  const server = await start(site)
  expect(await (await fetch(server.url)).text()).toContain('Showing 12 posts')
})

test('lets an operator use images of another site, and moves none of them', async () => {
  const [site, other] = [await makeSite('second'), await makeSite('first')]
  const env = { UPLOADS_DIR: uploadsOf(other) }
  const before = await imagesIn(uploadsOf(other))
  await run(site, ['verify', '--fix', '--yes'], env)
  const server = await start(site, env)
  expect((await fetch(server.url)).status).toBe(200)
  await server.stop()
  expect(await imagesIn(uploadsOf(other))).toEqual(before)
  expect(await expectError(other, {}, uploadsOf(other))).toContain('belongs to another database than')
})

test('adopts the images of a copy without hidden files', async () => {
  const site = await makeSite()
  await rm(path.join(uploadsOf(site), '.rangoli'), { recursive: true })
  await expectWhole(site)
  expect(await readdir(path.join(uploadsOf(site), '.rangoli'))).toContain('site-id')
})

test('adopts a site of commit 4cc01976 once, and again after going back to it', async () => {
  const folder = await freshFolder()
  await copyEarlierSite(folder)
  const before = await imagesIn(uploadsOf(folder))
  await (await start(folder)).stop()
  const copy = (await readdir(path.join(folder, 'data'))).find((name) => name.includes('-at-'))
  await rename(path.join(folder, 'data', copy ?? ''), path.join(folder, 'data/rangoli.db'))
  await (await start(folder)).stop()
  expect(await imagesIn(uploadsOf(folder))).toEqual(before)
})
