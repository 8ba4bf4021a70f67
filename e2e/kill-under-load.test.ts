import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { sha256 } from '../server/images/processing.ts'
import { eventually } from './support/browser.ts'
import { images, startProvider } from './support/provider.ts'
import type { ServerProcess } from './support/server-process.ts'
import { everyPost, signUp, type User } from './support/user.ts'
import {
  type Acknowledged,
  createRandom,
  startUnlimited,
  takeImages,
  writeUntilClosed,
} from './support/write-load.ts'
import { tempFolder } from '../test/support/folder.ts'

const isLong = process.env['RANGOLI_LONG'] === '1'
const rounds = isLong ? 100 : 1
/** Maximum time between the first write of a round and the kill. */
const maxLoadMs = isLong ? 1_500 : 500
const seed = 20_261_121

const provider = await startProvider()
provider.finishesAtOnce = true
afterAll(provider.stop)

const start = (folder: string) => startUnlimited(folder, provider.env)

/** Expects every acknowledged post, and every image with its checksum. */
async function expectNothingLost(
  server: ServerProcess,
  user: User,
  acknowledged: Acknowledged,
  seenBefore: ReadonlySet<string>,
): Promise<void> {
  const { posts, deleted, unclear } = acknowledged
  const listed = await everyPost(server.url, user)
  const lost = [...posts.keys()].filter((id) => !listed.has(id) && !deleted.has(id) && !unclear.has(id))
  expect(lost).toEqual([])
  expect([...deleted].filter((id) => listed.has(id))).toEqual([])
  for (const [id, post] of listed) {
    if (seenBefore.has(id)) continue
    const answer = await fetch(server.url + post.photo)
    expect(answer.status).toBe(200)
    const sum = await sha256(new Uint8Array(await answer.arrayBuffer()))
    const known = posts.get(id)
    if (known) expect(sum).toBe(known.sha256)
  }
}

/** Expects that rows and files agree, no generation is left running, and the quota matches the images. */
function expectConsistent(folder: string): void {
  const database = new SqliteDatabase(path.join(folder, 'data/rangoli.db'), { readonly: true })
  const column = (sql: string) => database.prepare(sql).pluck().all()
  const folders = column('SELECT folder FROM images WHERE folder IS NOT NULL') as string[]
  const missing = folders.filter((name) => !existsSync(path.join(folder, 'uploads', name, 'original.jpg')))
  expect(missing).toEqual([])
  expect(column("SELECT id FROM images WHERE state = 'generating'")).toEqual([])
  expect(column("SELECT coalesce(sum(used), 0) FROM daily_usage WHERE kind = 'image'")).toEqual(
    column('SELECT count(*) FROM images WHERE counted_on IS NOT NULL'),
  )
  expect(column('SELECT coalesce(sum(images), 0) FROM site_usage')).toEqual(
    column('SELECT count(*) FROM images WHERE counted_on IS NOT NULL'),
  )
  expect(column('PRAGMA integrity_check')).toEqual(['ok'])
  database.close()
}

test(
  'loses no acknowledged write when the server is killed under load',
  { timeout: 180_000 + rounds * 20_000 },
  async () => {
    const random = createRandom(seed)
    const folder = await tempFolder()
    const photos = await takeImages(4)
    const acknowledged: Acknowledged = { posts: new Map(), deleted: new Set(), unclear: new Set() }
    const seen = new Set<string>()
    let server = await start(folder)
    const users = await Promise.all(['Asha', 'Meera', 'Ravi'].map((name) => signUp(server.url, name)))
    const [asha] = users
    if (!asha) throw new Error('No user signed up.')

    for (let round = 0; round < rounds; round += 1) {
      const before = acknowledged.posts.size
      const load = writeUntilClosed(server.url, users, photos, await sha256(images.signed), acknowledged)
      // Kills the server at a random moment under load.
      await eventually(() => acknowledged.posts.size).toBeGreaterThan(before)
      await pause(random() * maxLoadMs)
      await server.kill()
      await load
      server = await start(folder)
      await expectNothingLost(server, asha, acknowledged, seen)
      expectConsistent(folder)
      for (const id of acknowledged.posts.keys()) seen.add(id)
    }
    await expectNothingLost(server, asha, acknowledged, new Set())

    expect(acknowledged.posts.size).toBeGreaterThanOrEqual(rounds)
  },
)
