import { createHash } from 'node:crypto'
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { isSucceeded } from '../../shared/images.ts'
import { runCommand } from '../../test/support/command.ts'
import { createPostgresDatabase, postgresEnvironment } from '../../test/support/databases.ts'
import { makeFolder, tempFolder } from '../../test/support/folder.ts'
import { describeWithS3 } from '../../test/support/s3.ts'
import { uploadsIn } from '../../test/support/site.ts'
import { generateImage } from '../../test/support/trpc-client.ts'
import { cookieOf, freshAddress, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { openDatabase, type Database } from '../db/open-database.ts'
import { acquireFileLock } from '../db/sqlite/file-lock.ts'

/** A site of version 0.1. */
const earlierSite = path.resolve(import.meta.dirname, '../../test/fixtures/earlier-site')

const secret = 'the secret of the old site, which signs its sessions'

/** Environment of a server on SQLite. */
const onSqlite = { DATABASE_URL: 'file:data/rangoli.db', AUTH_SECRET: secret }

/** Key of Asha in the site of commit 4cc01976. */
const apiKey = 'rgl_oPGv4OqDfSCNQznWrwGL7fouwomrt8TSxzSddgkKWw336Uq4P'

async function signIn(server: TestServer, email: string): Promise<string> {
  const response = await server.postAccount('/sign-in/email', { email, password: 'correct horse' })
  expect(response.status).toBe(200)
  return cookieOf(response)
}

/** Copied for each test. */
let template: ReturnType<typeof createSite> | null = null
afterAll(async () => {
  if (template) await rm((await template).folder, { recursive: true })
})

/** A stopped site of commit 4cc01976 that was migrated, with rows in every table. */
async function sourceSite() {
  template ??= createSite()
  const { folder: from, cookie } = await template
  const folder = await tempFolder()
  await cp(from, folder, { recursive: true, preserveTimestamps: true })
  return { folder, cookie }
}

async function createSite() {
  const folder = await makeFolder()
  await cp(path.join(earlierSite, 'rangoli.db'), path.join(folder, 'data/rangoli.db'))
  await cp(path.join(earlierSite, 'images'), path.join(folder, 'uploads'), { recursive: true })
  await writeFile(path.join(folder, 'data/auth-secret'), secret)
  const server = await startTestServer({ folder, env: onSqlite })
  const cookie = await signIn(server, 'asha@example.org')
  const asha = server.client(server.headersOf({ cookie }))
  const moderator = server.client(server.headersOf({ cookie: await signIn(server, 'meera@example.org') }))
  const { posts } = await asha.posts.list.query()
  await server.client({ 'x-forwarded-for': freshAddress() }).posts.report.mutate({
    id: posts[1]?.id ?? '',
    reason: 'spam',
    comment: 'Ugly',
  })
  await moderator.moderation.hide.mutate({ id: posts[0]?.id ?? '' })
  const ravi = server.client(server.headersOf({ cookie: await signIn(server, 'ravi@example.org') }))
  await generateImage(asha, 'A peacock')
  await ravi.posts.delete.mutate({ id: (await ravi.posts.list.query()).posts[0]?.id ?? '' })
  const [liked] = (await asha.posts.list.query()).posts.toReversed()
  await asha.posts.like.mutate({ id: liked?.id ?? '' })
  await asha.account.updateSettings.mutate({ defaultVisibility: 'unlisted' })
  await server.stop()

  const database = new SqliteDatabase(path.join(folder, 'data/rangoli.db'))
  database.exec(`
    INSERT INTO bucket_folders (folder, bytes) VALUES ('of an earlier bucket', 5);
    INSERT INTO closed_accounts (user_id, created_at) VALUES ('closed', 1);
    INSERT INTO verification (id, identifier, value, expiresAt, createdAt, updatedAt)
      VALUES ('v', 'i', 'ß', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05Z');
    INSERT INTO moderation_log (action, administrator_id, administrator_name, post_id, reasons, created_at)
      VALUES ('dismiss', NULL, 'before ' || char(0) || 'and after, ' || cast(x'EDA080' as text), 'gone', '["spam"]', 2);
    INSERT INTO appeals (decision, post_id, author_id, comment, created_at, closed_at)
      SELECT 1, id, author_id, 'It is a drawing', 3, 4 FROM posts LIMIT 1;
    INSERT INTO site_options (name, value) VALUES ('dailyImageLimit', '7');
    INSERT INTO admin_log (action, administrator_id, administrator_name, details, created_at)
      VALUES ('change_option', NULL, 'Meera', '{}', 5);
    INSERT INTO invitations (id, hash, note, max_uses, creator_name, created_at, expires_at)
      VALUES ('i', 'h', 'Class 7b', 30, 'Meera', 5, 6);
    INSERT INTO mails (id, user_id, message, created_at, due_at, expires_at)
      SELECT 'm', id, '{"kind":"reports"}', 5, 6, 7 FROM user LIMIT 1;
    INSERT INTO webhooks (id, url, events, secret, created_at) VALUES ('w', 'https://a.test/', '[]', 'whsec_AAAA', 5);
    INSERT INTO webhook_deliveries (id, webhook_id, type, data, created_at, due_at)
      VALUES ('d', 'w', 'webhook.test', '{}', 5, 6);
    INSERT INTO passkey (id, name, publicKey, userId, credentialID, counter, deviceType, backedUp, createdAt)
      SELECT 'p', 'Phone', 'key', id, 'credential', 0, 'singleDevice', 0, '2026-01-02T03:04:05.678Z' FROM user LIMIT 1;
    INSERT INTO provider_sessions (session_id, id_token, authenticated_at)
      SELECT id, 'encrypted', 5 FROM session LIMIT 1;
    INSERT INTO collections (id, owner_id, title, description, search_text, visibility, contributors, created_at)
      VALUES ('c', 'u', 'Rain', '', 'rain', 'public', 'invited', 5);
    INSERT INTO collection_posts (collection_id, post_id, position, author_id, listed, added_at)
      SELECT 'c', id, 1, author_id, 1, 5 FROM posts LIMIT 1;
    INSERT INTO collection_contributors (collection_id, user_id, joined_at) VALUES ('c', 'u', 5);
    INSERT INTO collection_reports (collection_id, reason, comment, created_at) VALUES ('c', 'spam', '', 5);
    INSERT INTO notifications (seq, id, user_id, kind, created_at) VALUES (1000, 'n', 'u', 'theme', 5);
    INSERT INTO notification_events (notification, actor_id, subject_id, actor_name, created_at)
      VALUES (1000, '', 's', '', 5);
    INSERT INTO notification_settings (user_id) VALUES ('u');
    INSERT INTO monthly_spending VALUES ('u', 202611, 40000);
    INSERT INTO daily_spending VALUES ('2026-11-26', 'openai', 'u', 40000);
    INSERT INTO styles (id, owner_id, name, template, negative_prompt, loras, for_models, created_at)
      VALUES ('st', 'u', 'Dusk', '{prompt}, dusk', '', '[]', 0, 5);
    INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, created_at, pushed_until)
      VALUES ('u', 'https://a.test/', 'key', 'secret', 5, 5);
    INSERT OR IGNORE INTO words (word, posts) VALUES ('rain', 1);
    INSERT OR IGNORE INTO word_posts (word, post) VALUES ('rain', 1);
    INSERT INTO word_changes (post, search_text, change) VALUES (1, 'rain', 1);
    UPDATE sqlite_sequence SET seq = seq + 100;
  `)
  database.close()
  return { folder, cookie }
}

async function emptyDatabase(): Promise<string> {
  const database = await createPostgresDatabase()
  if (!database) throw new Error('These tests require PostgreSQL.')
  onTestFinished(database.release)
  return database.url
}

async function openTarget(url: string): Promise<Database> {
  const config = { kind: 'postgres', url, listenUrl: url, maxConnections: 2 } as const
  const db = await openDatabase(config, pino({ level: 'silent' }))
  onTestFinished(() => db.destroy())
  return db
}

interface ImportOptions {
  readonly url: string
  /** Folder of images of the target. */
  readonly uploads: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
}

/** Runs the command in the folder of the source. */
function runImport(folder: string, { url, uploads, args, env }: ImportOptions) {
  const defaults = ['--database', 'file:data/rangoli.db', '--uploads', 'uploads']
  return runCommand(folder, ['import', ...(args ?? defaults)], {
    env: { ...postgresEnvironment(url), UPLOADS_DIR: uploads, ...env },
  })
}

/** The line with the result. A slow machine prints progress before it. */
const resultIn = (printed: readonly string[]) => printed.find((line) => line.includes(' contains '))

/** Contents of all files by path. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    contents[path.relative(folder, file)] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  }
  return contents
}

async function countRows(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Constraints and indexes of PostgreSQL. */
async function definitionsIn(db: Database): Promise<readonly unknown[]> {
  const query = sql`SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index ORDER BY definition`
  return (await query.execute(db)).rows
}

/** Tables of SQLite with their number of rows. */
function tablesIn(folder: string): ReadonlyMap<string, number> {
  const database = new SqliteDatabase(path.join(folder, 'data/rangoli.db'))
  const names = database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
        AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'kysely_*' AND name <> 'gallery' ORDER BY name`,
    )
    .pluck()
    .all() as string[]
  const count = (name: string) => database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number
  const tables = new Map(names.map((name) => [name, count(name)]))
  database.close()
  return tables
}

test('imports every row of every table, and leaves the source unchanged', async () => {
  const { folder, cookie } = await sourceSite()
  const tables = tablesIn(folder)
  expect([...tables].filter(([, count]) => count === 0)).toEqual([])
  const before = await contentsOf(folder)
  const [url, uploads] = [await emptyDatabase(), path.join(await tempFolder(), 'images')]
  const { printed, error } = await runImport(folder, { url, uploads })
  expect(error).toBeNull()
  const name = url.replace(/:[^:@]+@/, '@')
  // Progress is printed on a slow machine only.
  expect(printed.filter((line) => !/^\d+ of \d+ rows$/.test(line))).toEqual([
    'Building the indexes …',
    `${name} contains 4 posts and 5 images, 5 of them copied now.`,
    'Removed NUL characters, which PostgreSQL does not store, from 1 text.',
    'Servers of the imported site need these settings; .env is not changed:',
    `  DATABASE_URL of ${name}, as now`,
    `  UPLOADS_DIR=${uploads}`,
    `  AUTH_SECRET=${secret}`,
    'Another one signs users out and loses secrets of engines.',
  ])
  expect(await contentsOf(folder)).toEqual(before)
  const images = await contentsOf(uploads)
  const stored = Object.entries(before).filter(([file]) => file.startsWith('uploads/'))
  for (const [file, sum] of stored) {
    if (!file.endsWith('lock')) expect([file, images[path.relative('uploads', file)]]).toEqual([file, sum])
  }

  const db = await openTarget(url)
  expect(await definitionsIn(db)).toEqual(await definitionsIn(await openTarget(await emptyDatabase())))
  for (const [table, count] of tables) expect([table, await countRows(db, table)]).toEqual([table, count])
  const { rows } = await sql`SELECT * FROM verification`.execute(db)
  const createdAt = new Date('2026-01-02T03:04:05.678Z')
  const times = { expiresAt: createdAt, createdAt, updatedAt: new Date('2026-01-02T03:04:05Z') }
  expect(rows).toEqual([{ id: 'v', identifier: 'i', value: 'ß', ...times }])
  const users = await sql<{ emailVerified: unknown }>`SELECT DISTINCT "emailVerified" FROM "user"`.execute(db)
  expect(users.rows).toEqual([{ emailVerified: false }])
  const entry = db.selectFrom('moderation_log').select('administrator_name').where('post_id', '=', 'gone')
  expect(await entry.executeTakeFirst()).toEqual({
    administrator_name: 'before and after, \ufffd\ufffd\ufffd',
  })

  // The numbers of rows continue, and the site keeps its id.
  const source = new SqliteDatabase(path.join(folder, 'data/rangoli.db'), { readonly: true })
  const siteId = source.prepare('SELECT id FROM site').pluck().get()
  const lastOf = (table: string) =>
    Number(source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table))
  const last = { posts: lastOf('posts'), keys: lastOf('api_keys') }
  source.close()
  expect(await db.selectFrom('site').select('id').execute()).toEqual([{ id: siteId }])
  expect(await readFile(path.join(uploads, '.rangoli/site-id'), 'utf8')).toBe(`${String(siteId)}\n`)
  const gallery = await db.selectFrom('gallery').select(['posts', 'newest']).execute()
  expect(gallery).toEqual([{ posts: 2, newest: last.posts }])
  const key = { id: 'k', user_id: 'u', name: '', hash: 'h', user_name: '', created_at: 1 }
  const { seq } = await db.insertInto('api_keys').values(key).returning('seq').executeTakeFirstOrThrow()
  expect(seq).toBe(last.keys + 1)
  await db.deleteFrom('api_keys').where('id', '=', 'k').execute()
  await db.destroy()
  const env = { ...postgresEnvironment(url), AUTH_SECRET: secret, UPLOADS_DIR: uploads }
  const server = await startTestServer({ env })
  const asha = server.client(server.headersOf({ cookie }))
  const { id: imageId } = await generateImage(asha, 'A new lotus')
  await asha.posts.create.mutate({ name: 'Asha', prompt: 'A new lotus', imageId, visibility: 'public' })
  const robot = server.client({ authorization: `Bearer ${apiKey}` })
  const { posts, total } = await robot.posts.list.query({ search: 'lotus' })
  expect([posts[0]?.prompt, total]).toEqual(['A new lotus', 3])
  const top = await robot.posts.list.query({ sort: 'top' })
  expect(top.posts.map(({ likeCount }) => likeCount)).toEqual([1, 0, 0])
  await server.stop()

  const again = await runImport(folder, { url, uploads })
  expect(again.error).toMatch(
    /^DATABASE_URL: the database is not empty \(the table "\w+" has rows\)\. Create a new one for the import\.$/,
  )
})

test('leaves an empty database if a row cannot be stored, and continues with the images that are there', async () => {
  const { folder } = await sourceSite()
  const [url, uploads] = [await emptyDatabase(), path.join(await tempFolder(), 'images')]
  const db = await openTarget(url)
  await sql`ALTER TABLE reports ADD CONSTRAINT no_rows CHECK (false)`.execute(db)
  // References a table that was created later, as all may be in a restored database.
  await sql`ALTER TABLE posts ADD FOREIGN KEY (seq) REFERENCES post_stats (seq)`.execute(db)
  await db.destroy()
  const { error } = await runImport(folder, { url, uploads })
  expect(error).toMatch(/^The rows of the table "reports" can't be imported \([^\n]+no_rows[^\n]+\)\.$/)

  const after = await openTarget(url)
  for (const table of ['images', 'posts', 'user']) expect(await countRows(after, table)).toBe(0)
  await sql`ALTER TABLE reports DROP CONSTRAINT no_rows`.execute(after)
  await after.destroy()
  const { printed, error: none } = await runImport(folder, { url, uploads })
  expect(none).toBeNull()
  expect(resultIn(printed)).toContain(' 5 images, 0 of them copied now.')
})

test('leaves an empty database if PostgreSQL returns other rows than SQLite', async () => {
  const { folder } = await sourceSite()
  const [url, uploads] = [await emptyDatabase(), path.join(await tempFolder(), 'images')]
  const db = await openTarget(url)
  await sql`CREATE RULE lost AS ON INSERT TO reports DO INSTEAD NOTHING`.execute(db)
  await db.destroy()
  expect((await runImport(folder, { url, uploads })).error).toMatch(
    /^The rows of the table "reports" differ after the import \(\d read, 0 stored\)\.$/,
  )
  const after = await openTarget(url)
  for (const table of ['images', 'posts', 'user']) expect(await countRows(after, table)).toBe(0)
  // Databases are used again.
  await sql`DROP RULE lost ON reports`.execute(after)
})

test('reports missing and damaged images, and imports everything else', async () => {
  const { folder } = await sourceSite()
  const [missing = '', damaged = ''] = await uploadsIn(folder)
  await rm(path.join(folder, 'uploads', missing), { recursive: true })
  await appendFile(path.join(folder, 'uploads', damaged, 'original.jpg'), 'x')
  const [url, uploads] = [await emptyDatabase(), path.join(await tempFolder(), 'images')]
  const { error, printed } = await runImport(folder, { url, uploads })
  expect(resultIn(printed)).toContain(' contains 4 posts and 3 images, 3 of them copied now.')
  expect(error).toMatch(/^The site is imported without 2 images that are missing or damaged in the source: /)
  expect(error).toContain(missing)
  expect(error).toContain(damaged)
  const others = (await readdir(uploads)).filter((name) => name !== '.rangoli')
  expect(others).toHaveLength(3)
})

test('keeps the images in place if the uploads folder stays the same', async () => {
  const { folder } = await sourceSite()
  const before = await contentsOf(path.join(folder, 'uploads'))
  const url = await emptyDatabase()
  const { error, printed } = await runImport(folder, { url, uploads: 'uploads' })
  expect(error).toBeNull()
  expect(resultIn(printed)).toContain(' 5 images, 0 of them copied now.')
  expect(await contentsOf(path.join(folder, 'uploads'))).toEqual(before)
})

describe('rejects', () => {
  let folder: string
  let url: string
  let uploads: string
  beforeEach(async () => {
    ;({ folder } = await sourceSite())
    url = await emptyDatabase()
    uploads = path.join(await tempFolder(), 'images')
  })

  async function expectRefused(message: RegExp, options: Partial<ImportOptions> = {}): Promise<void> {
    const { error, printed } = await runImport(folder, { url, uploads, ...options })
    expect(error).toMatch(message)
    expect(error).not.toContain('\n')
    expect(printed).toEqual([])
  }

  test.each([
    [[], /^Required option '--database <url>' not specified; npm run import -- --help shows the usage\.$/],
    [['--database', 'file://elsewhere/rangoli.db', '--uploads', 'uploads'], / It must be file: and a path, /],
    [
      ['--database', 'file:data/rangoli.db', '--uploads', 'none'],
      /^The uploads folder .*none does not exist; /,
    ],
    [
      ['--database', 'file:data/auth-secret', '--uploads', 'uploads'],
      /auth-secret can't be read \(file is not a database\)\.$/,
    ],
  ])('the arguments %j', async (args, message) => {
    await expectRefused(message, { args })
  })

  test('a target that is not PostgreSQL', async () => {
    const env = { DATABASE_URL: 'file:other.db' }
    await expectRefused(/^DATABASE_URL: import requires PostgreSQL\. Set it to an empty database, /, { env })
  })

  test('a source that a server uses', async () => {
    const release = acquireFileLock(path.join(folder, 'data/rangoli.db.lock'))
    onTestFinished(() => release?.())
    await expectRefused(/^A server is using .*rangoli\.db; stop it before the import\.$/)
  })

  test('a target that a server is connected to', async () => {
    const server = new Client({ connectionString: url, application_name: 'rangoli listen' })
    await server.connect()
    onTestFinished(() => server.end())
    await expectRefused(/^DATABASE_URL: a server is connected to the database; stop it before the import\.$/)
  })

  test('an uploads folder of another site', async () => {
    await writeFile(path.join(folder, 'uploads/.rangoli/site-id'), 'another\n')
    await expectRefused(/^--uploads and --database: the uploads folder .* belongs to another database than /)
  })

  test('a target folder of another site', async () => {
    await mkdir(path.join(uploads, '.rangoli'), { recursive: true })
    await writeFile(path.join(uploads, '.rangoli/site-id'), 'another\n')
    await expectRefused(
      /^UPLOADS_DIR: the uploads folder .*images belongs to another site\. Name a new folder /,
    )
  })

  test('a database of an earlier version', async () => {
    await cp(path.join(earlierSite, 'rangoli.db'), path.join(folder, 'data/rangoli.db'))
    await expectRefused(
      /rangoli\.db is of an earlier version \(\S+\); start the server on it once to migrate it, then import it\.$/,
    )
  })
})

describeWithS3('an import into a bucket', (storage) => {
  test('stores the images under their names, and counts their bytes', async () => {
    const { folder, cookie } = await sourceSite()
    const url = await emptyDatabase()
    const env = storage().env()
    const { error, printed } = await runImport(folder, { url, uploads: '', env })
    expect(error).toBeNull()
    expect(resultIn(printed)).toContain(' 5 images, 5 of them copied now.')
    expect(printed).toContain(`  S3_BUCKET=${env['S3_BUCKET'] ?? ''} and the other S3 variables, as now`)

    const server = await startTestServer({
      env: { ...postgresEnvironment(url), AUTH_SECRET: secret, ...env },
    })
    const asha = server.client(server.headersOf({ cookie }))
    const { images } = await asha.images.list.query()
    let bytes = 0
    for (const { photo } of images.filter(isSucceeded)) {
      const original = await server.request(photo, { headers: { cookie } })
      expect(original.status).toBe(200)
      const file = path.join(folder, photo)
      expect(Buffer.from(await original.arrayBuffer())).toEqual(await readFile(file))
    }
    for (const name of await readdir(path.join(folder, 'uploads'), { recursive: true })) {
      if (/\.(?:jpg|webp)$/.test(name)) bytes += (await stat(path.join(folder, 'uploads', name))).size
    }
    expect(await server.services.blobs.bytes()).toBe(bytes)
    const last = images.findLast(isSucceeded)
    await asha.images.delete.mutate({ id: last?.id ?? '' })
    expect((await server.request(last?.photo ?? '')).status).toBe(404)
  })

  test('rejects a bucket of another site', async () => {
    const { folder } = await sourceSite()
    const env = storage().env()
    const server = await startTestServer({ env })
    await server.stop()
    const { error } = await runImport(folder, { url: await emptyDatabase(), uploads: '', env })
    expect(error).toMatch(
      /^S3_BUCKET: the bucket .* belongs to another site\. Name a new bucket or another S3_PREFIX /,
    )
  })
})
