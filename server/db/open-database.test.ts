import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../errors/app-error.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { createFormerDatabase } from '../../test/support/older-database.ts'
import { migrationsFor } from './migrations.ts'
import { openDatabaseFile } from './open-database.ts'

async function open(file: string) {
  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  return db
}

async function startError(file: string): Promise<string> {
  const error = await open(file).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message
}

test('creates a database of this version in an empty folder', async () => {
  const db = await open(path.join(await tempFolder(), 'deep/data/rangoli.db'))
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  expect(tables).toEqual(
    expect.arrayContaining(['images', 'posts', 'daily_usage', 'user', 'session', 'account', 'verification']),
  )
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrationsFor('sqlite')))
})

test('rolls back a migration that fails', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const before = new SqliteDatabase(file)
  before.exec('CREATE TABLE posts (of_another_program TEXT)')
  before.close()
  expect(await startError(file)).toBe(
    "DATABASE_URL: the database can't be brought up to date (table posts already exists).",
  )
  const after = new SqliteDatabase(file)
  onTestFinished(() => void after.close())
  const ours = "name NOT LIKE 'kysely_%' AND name NOT LIKE 'sqlite_%'"
  expect(after.prepare(`SELECT name FROM sqlite_schema WHERE ${ours}`).pluck().all()).toEqual(['posts'])
})

test('rejects a database of a newer version with one line and changes nothing', async () => {
  const folder = await tempFolder()
  const file = path.join(folder, 'rangoli.db')
  const db = await openDatabaseFile(file)
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-holograms', '2099-01-01')`.execute(
    db,
  )
  await db.destroy()

  expect(await startError(file)).toBe(
    `DATABASE_URL: the database ${file} was written by a newer version of Rangoli (it has the migration 9999-holograms); start that version, or restore an older copy.`,
  )
  expect(await startError(file)).toContain('9999-holograms')
})

test('keeps the rows of a database of commit 4cc01976, and records the baseline', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const before = await createFormerDatabase(file)
  before.exec("INSERT INTO daily_usage VALUES ('asha', '2026-01-01', 'image', 3)")
  before.exec(`INSERT INTO images (id, owner_id, source, engine, prompt, state, created_at)
    VALUES ('straße', 'asha', 'generated', 'one', 'Eine Straße', 'queued', 1790000000000)`)
  const site = before.prepare('SELECT id FROM site').pluck().get()
  before.close()
  const db = await open(file)
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrationsFor('sqlite')))
  expect(await db.selectFrom('daily_usage').select('used').execute()).toEqual([{ used: 3 }])
  expect(await db.selectFrom('images').select('search_text').execute()).toEqual([
    { search_text: 'eine strasse' },
  ])
  expect(await db.selectFrom('image_totals').select(['month', 'images']).execute()).toEqual([
    { month: 202609, images: 1 },
  ])
  expect(await db.selectFrom('site').select('id').executeTakeFirst()).toEqual({ id: site })
})

test('rejects a database before commit 4cc01976 with one line and changes nothing', async () => {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const before = await createFormerDatabase(file)
  before.exec("DELETE FROM kysely_migration WHERE name = '0034-webhook-secrets'")
  before.close()
  expect(await startError(file)).toBe(
    `DATABASE_URL: the database ${file} was written by an older version of Rangoli; start it once with commit 4cc01976, then with this version.`,
  )
  expect(await startError(file)).toContain('older version')
})

test('sets the pragmas for durability and foreign keys', async () => {
  const db = await open(path.join(await tempFolder(), 'rangoli.db'))
  const pragma = async (name: string) => {
    const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)
    return Object.values(rows[0] ?? {})[0]
  }
  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  expect(await pragma('foreign_keys')).toBe(1)
  // Waiting in SQLite would block the process; the dialect retries instead.
  expect(await pragma('busy_timeout')).toBe(0)
})

test('rejects a file that is not a database with one line, and a folder', async () => {
  const folder = await tempFolder()
  expect(await startError(folder)).toMatch(/database file\)\. The user that runs the server must/)
  const file = path.join(folder, 'rangoli.db')
  await writeFile(file, 'Dear diary, '.repeat(1_000))
  expect(await startError(file)).toBe(
    `DATABASE_URL: the database ${file} can't be opened (file is not a database).`,
  )
})
