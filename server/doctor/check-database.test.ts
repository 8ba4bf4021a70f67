import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { makeAccount } from '../http/test-accounts.ts'
import { tempFolder } from '../http/test-folder.ts'
import { startTestServer } from '../http/test-kit.ts'
import { checkDatabase } from './check-database.ts'
import { readDatabase } from './read-database.ts'
import { linesOf } from './test-findings.ts'

async function examine(folder: string): Promise<string[]> {
  const config = parseConfig({}, folder)
  return linesOf(await checkDatabase(config, readDatabase(config.databaseFile)))
}

const fileIn = (folder: string) => path.join(folder, 'data/rangoli.db')

async function folderWith(content: string | ((db: SqliteDatabase.Database) => void)): Promise<string> {
  const folder = await tempFolder()
  await mkdir(path.join(folder, 'data'))
  if (typeof content === 'string') await writeFile(fileIn(folder), content)
  else {
    const db = new SqliteDatabase(fileIn(folder))
    content(db)
    db.close()
  }
  return folder
}

test('none is there', async () => {
  const folder = await tempFolder()
  expect(await examine(folder)).toEqual([`ok: The first start makes the database ${fileIn(folder)}.`])
})

test("a running server's, with what is in it", async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server)
  const { id } = await asha.generate('A lotus')
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A lotus', imageId: id })
  expect(await examine(server.directory)).toEqual([
    `ok: The database ${fileIn(server.directory)} holds 1 post, 1 picture and 1 account, 0 administrators among them.`,
    'ok: Its schema is up to date.',
  ])
  expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 1 })

  await rename(path.join(server.directory, 'uploads'), path.join(server.directory, 'elsewhere'))
  expect((await examine(server.directory)).at(-1)).toMatch(
    /^problem: It knows 1 picture, but the uploads folder .*\/uploads is not there\. → Mount it/,
  )
})

test('an older one is left as it is', async () => {
  const folder = await folderWith((db) => {
    db.exec('CREATE TABLE kysely_migration (name TEXT); CREATE TABLE user (id TEXT)')
    db.exec("INSERT INTO kysely_migration VALUES ('0001-posts-and-images'), ('0002-local-accounts')")
  })
  const expected = [
    expect.stringMatching(/^ok: .* holds 0 posts, 0 pictures and 0 accounts, 0 administrators/),
    expect.stringMatching(
      /^note: .*0003-account-roles.*: the next start brings it up to date and keeps a copy\.$/,
    ),
  ]
  expect(await examine(folder)).toEqual(expected)
  expect(await examine(folder)).toEqual(expected)
})

test('a damaged one', async () => {
  const server = await startTestServer({ folder: await tempFolder() })
  await server.stop()
  const db = new SqliteDatabase(fileIn(server.directory))
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'daily_usage'").pluck().get()
  const size = Number(db.pragma('page_size', { simple: true }))
  db.close()
  const handle = await open(fileIn(server.directory), 'r+')
  await handle.write(Buffer.alloc(size, 0xff), 0, size, (Number(page) - 1) * size)
  await handle.close()
  expect((await examine(server.directory)).at(-1)).toMatch(
    /^problem: It is damaged \(.+\)\. → Stop the server, and restore/,
  )
})

test.each([
  ['', /^ok: .* is empty/],
  [
    'This is no database. '.repeat(50),
    /^problem: .* can't be read \(file is not a database\)\. → .* restore a copy/,
  ],
  [
    (db: SqliteDatabase.Database) => void db.exec('CREATE TABLE recipes (name TEXT)'),
    /^problem: .* something else\. → To keep them apart, set DATABASE_URL/,
  ],
  [
    (db: SqliteDatabase.Database) =>
      void db.exec(
        "CREATE TABLE kysely_migration (name TEXT); INSERT INTO kysely_migration VALUES ('9999-from-the-future')",
      ),
    /^problem: .* newer version of Rangoli \(it knows 9999-from-the-future\)\. → Start that version/,
  ],
])('a file that is something else, %#', async (content, line) => {
  expect(await examine(await folderWith(content))).toEqual([expect.stringMatching(line)])
})
