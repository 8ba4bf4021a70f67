import { sql, type Kysely, type Migration } from 'kysely'

/**
 * Bounds what version 0.1 let grow: texts were limited in characters only, of which one may take any number of code
 * units. Longer ones are cut between two characters. Long posts that stand in one block of the search index are
 * renumbered, so that no block takes long to search. A user's posts get an index.
 */
export const boundedPosts: Migration = {
  async up(db: Kysely<never>) {
    await sql`CREATE INDEX posts_author ON posts (author_id, seq)`.execute(db)
    await shortenPosts(db)
    for (const column of otherColumns) await shortenColumn(db, column)
    await spreadLongPosts(db)
  },
}

interface Limit {
  readonly characters: number
  readonly codeUnits: number
}

const promptLimit: Limit = { characters: 4_000, codeUnits: 16_000 }
const nameLimit: Limit = { characters: 80, codeUnits: 320 }
const reportLimit: Limit = { characters: 500, codeUnits: 2_000 }

const otherColumns = [
  { table: 'images', column: 'prompt', limit: promptLimit },
  { table: 'reports', column: 'words', limit: reportLimit },
  { table: 'user', column: 'name', limit: nameLimit },
  { table: 'personal_tokens', column: 'name', limit: nameLimit },
  { table: 'personal_tokens', column: 'person_name', limit: nameLimit },
  { table: 'moderation_log', column: 'administrator_name', limit: nameLimit },
] as const

/** Rows that are in memory at a time. */
const batchSize = 100

/** The triggers on posts keep the search index right. */
async function shortenPosts(db: Kysely<never>): Promise<void> {
  for (let last = 0; ;) {
    // A text has no more code units than bytes, and SQLite knows the bytes without reading the text.
    const { rows } = await sql<{ seq: number; name: string; prompt: string }>`
      SELECT seq, name, prompt FROM posts
      WHERE seq > ${last}
        AND (octet_length(name) > ${nameLimit.codeUnits} OR octet_length(prompt) > ${promptLimit.codeUnits})
      ORDER BY seq LIMIT ${batchSize}`.execute(db)
    for (const { seq, name, prompt } of rows) {
      if (name.length <= nameLimit.codeUnits && prompt.length <= promptLimit.codeUnits) continue
      const shortName = shorten(name, nameLimit)
      const shortPrompt = shorten(prompt, promptLimit)
      await sql`
        UPDATE posts SET name = ${shortName}, prompt = ${shortPrompt},
          search_text = ${searchText(shortName, shortPrompt)}
        WHERE seq = ${seq}`.execute(db)
    }
    const newest = rows.at(-1)
    if (!newest) return
    last = newest.seq
  }
}

async function shortenColumn(
  db: Kysely<never>,
  { table, column, limit }: (typeof otherColumns)[number],
): Promise<void> {
  const text = sql.ref(column)
  for (let last = 0; ;) {
    const { rows } = await sql<{ row: number; text: string }>`
      SELECT rowid AS row, ${text} AS text FROM ${sql.table(table)}
      WHERE rowid > ${last} AND octet_length(${text}) > ${limit.codeUnits}
      ORDER BY rowid LIMIT ${batchSize}`.execute(db)
    for (const { row, text: long } of rows) {
      if (long.length <= limit.codeUnits) continue
      await sql`
        UPDATE ${sql.table(table)} SET ${text} = ${shorten(long, limit)} WHERE rowid = ${row}`.execute(db)
    }
    const newest = rows.at(-1)
    if (!newest) return
    last = newest.row
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** As many characters of a text as the limit allows; of one that alone is too long, as many code points. */
function shorten(text: string, { characters, codeUnits }: Limit): string {
  let end = 0
  let count = 0
  for (const { index, segment } of graphemes.segment(text)) {
    count += 1
    if (count > characters || index + segment.length > codeUnits) break
    end = index + segment.length
  }
  return end > 0 ? text.slice(0, end).trimEnd() : wholeCodePoints(text.slice(0, codeUnits))
}

function wholeCodePoints(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}

const blockBits = 13
const charactersPerNumber = 128

/** Texts of fewer bytes are not looked at: it takes thousands of them in one block to slow a search down. */
const longTextBytes = 1_024

/**
 * From the first block on that has more than twice the text it should have, each post takes as many numbers as its text
 * is long, and later posts move up as far as needed. Blocks of ordinary posts stay as they are.
 */
async function spreadLongPosts(db: Kysely<never>): Promise<void> {
  const { rows: dense } = await sql<{ first: number }>`
    SELECT min(seq) AS first,
      sum(CASE WHEN octet_length(search_text) < ${longTextBytes} THEN 1
        ELSE length(search_text) / ${sql.lit(charactersPerNumber)} END) AS numbers
    FROM posts GROUP BY seq >> ${sql.lit(blockBits)}
    HAVING numbers > ${sql.lit(2 ** (blockBits + 1))} ORDER BY first LIMIT 1`.execute(db)
  if (!dense[0]) return

  const { rows: posts } = await sql<{ seq: number; numbers: number }>`
    SELECT seq, max(1, length(search_text) / ${sql.lit(charactersPerNumber)}) AS numbers
    FROM posts WHERE seq >= ${dense[0].first} ORDER BY seq`.execute(db)
  const moves: { from: number; to: number }[] = []
  let last = dense[0].first - 1
  for (const { seq, numbers } of posts) {
    last = Math.max(seq, last + numbers)
    if (last > seq) moves.push({ from: seq, to: last })
  }
  // From the newest on, so that each finds its new number free.
  for (const { from, to } of moves.toReversed()) {
    await sql`UPDATE posts SET seq = ${to} WHERE seq = ${from}`.execute(db)
  }
  await sql`UPDATE sqlite_sequence SET seq = max(seq, ${last}) WHERE name = 'posts'`.execute(db)
}

/** As in version 0.2, whose `searchText` may change. */
function searchText(name: string, prompt: string): string {
  return fold(name) + '\u001f' + fold(prompt)
}

function fold(text: string): string {
  const folded = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase()
  return folded
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(/i\p{M}+/gu, (letter) => letter.replaceAll('\u0307', ''))
    .normalize('NFC')
}
