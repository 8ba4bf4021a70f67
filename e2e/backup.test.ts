import { existsSync } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../server/images/processing.ts'
import { type HostedServer, runHosted, startHostedServer } from './support/hosted-server.ts'
import { images, startProvider } from './support/provider.ts'
import { launch, makeFolder } from './support/server-process.ts'
import { everyPost, signUp } from './support/user.ts'
import {
  type Acknowledged,
  createRandom,
  startUnlimited,
  takeImages,
  unlimited,
  writeUntilClosed,
} from './support/write-load.ts'
import { tempFolder } from '../test/support/folder.ts'

const isLong = process.env['RANGOLI_LONG'] === '1'
/** Backups taken under load. Each takes longer than the one before, since the load adds images all the time. */
const loadRounds = isLong ? 20 : 1
/** Leaves half of the processor to the backups. */
const pauseMs = isLong ? 0 : 100
/** Rounds of killed backups and restores. */
const killRounds = isLong ? 40 : 1

const provider = await startProvider()
provider.finishesAtOnce = true
afterAll(provider.stop)

/** Starts a server that is not killed. */
async function startHosted(folder: string): Promise<HostedServer> {
  const server = await startHostedServer(folder, { PORT: '0', ...unlimited })
  onTestFinished(server.stop)
  return server
}

/** Runs a command, in another process than that of the server under load, expects it to succeed, and returns its output. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHosted(folder, args)
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

/** Names of the complete backups in a folder. */
async function backupsIn(directory: string): Promise<string[]> {
  return existsSync(directory) ? (await readdir(directory)).filter((name) => /^\d/.test(name)).sort() : []
}

/** A stopped site with 60 posts, each with an image. */
let template: Awaited<ReturnType<typeof makeFolder>>

beforeAll(async () => {
  template = await makeFolder()
  const server = await startHostedServer(template.path, { PORT: '0', ...unlimited })
  const asha = await signUp(server.url)
  const photos = await takeImages(4)
  const share = async (photo = '') => {
    for (let count = 1; count <= 15; count += 1)
      await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: `Photo ${count}`, photo })
  }
  await Promise.all(photos.map(({ dataUrl }) => share(dataUrl)))
  await server.stop()
})
afterAll(() => template.remove())

async function copySite(): Promise<string> {
  const folder = await tempFolder()
  await cp(template.path, folder, { recursive: true, preserveTimestamps: true })
  return folder
}

test(
  'restores a backup that was taken while images were generated, shared, uploaded and deleted',
  { timeout: 180_000 + loadRounds * 40_000 },
  async () => {
    const folder = await tempFolder()
    const backups = path.join(await tempFolder(), 'backups')
    const server = await startUnlimited(folder, provider.env)
    const users = await Promise.all(['Asha', 'Meera', 'Ravi'].map((name) => signUp(server.url, name)))
    const [asha] = users
    if (!asha) throw new Error('No user signed up.')
    const acknowledged: Acknowledged = { posts: new Map(), deleted: new Set(), unclear: new Set() }
    const photos = await takeImages(4)
    const generated = await sha256(images.signed)
    const load = writeUntilClosed(server.url, users, photos, generated, acknowledged, pauseMs)

    let before: string[] = []
    for (let round = 0; round < loadRounds; round += 1) {
      const count = acknowledged.posts.size
      await expect.poll(() => acknowledged.posts.size).toBeGreaterThan(count + 10)
      before = [...acknowledged.posts.keys()]
      await run(folder, 'backup', backups)
      expect(await run(folder, 'verify')).toContain('No issues found.')
    }
    // Posts that were not deleted by now were there when the last backup was taken.
    const gone = new Set([...acknowledged.deleted, ...acknowledged.unclear])
    const certain = before.filter((id) => !gone.has(id))
    await server.kill()
    await load

    const elsewhere = await tempFolder()
    await run(elsewhere, 'restore', backups)
    expect(await run(elsewhere, 'verify')).toContain('No issues found.')
    const restored = await startHosted(elsewhere)
    const listed = await everyPost(restored.url, asha)
    expect(certain.filter((id) => !listed.has(id))).toEqual([])
    expect(certain.length).toBeGreaterThan(0)
    for (const [id, post] of listed) {
      const answer = await fetch(restored.url + post.photo)
      const known = acknowledged.posts.get(id)?.sha256
      const sum = await sha256(new Uint8Array(await answer.arrayBuffer()))
      expect(sum).toBe(known ?? sum)
      expect(answer.status).toBe(200)
    }
    expect(acknowledged.deleted.size).toBeGreaterThan(0)
  },
)

test(
  'leaves earlier backups and the site intact when a backup or a restore is killed',
  { timeout: 180_000 + killRounds * 60_000 },
  async () => {
    const random = createRandom(20_261_121)
    const folder = await copySite()
    const backups = path.join(await tempFolder(), 'backups')
    const began = performance.now()
    expect(await launch(folder, ['backup', backups]).finished).toMatchObject({ code: 0, stderr: '' })
    const usualMs = performance.now() - began
    const [first = ''] = await backupsIn(backups)
    const site = await tempFolder()
    await run(site, 'restore', backups)

    let kills = 0
    let killed = 0
    for (let round = 0; round < killRounds; round += 1) {
      // A backup into a new folder has every image to copy.
      const others = path.join(await tempFolder(), 'backups')
      for (const [where, args] of [
        [folder, ['backup', others]],
        [folder, ['backup', backups, '--keep', '1000']],
        [site, ['restore', backups, '--yes']],
      ] as const) {
        const { child, finished } = launch(where, args)
        await pause((0.3 + random() * 0.8) * usualMs)
        child.kill((round + kills) % 2 ? 'SIGKILL' : 'SIGINT')
        kills += 1
        if ((await finished).code === null) killed += 1
      }
      for (const name of await backupsIn(others))
        await run(await tempFolder(), 'restore', others, '--backup', name)
      expect(await backupsIn(backups)).toContain(first)
      expect(await run(site, 'verify')).toContain('No issues found.')
    }
    // In a short run on a busy machine, every process may end before it is killed.
    if (isLong) expect(killed).toBeGreaterThan(0)

    await run(folder, 'backup', backups)
    expect((await readdir(backups)).filter((name) => name.startsWith('.'))).toEqual([])
    await run(site, 'restore', backups, '--yes')
    expect(await readdir(path.join(site, 'data'))).not.toContain('.restoring')
    const restored = await startHosted(site)
    const asha = await signUp(restored.url)
    const posts = await everyPost(restored.url, asha)
    expect(posts.size).toBe(60)
    for (const { photo } of posts.values()) expect((await fetch(restored.url + photo)).status).toBe(200)
  },
)
