import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { isListed, msPerDay } from '../db/gallery.ts'
import { openDatabaseFile, type Database } from '../db/open-database.ts'
import { integrityIssues } from '../db/sqlite/maintenance.ts'
import { isStorageError } from '../errors/app-error.ts'
import { systemCode } from '../files/disk-files.ts'
import { hasImage, type StoredImage, findOrphans, isMostlyUnlisted } from '../images/stored-images.ts'
import { createVariant, isWholeVariant, sha256, variants } from '../images/processing.ts'
import { fileXmp, sourceColumns } from '../images/images.ts'
import { searchText } from '../text/search-text.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { processImages, type Report } from './copy-images.ts'
import { count } from './doctor/report.ts'

/** Defect of the stored data. */
export interface Issue {
  /** A sentence without its full stop. */
  readonly message: string
  /** Repairs it; null if only a backup or the operator can. */
  readonly fix: (() => Promise<void>) | null
  /** To be confirmed before `fix`, because the configuration may be wrong instead of the data. */
  readonly question?: string
}

/** Data to verify. */
export interface VerifiedSite {
  readonly db: Database
  readonly blobs: BlobStore
  /** Keeps a copy of a row that a fix deletes. */
  readonly keepRow: (table: string, row: object) => Promise<void>
}

/**
 * Verifies the stored data of a site while its server runs. PostgreSQL checks its tables, references and indexes itself,
 * so that only 3 without the index, and 4, apply to it:
 *
 * 1. SQLite's integrity check, and tables, indexes and triggers of the schema. Ends after these if a table is damaged or
 *    missing.
 * 2. References between rows.
 * 3. The text that each post is searched by, the search index, and the counts of posts and likes.
 * 4. The files of every image, and files that no row references.
 *
 * @param report called with the number of verified images
 */
export async function* verifyData(site: VerifiedSite, report: Report): AsyncGenerator<Issue> {
  if (dialectOf(site.db) === 'sqlite') {
    let isReadable = true
    for (const issues of [damage(site.db), schemaIssues(site.db)]) {
      for await (const issue of issues) {
        isReadable &&= issue.fix !== null
        yield issue
      }
    }
    if (!isReadable) return
    yield* referenceIssues(site)
  }
  yield* searchTextIssues(site.db)
  yield* searchIssues(site.db)
  yield* totalsIssues(site.db)
  yield* imageIssues(site, report)
}

/** Matches damage to an index, which SQLite can rebuild from its table. */
const indexDamage = /(?:missing from|in|of) index |non-unique entry in index/

/** Matches damage inside a full-text index. */
const searchIndexDamage = /fts5.*posts_(?:trigrams|grams)/i

/** Results of SQLite's integrity check, one issue per kind. */
async function* damage(db: Database): AsyncGenerator<Issue> {
  const messages = (await integrityIssues(db)).map((message) => message.replaceAll('\n', ' '))
  const kindOf = (message: string) =>
    searchIndexDamage.test(message) ? 'search' : indexDamage.test(message) ? 'index' : 'table'
  const fixes = {
    table: null,
    index: async () => void (await sql`REINDEX`.execute(db)),
    search: () => rebuildSearchIndex(db),
  }
  for (const [kind, fix] of Object.entries(fixes)) {
    const [first, ...similar] = messages.filter((message) => kindOf(message) === kind)
    if (first === undefined) continue
    const more = similar.length > 0 ? ` (and ${similar.length} similar)` : ''
    yield { message: `The database is damaged: ${first}${more}`, fix }
  }
}

/** Missing tables, indexes and triggers, as after a change by hand. */
async function* schemaIssues(db: Database): AsyncGenerator<Issue> {
  const existing = new Set((await schemaParts(db)).map(({ type, name }) => `${type} ${name}`))
  for (const part of await expectedSchemaParts()) {
    if (existing.has(`${part.type} ${part.name}`)) continue
    yield {
      message: `The database has no ${part.type} ${part.name}`,
      // The rows of a table are lost with it.
      fix: part.type === 'table' ? null : async () => void (await sql.raw(part.sql).execute(db)),
    }
  }
}

/** Lists the tables, indexes and triggers of a database with their statements, without SQLite's internal tables and keys. */
async function schemaParts(db: Database) {
  const { rows } = await sql<Record<'type' | 'name' | 'sql', string>>`
    SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`.execute(db)
  return rows
}

/** Lists the parts that the migrations create, by running them on an empty database. */
async function expectedSchemaParts() {
  const folder = await mkdtemp(path.join(tmpdir(), 'rangoli-schema-'))
  try {
    const db = await openDatabaseFile(path.join(folder, 'empty.db'))
    const parts = await schemaParts(db)
    await db.destroy()
    return parts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Rows that reference missing rows; fixed by deleting them, with a copy, if their foreign key cascades. Those of a table that
 * was created WITHOUT ROWID have no number, and are one issue.
 */
async function* referenceIssues({ db, keepRow }: VerifiedSite): AsyncGenerator<Issue> {
  type Text = 'table' | 'from' | 'parent' | 'to' | 'on_delete'
  const { rows } = await sql<Record<Text, string> & { rowid: number | null }>`
    SELECT DISTINCT broken."table", broken.rowid, "from", parent, "to", on_delete
    FROM pragma_foreign_key_check AS broken
    JOIN pragma_foreign_key_list(broken."table") AS key ON key.id = broken.fkid`.execute(db)
  for (const { table, rowid, from, parent, to, on_delete } of rows) {
    const isNamed = rowid === null ? sql`` : sql`rowid = ${rowid} AND`
    const dangling = sql`FROM ${sql.table(table)}
      WHERE ${isNamed} ${sql.id(from)} NOT IN (SELECT ${sql.id(to)} FROM ${sql.table(parent)})`
    const remove = async () => {
      for (const row of (await sql<object>`SELECT * ${dangling}`.execute(db)).rows) await keepRow(table, row)
      await sql`DELETE ${dangling}`.execute(db)
    }
    const found = rowid === null ? `Rows of ${table} reference` : `Row ${rowid} of ${table} references`
    yield {
      message: `${found} a missing row of ${parent}`,
      fix: on_delete === 'CASCADE' ? remove : null,
    }
  }
}

const textBatchSize = 1_000

/** Posts whose search text differs from their name and their prompt, unless it is hidden, as after a change by hand. */
async function* searchTextIssues(db: Database): AsyncGenerator<Issue> {
  for (let last = 0; ;) {
    const posts = await db
      .selectFrom('posts')
      .select(['seq', 'id', 'name', 'prompt', 'hide_prompt', 'search_text'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(textBatchSize)
      .execute()
    for (const { id, name, prompt, hide_prompt, search_text } of posts) {
      const expected = searchText(name, hide_prompt ? '' : prompt)
      if (expected === search_text) continue
      yield {
        message: `The search text of the post ${id} is outdated`,
        async fix() {
          await db
            .updateTable('posts')
            .set({ search_text: expected })
            .where('id', '=', id)
            .where('name', '=', name)
            .where('prompt', '=', prompt)
            .where('hide_prompt', '=', hide_prompt)
            .execute()
        },
      }
    }
    const newest = posts.at(-1)
    if (!newest) return
    last = newest.seq
  }
}

const indexes = ['posts_trigrams', 'posts_grams'] as const

type Index = (typeof indexes)[number]

const listedPosts = sql`SELECT seq FROM posts WHERE ${isListed()}`

/** FTS5 stores one row per indexed text in this table. @see https://sqlite.org/fts5.html#shadow_tables */
const indexedPosts = (index: Index) => sql`SELECT id FROM ${sql.table(`${index}_docsize`)}`

/**
 * Differences between posts, search index and the gallery's count. One statement each, so that a running server's writes do
 * not interfere.
 */
async function* searchIssues(db: Database): AsyncGenerator<Issue> {
  for (const index of dialectOf(db) === 'sqlite' ? indexes : []) {
    const surplus = sql`${indexedPosts(index)} WHERE id NOT IN (${listedPosts})`
    const { rows } = await sql<{ missing: number; others: number }>`
      SELECT (SELECT count(*) FROM (${listedPosts} AND seq NOT IN (${indexedPosts(index)}))) AS missing,
        (SELECT count(*) FROM (${surplus})) AS others`.execute(db)
    const { missing = 0, others = 0 } = rows[0] ?? {}
    if (missing + others === 0) continue
    yield {
      message: `The search index ${index} lacks ${count(missing, 'post')} of the gallery, and contains ${count(others, 'other')}`,
      async fix() {
        await sql`DELETE FROM ${sql.table(index)} WHERE rowid IN (${surplus})`.execute(db)
        await indexMissing(db, index)
      },
    }
  }
  const { rows } = await sql<{ listed: number; counted: number | null }>`
    SELECT (SELECT count(*) FROM posts WHERE ${isListed()}) AS listed,
      (SELECT CASE count(*) WHEN 1 THEN max(posts) END FROM gallery) AS counted`.execute(db)
  const { listed = 0, counted = null } = rows[0] ?? {}
  if (listed === counted) return
  const message = `The gallery counts ${counted ?? 'no'} posts instead of ${listed}`
  yield { message, fix: () => recount(db) }
}

async function recount(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const updated = await sql`
      UPDATE gallery SET posts = (SELECT count(*) FROM (${listedPosts}) AS listed), changes = changes + 1`.execute(
      transaction,
    )
    if (updated.numAffectedRows === 1n) return
    await sql`DELETE FROM gallery`.execute(transaction)
    const listed = sql`(${listedPosts}) AS listed`
    await (
      dialectOf(db) === 'sqlite'
        ? sql`INSERT INTO gallery (posts, changes) SELECT count(*), 0 FROM ${listed}`
        : sql`
          INSERT INTO gallery (posts, newest, changes)
          SELECT count(*), (SELECT coalesce(max(seq), 0) FROM posts), 0 FROM ${listed}`
    ).execute(transaction)
  })
}

/** Number of posts per statement, so that a running server can write in between. */
const indexBatchSize = 200

/** Adds the posts that an index lacks. */
async function indexMissing(db: Database, index: Index): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ seq: number }>`
      ${listedPosts} AND seq > ${last} AND seq NOT IN (${indexedPosts(index)})
      ORDER BY seq LIMIT ${indexBatchSize}`.execute(db)
    const newest = rows.at(-1)
    if (!newest) return
    const seqs = rows.map(({ seq }) => seq)
    // Makes the triggers on posts write the entries again.
    await sql`UPDATE posts SET search_text = search_text WHERE seq IN (${sql.join(seqs)})`.execute(db)
    last = newest.seq
  }
}

/** Empties the search index and fills it again; meanwhile searches miss posts. */
async function rebuildSearchIndex(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const index of indexes) {
      await sql`INSERT INTO ${sql.table(index)} (${sql.ref(index)}) VALUES ('delete-all')`.execute(
        transaction,
      )
    }
  })
  for (const index of indexes) await indexMissing(db, index)
}

const day = sql`posts.created_at / ${sql.lit(msPerDay)}`

/** A table whose rows triggers compute from the posts and their likes, and the rows that it should have. */
interface ComputedTable {
  readonly name: 'post_stats' | 'author_totals' | 'day_totals' | 'facet_totals' | 'image_totals'
  /** Columns, the primary key first. */
  readonly columns: readonly [key: string, ...string[]]
  readonly expected: RawBuilder<unknown>
  /** Sentence about wrong rows. */
  readonly issue: string
}

const computedTables: readonly ComputedTable[] = [
  {
    name: 'post_stats',
    columns: ['seq', 'author_id', 'day', 'likes', 'listed', 'facet'],
    expected: sql`
      SELECT posts.seq, posts.author_id, ${day},
        (SELECT count(*) FROM post_likes WHERE post_likes.post_id = posts.id),
        CASE WHEN ${isListed()} THEN 1 ELSE 0 END,
        CASE WHEN image_id IN (SELECT id FROM images) THEN facet
          ELSE (SELECT facet FROM post_stats WHERE post_stats.seq = posts.seq) END
      FROM posts JOIN post_facets USING (seq)`,
    issue: 'The likes or the visibility of posts are counted wrongly',
  },
  {
    name: 'author_totals',
    columns: ['author_id', 'posts'],
    expected: sql`SELECT author_id, count(*) FROM posts WHERE ${isListed()} GROUP BY author_id`,
    issue: 'The posts of authors are counted wrongly',
  },
  {
    name: 'day_totals',
    columns: ['day', 'posts'],
    expected: sql`SELECT ${day}, count(*) FROM posts WHERE ${isListed()} GROUP BY ${day}`,
    issue: 'The posts of days are counted wrongly',
  },
  {
    name: 'facet_totals',
    columns: ['facet', 'posts', 'liked'],
    expected: sql`
      SELECT facet, count(*), count(nullif(likes, 0)) FROM post_stats WHERE listed = 1 GROUP BY facet`,
    issue: 'The posts of shapes and engines are counted wrongly',
  },
  {
    name: 'image_totals',
    columns: ['owner_id', 'month', 'engine', 'shape', 'list', 'shared', 'images'],
    expected: sql`
      SELECT owner_id, month, coalesce(engine, ''), coalesce(shape, ''), list,
        CASE WHEN shared_seq IS NULL THEN 0 ELSE 1 END, count(*)
      FROM images WHERE list IS NOT NULL AND for_edit = 0 GROUP BY 1, 2, 3, 4, 5, 6`,
    issue: 'The images of users are counted wrongly',
  },
]

/**
 * Differences between posts and likes and what triggers count of them. One statement for each table, so that a running
 * server's writes do not interfere.
 */
async function* totalsIssues(db: Database): AsyncGenerator<Issue> {
  for (const { name, columns, expected, issue } of computedTables) {
    const table = sql.table(name)
    const key = sql.ref(columns[0])
    const all = sql.join(columns.map((one) => sql.ref(one)))
    const surplus = sql`(SELECT ${all} FROM ${table} EXCEPT ${expected}) AS surplus`
    const missing = sql`(${expected} EXCEPT SELECT ${all} FROM ${table}) AS missing`
    const { rows } = await sql<{ wrong: number }>`
      SELECT count(DISTINCT ${key}) AS wrong
      FROM (SELECT * FROM ${surplus} UNION ALL SELECT * FROM ${missing}) AS different`.execute(db)
    const wrong = rows[0]?.wrong ?? 0
    if (wrong === 0) continue
    const fix = () =>
      db.transaction().execute(async (transaction) => {
        // Triggers change this row first, so that they wait. The changed number outdates cached responses.
        await sql`UPDATE gallery SET changes = changes + 1`.execute(transaction)
        await sql`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${surplus})`.execute(transaction)
        await sql`INSERT INTO ${table} (${all}) SELECT * FROM ${missing}`.execute(transaction)
      })
    yield { message: `${issue} (${wrong})`, fix }
  }
}

/**
 * Images that are missing or damaged, and orphaned images. A missing thumbnail or uncropped copy is no issue: the server
 * creates it on request.
 */
async function* imageIssues(site: VerifiedSite, report: Report): AsyncGenerator<Issue> {
  const { db, blobs } = site

  async function issuesOf(image: StoredImage): Promise<Issue[]> {
    const { id, folder } = image
    const original = await readIfReadable(folder, originalFile)
    if (original === null || (await sha256(original)) !== image.sha256) {
      // Deleting an image removes its row before its files.
      if (!(await hasImage(db, image))) return []
      const state = original ? 'damaged' : 'missing'
      return [{ message: `The original of the image ${id} in the folder ${folder} is ${state}`, fix: null }]
    }
    const issues: Issue[] = []
    // Not read with all images: backups may be of databases without the column.
    const row = await db.selectFrom('images').select('credentials').where('id', '=', id).executeTakeFirst()
    const credentials = row?.credentials
    if (credentials) {
      const delivered = await readIfReadable(folder, credentials)
      if (delivered === null || !credentials.includes(await sha256(delivered))) {
        const state = delivered ? 'damaged' : 'missing'
        issues.push({ message: `The file ${credentials} of the image ${folder} is ${state}`, fix: null })
      }
    }
    for (const variant of variants) {
      const { file, fit } = variant
      const bytes = await readIfReadable(folder, file)
      if (bytes === null || (await isWholeVariant(bytes, variant))) continue
      issues.push({
        message: `The ${fit === 'cover' ? 'thumbnail' : 'copy'} ${file} of the image ${folder} is damaged`,
        async fix() {
          const created = await createVariant(async () => original, variant, await readXmp(id))
          if (created) await blobs.add(folder, file, created)
        },
      })
    }
    return issues
  }

  /** Returns an empty file for one with a bad sector, which does not hide other issues. @throws AppError if the storage fails */
  async function readIfReadable(folder: string, file: string): Promise<Uint8Array | null> {
    try {
      return await blobs.read(folder, file)
    } catch (error) {
      if (!isStorageError(error) || systemCode(error.cause) !== 'EIO') throw error
      return new Uint8Array()
    }
  }

  async function readXmp(id: string) {
    const image = await db.selectFrom('images').select(sourceColumns).where('id', '=', id).executeTakeFirst()
    return image && fileXmp(image)
  }

  for await (const [, issues] of processImages(db, 4, report, issuesOf)) yield* issues
  yield* orphanIssues(site)
}

async function* orphanIssues(site: VerifiedSite): AsyncGenerator<Issue> {
  const { images, olderThanDatabase, unfinished, listed } = await findOrphans(site)
  for (const folder of unfinished) {
    yield { message: `The unfinished folder ${folder} is orphaned`, fix: () => site.blobs.discard(folder) }
  }
  const total = `${images.length} of ${listed + images.length} images`
  yield* quarantineIssues(site, images, isMostlyUnlisted(listed, images.length), total)
  const older = `${olderThanDatabase.length} images older than the database`
  yield* quarantineIssues(site, olderThanDatabase, isMostlyUnlisted(0, olderThanDatabase.length), older)
}

/** One issue per orphaned image, or one for all if there are more than crashes explain, or they can't be restored. */
function* quarantineIssues(
  { blobs }: VerifiedSite,
  folders: readonly string[],
  isSuspicious: boolean,
  summary: string,
): Generator<Issue> {
  if (isSuspicious || (folders.length > 0 && !blobs.hasQuarantine)) {
    yield {
      message: `${summary} are orphaned`,
      async fix() {
        for (const folder of folders) await blobs.discard(folder)
      },
      question: blobs.hasQuarantine ? `Move ${summary} to quarantine?` : `Delete ${summary} from the bucket?`,
    }
    return
  }
  for (const folder of folders) {
    yield { message: `The image ${folder} is orphaned`, fix: () => blobs.discard(folder) }
  }
}
