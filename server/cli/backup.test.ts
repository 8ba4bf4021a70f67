import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { acquireFileLock } from '../db/sqlite/file-lock.ts'
import { damageTable } from '../../test/faults/database-errors.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startGallery } from '../../test/support/gallery-site.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { runCommand } from '../../test/support/command.ts'

/** A site of version 0.1. */
const earlierSite = path.resolve(import.meta.dirname, '../../test/fixtures/earlier-site')

/** A server with two shared images, and a folder for its backups. */
async function startSite() {
  const { server, asha } = await startGallery()
  return { server, asha, backups: path.join(await tempFolder(), 'backups') }
}

/** Takes a backup, expects it to be complete, and returns its folder. */
async function take(server: TestServer, backups: string, ...args: string[]): Promise<string> {
  const { error } = await runCommand(server.directory, ['backup', backups, ...args])
  expect(error).toBeNull()
  return path.join(backups, (await names(backups)).at(-1) ?? '')
}

const names = async (backups: string) => (await readdir(backups)).filter((name) => /^\d/.test(name)).sort()

const pool = (backups: string) => readdir(path.join(backups, 'pictures'))

async function prompts(server: TestServer): Promise<string[]> {
  const { posts } = await server.client().posts.list.query()
  for (const { photo } of posts) expect((await server.request(photo)).status).toBe(200)
  return posts.map(({ prompt }) => prompt)
}

test('restores a site elsewhere, with its accounts and sessions', async () => {
  const { server, asha, backups } = await startSite()
  await take(server, backups)
  const folder = await tempFolder()
  const { printed, questions, error } = await runCommand(folder, ['restore', backups])
  expect({ questions, error }).toEqual({ questions: [], error: null })
  expect(printed).toEqual([expect.stringMatching(/ is restored: 2 posts and 2 images\.$/)])
  expect((await runCommand(folder, ['verify'])).printed).toEqual(['No issues found.'])

  const restored = await startTestServer({ folder })
  expect(await prompts(restored)).toEqual(['A kite', 'A lotus'])
  const viewer = await restored.client({ cookie: asha.cookie }).viewer.query()
  expect(viewer).toMatchObject({ id: asha.id })
})

test('lists the checksums of its files, and only its owner can read them', async () => {
  const { server, backups } = await startSite()
  const folder = await take(server, backups)
  const lines = (await readFile(path.join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ')
    const bytes = await readFile(path.join(backups, name))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum)
  }
  expect((await readdir(folder)).sort()).toEqual(['SHA256SUMS', 'auth-secret', 'manifest.json', 'rangoli.db'])
  for (const one of [backups, folder]) expect((await stat(one)).mode & 0o077).toBe(0)
  for (const file of await readdir(folder)) {
    expect((await stat(path.join(folder, file))).mode & 0o077).toBe(0)
  }
})

test('copies only new images, and removes images that no kept backup needs', async () => {
  const { server, asha, backups } = await startSite()
  await take(server, backups)
  const [lotus] = (await asha.trpc.images.list.query()).images.slice(-1)
  await asha.trpc.images.delete.mutate({ id: lotus?.id ?? '' })
  await asha.trpc.images.deletePermanently.mutate({ id: lotus?.id ?? '' })
  await asha.generate('A tiger')
  const { printed } = await runCommand(server.directory, ['backup', backups, '--keep', '2'])
  expect(printed).toEqual([expect.stringMatching(/ contains 1 post and 2 images, 1 of them new\.$/)])
  expect(await pool(backups)).toHaveLength(3)

  const later = path.join(backups, '2099-01-01T00-00-00-000Z')
  // As if the clock was set back afterwards.
  await rename(await take(server, backups, '--keep', '2'), later)
  expect(await names(backups)).toHaveLength(2)
  await runCommand(server.directory, ['backup', backups, '--keep', '1'])
  expect(await names(backups)).not.toContain(path.basename(later))
  expect(await pool(backups)).toHaveLength(2)
})

test('restores an earlier backup by its name', async () => {
  const { server, asha, backups } = await startSite()
  const first = path.basename(await take(server, backups))
  for (const { id } of (await asha.trpc.images.list.query()).images)
    await asha.trpc.images.delete.mutate({ id })
  await take(server, backups)
  const folder = await tempFolder()
  expect((await runCommand(folder, ['restore', backups, '--backup', first])).error).toBeNull()
  expect(await prompts(await startTestServer({ folder }))).toEqual(['A kite', 'A lotus'])
  const { error } = await runCommand(folder, ['restore', backups, '--backup', 'yesterday'])
  expect(error).toContain(`There is no backup yesterday in ${backups}; there are ${first}, `)
})

test('reports a lost image unless an earlier backup has it', async () => {
  const { server, asha, backups } = await startSite()
  await take(server, backups)
  const [tiger, kite] = [await asha.generate('A tiger'), (await asha.trpc.images.list.query()).images[1]]
  for (const photo of [tiger.photo, kite?.photo ?? '']) {
    await rm(path.join(server.directory, path.dirname(photo)), { recursive: true })
  }
  const { error } = await runCommand(server.directory, ['backup', backups])
  expect(error).toMatch(/^The backup was made without 1 image of the site: missing or damaged\./)
  const folder = await tempFolder()
  const restored = await runCommand(folder, ['restore', backups])
  expect(restored.error).toMatch(/^The backup is restored without 1 image that it does not contain/)
  expect(await prompts(await startTestServer({ folder }))).toEqual(['A kite', 'A lotus'])
})

test('rejects a damaged database and keeps earlier backups', async () => {
  const { server, backups } = await startSite()
  await take(server, backups)
  const before = await names(backups)
  const folder = await tempFolder()
  await runCommand(folder, ['restore', backups])
  await damageTable(path.join(folder, 'data/rangoli.db'), 'posts')
  const { error } = await runCommand(folder, ['backup', backups])
  expect(error).toMatch(/^No backup was made in [^\n]+; earlier backups are unchanged: [^\n]*malformed\.$/)
  expect(await names(backups)).toEqual(before)
  expect((await readdir(backups)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('says that the backup was made if old ones cannot be removed', async () => {
  const { server, backups } = await startSite()
  await rm(path.join(await take(server, backups), 'SHA256SUMS'))
  const { error } = await runCommand(server.directory, ['backup', backups])
  expect(error).toMatch(/^The backup was made, but not everything old was removed: ENOENT/)
  expect(await names(backups)).toHaveLength(2)
})

test('rejects a second backup to the same folder', async () => {
  const { server, backups } = await startSite()
  await take(server, backups)
  const release = acquireFileLock(path.join(backups, 'rangoli-backups'))
  const { error } = await runCommand(server.directory, ['backup', backups])
  expect(error).toBe(`Another backup to ${backups} is running.`)
  release?.()
  await take(server, backups)
})

test('ignores an interrupted backup, which the next one removes', async () => {
  const { server, backups } = await startSite()
  const complete = await take(server, backups)
  const left = path.join(backups, '.unfinished-2099-01-01T00-00-00-000Z')
  await cp(complete, left, { recursive: true })
  await rm(complete, { recursive: true })
  const folder = await tempFolder()
  expect((await runCommand(folder, ['restore', backups])).error).toBe(
    `${backups} contains no finished backup.`,
  )
  await take(server, backups)
  expect(await readdir(backups)).not.toContain(path.basename(left))
})

test('backs up and restores a database of an earlier version without migrating it', async () => {
  const [folder, restored] = [await tempFolder(), await tempFolder()]
  const backups = path.join(await tempFolder(), 'backups')
  await cp(path.join(earlierSite, 'rangoli.db'), path.join(folder, 'data/rangoli.db'))
  await cp(path.join(earlierSite, 'images'), path.join(folder, 'uploads'), { recursive: true })
  expect((await runCommand(folder, ['backup', backups])).error).toBeNull()
  expect((await runCommand(restored, ['restore', backups])).error).toBeNull()
  for (const site of [folder, restored]) {
    expect((await runCommand(site, ['verify'])).error).toMatch(
      /is of an earlier version \(0034-webhook-secrets\)/,
    )
  }
})

describe('rejects an invalid folder in one line and writes nothing', () => {
  const reject = async (server: TestServer, directory: string) => {
    const { error, printed } = await runCommand(server.directory, ['backup', directory])
    expect(printed).toEqual([])
    expect(error).toMatch(/^[^\n]+$/)
    return error
  }

  test('the folders of the site, folders inside and around them, also through a link', async () => {
    const { server, backups } = await startSite()
    const within = (...parts: string[]) => path.join(server.directory, ...parts)
    await mkdir(backups)
    await symlink(within('uploads'), path.join(backups, 'link'))
    const before = await readdir(server.directory, { recursive: true })
    for (const name of ['uploads', 'uploads/backups', 'data', 'data/backups', '.']) {
      expect(await reject(server, within(name))).toMatch(
        /^Backups can't be stored in |^The backup folder can't contain /,
      )
    }
    expect(await reject(server, path.join(backups, 'link/backups'))).toMatch(
      /^Backups can't be stored in the uploads/,
    )
    expect(await readdir(server.directory, { recursive: true })).toEqual(before)
  })

  test('a file, a folder with other files, a folder without parent', async () => {
    const { server, backups } = await startSite()
    await mkdir(backups)
    await writeFile(path.join(backups, 'notes.txt'), 'mine')
    expect(await reject(server, backups)).toMatch(/contains other files than backups/)
    expect(await reject(server, path.join(backups, 'notes.txt'))).toMatch(/is a file; name a folder/)
    expect(await reject(server, path.join(backups, 'not/there'))).toMatch(/does not exist/)
    expect(await readdir(backups)).toEqual(['notes.txt'])
  })
})

test('requires a database and an uploads folder, and creates neither', async () => {
  const folder = await tempFolder()
  const backups = path.join(await tempFolder(), 'backups')
  expect((await runCommand(folder, ['backup', backups])).error).toMatch(/^There is nothing to back up: /)
  expect(await readdir(folder)).toEqual([])
  await mkdir(path.join(folder, 'data'))
  new SqliteDatabase(path.join(folder, 'data/rangoli.db')).close()
  expect((await runCommand(folder, ['backup', backups])).error).toMatch(
    /^The uploads folder .* does not exist/,
  )
  await mkdir(path.join(folder, 'uploads'))
  expect((await runCommand(folder, ['backup', backups])).error).toMatch(/is not a database of Rangoli\.$/)
  expect(await names(backups)).toEqual([])
})
