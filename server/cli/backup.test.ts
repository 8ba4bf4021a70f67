import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { acquireFileLock } from '../db/sqlite/file-lock.ts'
import { createOlderDatabase } from '../../test/support/older-database.ts'
import { damageTable } from '../../test/faults/damage-table.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { backup } from './backup.ts'
import { checkDataCommand } from './verify.ts'
import { restore } from './restore.ts'
import { runCommand } from '../../test/support/command.ts'

/** A server with two shared images. */
async function startGallery() {
  const server = await startTestServer()
  const asha = await server.signUp()
  for (const prompt of ['A lotus', 'A kite']) {
    const image = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
  }
  return { server, asha, backups: path.join(await tempFolder(), 'backups') }
}

/** Takes a backup, expects it to be whole, and returns its folder. */
async function take(server: TestServer, backups: string, ...args: string[]): Promise<string> {
  const { refusal } = await runCommand(backup, server.directory, [backups, ...args])
  expect(refusal).toBeNull()
  return path.join(backups, (await names(backups)).at(-1) ?? '')
}

const names = async (backups: string) => (await readdir(backups)).filter((name) => /^\d/.test(name)).sort()

const pool = (backups: string) => readdir(path.join(backups, 'pictures'))

async function prompts(server: TestServer): Promise<string[]> {
  const { posts } = await server.client().posts.list.query()
  for (const { photo } of posts) expect((await server.request(photo)).status).toBe(200)
  return posts.map(({ prompt }) => prompt)
}

test('a backup restored elsewhere is the same site, with its accounts and sessions', async () => {
  const { server, asha, backups } = await startGallery()
  await take(server, backups)
  const folder = await tempFolder()
  const { printed, questions, refusal } = await runCommand(restore, folder, [backups])
  expect({ questions, refusal }).toEqual({ questions: [], refusal: null })
  expect(printed).toEqual([expect.stringMatching(/ is restored: 2 posts and 2 images\.$/)])
  expect((await runCommand(checkDataCommand, folder, [])).printed).toEqual(['Everything is as it should be.'])

  const restored = await startTestServer({ folder })
  expect(await prompts(restored)).toEqual(['A kite', 'A lotus'])
  const viewer = await restored.client({ cookie: asha.cookie }).viewer.query()
  expect(viewer).toMatchObject({ id: asha.id })
})

test('its sums are those of its files, and nobody else may read them', async () => {
  const { server, backups } = await startGallery()
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

test('the next one copies what is new, and the pool keeps what any of them needs', async () => {
  const { server, asha, backups } = await startGallery()
  await take(server, backups)
  const [lotus] = (await asha.trpc.images.mine.query()).images.slice(-1)
  await asha.trpc.images.delete.mutate({ id: lotus?.id ?? '' })
  await asha.generate('A tiger')
  const { printed } = await runCommand(backup, server.directory, [backups, '--keep', '2'])
  expect(printed).toEqual([expect.stringMatching(/ holds 1 post and 2 images, 1 of them new\.$/)])
  expect(await pool(backups)).toHaveLength(3)

  await take(server, backups, '--keep', '2')
  expect(await names(backups)).toHaveLength(2)
  expect(await pool(backups)).toHaveLength(2)
})

test('an earlier one can be restored by its name', async () => {
  const { server, asha, backups } = await startGallery()
  const first = path.basename(await take(server, backups))
  for (const { id } of (await asha.trpc.images.mine.query()).images)
    await asha.trpc.images.delete.mutate({ id })
  await take(server, backups)
  const folder = await tempFolder()
  expect((await runCommand(restore, folder, [backups, '--backup', first])).refusal).toBeNull()
  expect(await prompts(await startTestServer({ folder }))).toEqual(['A kite', 'A lotus'])
  const { refusal } = await runCommand(restore, folder, [backups, '--backup', 'yesterday'])
  expect(refusal).toContain(`There is no backup yesterday in ${backups}; there are ${first}, `)
})

test('an image that is lost is told, kept where an earlier backup has it, and missing where none has', async () => {
  const { server, asha, backups } = await startGallery()
  await take(server, backups)
  const [tiger, kite] = [await asha.generate('A tiger'), (await asha.trpc.images.mine.query()).images[1]]
  for (const photo of [tiger.photo, kite?.photo ?? '']) {
    await rm(path.join(server.directory, path.dirname(photo)), { recursive: true })
  }
  const { refusal } = await runCommand(backup, server.directory, [backups])
  expect(refusal).toMatch(/^The backup was made, but 1 image of the site could not be: missing or damaged\./)
  const folder = await tempFolder()
  const restored = await runCommand(restore, folder, [backups])
  expect(restored.refusal).toMatch(/^The rest is restored, but the backup holds 1 image not at all/)
  expect(await prompts(await startTestServer({ folder }))).toEqual(['A kite', 'A lotus'])
})

test('a damaged database is not taken for a backup, and earlier ones stay', async () => {
  const { server, backups } = await startGallery()
  await take(server, backups)
  const before = await names(backups)
  const folder = await tempFolder()
  await runCommand(restore, folder, [backups])
  await damageTable(path.join(folder, 'data/rangoli.db'), 'posts')
  const { refusal } = await runCommand(backup, folder, [backups])
  expect(refusal).toMatch(
    /^No backup was made into [^\n]+; earlier ones are as they were: [^\n]*malformed\.$/,
  )
  expect(await names(backups)).toEqual(before)
  expect((await readdir(backups)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('of two at a time into one folder the second gives way', async () => {
  const { server, backups } = await startGallery()
  await take(server, backups)
  const release = acquireFileLock(path.join(backups, 'rangoli-backups'))
  const { refusal } = await runCommand(backup, server.directory, [backups])
  expect(refusal).toBe(`Another backup into ${backups} is running.`)
  release?.()
  await take(server, backups)
})

test('what an interrupted one left is no backup, and goes with the next', async () => {
  const { server, backups } = await startGallery()
  const whole = await take(server, backups)
  const left = path.join(backups, '.unfinished-2099-01-01T00-00-00-000Z')
  await cp(whole, left, { recursive: true })
  await rm(whole, { recursive: true })
  const folder = await tempFolder()
  expect((await runCommand(restore, folder, [backups])).refusal).toBe(
    `No backup in ${backups} was ever finished.`,
  )
  await take(server, backups)
  expect(await readdir(backups)).not.toContain(path.basename(left))
})

/** Replaces a database with one of before the search index, with the rows and columns that both have. */
async function downgrade(file: string): Promise<void> {
  const olderFile = path.join(await tempFolder(), 'older.db')
  await (await createOlderDatabase(olderFile, '0005-moderation')).destroy()
  const database = new SqliteDatabase(olderFile)
  database.pragma('foreign_keys = OFF')
  database.prepare('ATTACH ? AS newer').run(file)
  const list = (source: string) => database.prepare(`SELECT name FROM ${source}`).pluck().all() as string[]
  const ours = "schema = 'main' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'kysely_*'"
  for (const table of list(`pragma_table_list WHERE ${ours}`)) {
    const columns = list(`pragma_table_info('${table}')`).join(', ')
    // What the older one does not allow is not a row that both have.
    database.exec(`INSERT OR IGNORE INTO main.${table} (${columns}) SELECT ${columns} FROM newer.${table}`)
  }
  database.close()
  await cp(olderFile, file)
}

test('a database of an earlier version is backed up as it is', async () => {
  const { server, backups } = await startGallery()
  const folder = await tempFolder()
  await runCommand(restore, folder, [await take(server, backups).then(() => backups)])
  await downgrade(path.join(folder, 'data/rangoli.db'))
  const others = path.join(await tempFolder(), 'backups')
  expect((await runCommand(backup, folder, [others])).refusal).toBeNull()
  const again = await tempFolder()
  expect((await runCommand(restore, again, [others])).refusal).toBeNull()
  expect((await runCommand(checkDataCommand, again, [])).refusal).toMatch(
    /is of an earlier version \(0005-moderation\)/,
  )
  expect(await prompts(await startTestServer({ folder: again }))).toEqual(['A kite', 'A lotus'])
  expect((await runCommand(checkDataCommand, again, [])).refusal).toBeNull()
})

describe('folders that backups can’t lie in get one line, and nothing is written', () => {
  const refused = async (server: TestServer, directory: string) => {
    const { refusal, printed } = await runCommand(backup, server.directory, [directory])
    expect(printed).toEqual([])
    expect(refusal).toMatch(/^[^\n]+$/)
    return refusal
  }

  test('the site’s own, those in it and those around it, also by another name', async () => {
    const { server, backups } = await startGallery()
    const within = (...parts: string[]) => path.join(server.directory, ...parts)
    await mkdir(backups)
    await symlink(within('uploads'), path.join(backups, 'link'))
    const before = await readdir(server.directory, { recursive: true })
    for (const name of ['uploads', 'uploads/backups', 'data', 'data/backups', '.']) {
      expect(await refused(server, within(name))).toMatch(/^Backups can't lie (?:in|around) /)
    }
    expect(await refused(server, path.join(backups, 'link/backups'))).toMatch(
      /^Backups can't lie in the uploads/,
    )
    expect(await readdir(server.directory, { recursive: true })).toEqual(before)
  })

  test('a file, a folder of other things, one whose parent is not there', async () => {
    const { server, backups } = await startGallery()
    await mkdir(backups)
    await writeFile(path.join(backups, 'notes.txt'), 'mine')
    expect(await refused(server, backups)).toMatch(/holds other things than backups/)
    expect(await refused(server, path.join(backups, 'notes.txt'))).toMatch(/is a file; name a folder/)
    expect(await refused(server, path.join(backups, 'not/there'))).toMatch(/is not there/)
    expect(await readdir(backups)).toEqual(['notes.txt'])
  })
})

test('without a database or an uploads folder there is nothing to back up, and none is made', async () => {
  const folder = await tempFolder()
  const backups = path.join(await tempFolder(), 'backups')
  expect((await runCommand(backup, folder, [backups])).refusal).toMatch(/^There is nothing to back up: /)
  expect(await readdir(folder)).toEqual([])
  await mkdir(path.join(folder, 'data'))
  new SqliteDatabase(path.join(folder, 'data/rangoli.db')).close()
  expect((await runCommand(backup, folder, [backups])).refusal).toMatch(/^The uploads folder .* is not there/)
  await mkdir(path.join(folder, 'uploads'))
  expect((await runCommand(backup, folder, [backups])).refusal).toMatch(/is no database of Rangoli\.$/)
  expect(await names(backups)).toEqual([])
})
