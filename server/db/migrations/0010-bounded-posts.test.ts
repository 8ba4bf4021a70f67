import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../test/support/folder.ts'
import { SqlitePostIndex } from '../../posts/search/sqlite-post-index.ts'
import { searchText } from '../../posts/search/normalize.ts'
import { cleanText } from '../../text/clean-text.ts'
import { blockOf } from '../sqlite/n-grams.ts'
import { openDatabaseFile, type Database } from '../open-database.ts'
import { createOlderDatabase } from '../../../test/support/older-database.ts'

interface OldPost {
  readonly name?: string
  readonly prompt: string
  readonly hiddenAt?: number
}

/** Creates a database of the previous migration with posts and what `fill` adds, and migrates it. */
async function migrated(
  posts: readonly OldPost[],
  fill: (older: Kysely<never>) => Promise<unknown> = () => Promise.resolve(),
): Promise<Database> {
  const file = path.join(await tempFolder(), 'rangoli.db')
  const older = await createOlderDatabase(file, '0009-post-quota')
  await sql`
    INSERT INTO images (id, owner_id, source, prompt, state, created_at)
    VALUES ('i', 'asha', 'uploaded', '', 'failed', 0)`.execute(older)
  for (const [index, { name = 'Asha', prompt, hiddenAt = null }] of posts.entries()) {
    await sql`
      INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at, hidden_at)
      VALUES (${`post-${index}`}, 'asha', 'i', ${name}, ${prompt}, ${searchText(name, prompt)}, ${index}, ${hiddenAt})
    `.execute(older)
  }
  await fill(older)
  await older.destroy()
  const db = await openDatabaseFile(file)
  onTestFinished(() => db.destroy())
  return db
}

const allPosts = (db: Database) =>
  db.selectFrom('posts').select(['seq', 'id', 'name', 'prompt', 'search_text']).orderBy('seq').execute()

const family = '👩‍👩‍👧‍👦'
const couple = '👩🏽‍❤️‍💋‍👩🏿'

test('cuts long names and prompts between two characters', async () => {
  const fits = { name: 'नि'.repeat(80), prompt: 'क्षि'.repeat(4_000) }
  const db = await migrated([
    { name: family.repeat(80), prompt: couple.repeat(4_000) },
    fits,
    { prompt: `A lotus ${'क्ष्म्य'.repeat(3_000)}` },
    { prompt: `${couple.repeat(1_066)} x y z` },
  ])
  const posts = await allPosts(db)
  expect(posts.map(({ name, prompt }) => [name, prompt])).toEqual([
    [family.repeat(29), couple.repeat(1_066)],
    [fits.name, fits.prompt],
    ['Asha', `A lotus ${'क्ष्म्य'.repeat(2_284)}`],
    ['Asha', `${couple.repeat(1_066)} x y z`],
  ])
  for (const { name, prompt, search_text } of posts) {
    expect(search_text).toBe(searchText(name, prompt))
    expect([cleanText(name), cleanText(prompt)]).toEqual([name, prompt])
  }
})

test('cuts a single character that is too long between two code points', async () => {
  const women = `👩${'\u200d👩'.repeat(20_000)}`
  const db = await migrated([{ prompt: women }])
  const [post] = await allPosts(db)
  expect(post?.prompt.length).toBeGreaterThan(15_990)
  expect(post?.prompt.length).toBeLessThanOrEqual(16_000)
  expect(post?.prompt.isWellFormed()).toBe(true)
})

test('updates the search index and the count, also for hidden posts', async () => {
  const long = couple.repeat(4_000)
  const db = await migrated([
    { prompt: `${long} lotus` },
    { prompt: `Kite ${long}`, hiddenAt: 1 },
    { prompt: 'A lotus' },
  ])
  const range = { after: 0, upTo: 10_000_000 }
  const [first, second, third] = (await allPosts(db)).map(({ seq }) => seq)
  expect(await new SqlitePostIndex(db).findMatches('lotus', range, 10)).toEqual([third])
  expect(await new SqlitePostIndex(db).findMatches(couple.slice(0, 5), range, 10)).toEqual([first])
  expect(await new SqlitePostIndex(db).findMatches('kite', range, 10)).toEqual([])
  expect(await db.selectFrom('gallery').select('posts').execute()).toEqual([{ posts: 2 }])
  await db.updateTable('posts').set({ hidden_at: null }).where('id', '=', 'post-1').execute()
  expect(await new SqlitePostIndex(db).findMatches('kite', range, 10)).toEqual([second])
  expect(await db.selectFrom('gallery').select('posts').execute()).toEqual([{ posts: 3 }])
})

test('cuts all other texts of users', async () => {
  const name = family.repeat(80)
  const db = await migrated([{ prompt: 'A lotus' }], async (older) => {
    await sql`UPDATE images SET prompt = ${couple.repeat(4_000)}`.execute(older)
    await sql`
      INSERT INTO reports (post_id, reason, words, created_at)
      VALUES ('post-0', 'spam', ${family.repeat(500)}, 0)`.execute(older)
    await sql`
      INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt, role)
      VALUES ('asha', ${name}, 'asha@example.org', 0, '', '', 'user'), ('ravi', 'Ravi', 'ravi@example.org', 0, '', '', 'user')
    `.execute(older)
    await sql`
      INSERT INTO personal_tokens (id, person_id, name, hash, person_name, created_at)
      VALUES ('t', 'asha', ${name}, 'hash', ${name}, 0)`.execute(older)
    await sql`
      INSERT INTO moderation_log (action, administrator_id, administrator_name, post_id, created_at)
      VALUES ('hide', 'asha', ${name}, 'post-0', 0)`.execute(older)
  })
  const short = family.repeat(29)
  expect((await db.selectFrom('images').select('prompt').executeTakeFirstOrThrow()).prompt).toBe(
    couple.repeat(1_066),
  )
  expect(await db.selectFrom('reports').select('comment').execute()).toEqual([
    { comment: family.repeat(181) },
  ])
  const { rows: users } = await sql<{ name: string }>`SELECT name FROM user ORDER BY id`.execute(db)
  expect(users).toEqual([{ name: short }, { name: 'Ravi' }])
  expect(await db.selectFrom('api_keys').select(['name', 'user_name']).execute()).toEqual([
    { name: short, user_name: short },
  ])
  expect(await db.selectFrom('moderation_log').select('administrator_name').execute()).toEqual([
    { administrator_name: short },
  ])
})

test('spreads long posts over several blocks of the search index in order', async () => {
  const long = (index: number) => ({ prompt: `Kolam ${index} ${'क्षि'.repeat(3_990)}` })
  const short = (index: number) => ({ prompt: `Lotus ${index}` })
  const posts = Array.from({ length: 200 }, (_, index) => (index < 150 ? long(index) : short(index)))
  const db = await migrated([...posts, { ...long(200), hiddenAt: 1 }])
  const rows = await allPosts(db)
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 201 }, (_, index) => `post-${index}`))
  const textOfBlocks = new Map<number, number>()
  for (const { seq, search_text } of rows) {
    const block = blockOf(seq)
    textOfBlocks.set(block, (textOfBlocks.get(block) ?? 0) + search_text.length)
  }
  expect(Math.max(...textOfBlocks.values())).toBeLessThan(1_100_000)

  const newest = rows.at(-1)?.seq ?? 0
  const range = { after: 0, upTo: newest }
  expect(await new SqlitePostIndex(db).countMatches('kolam', range)).toBe(150)
  expect(await new SqlitePostIndex(db).countMatches('lotus', range)).toBe(50)
  expect(await new SqlitePostIndex(db).findMatches('kolam 149', range, 10)).toEqual([rows[149]?.seq])
  await sql`
    INSERT INTO posts (id, author_id, image_id, name, prompt, search_text, created_at)
    VALUES ('next', 'asha', 'i', 'Asha', 'Next', 'asha next', 0)`.execute(db)
  expect((await allPosts(db)).at(-1)).toMatchObject({ id: 'next', seq: newest + 1 })
})

test('does not renumber ordinary posts', async () => {
  const posts = Array.from({ length: 300 }, (_, index) => ({
    prompt: `A lotus ${index} ${'in the rain '.repeat(20)}`,
  }))
  const rows = await allPosts(await migrated(posts))
  expect(rows.map(({ seq }) => seq)).toEqual(posts.map((_, index) => index + 1))
})

test('adds an index of a user’s posts', async () => {
  const db = await migrated([])
  const { rows } = await sql<{ detail: string }>`
    EXPLAIN QUERY PLAN SELECT * FROM posts WHERE author_id = 'asha' ORDER BY seq DESC`.execute(db)
  expect(rows.map(({ detail }) => detail)).toEqual(['SEARCH posts USING INDEX posts_author (author_id=?)'])
})
