import { setImmediate as nextTick } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { dialectOf } from './dialect-of.ts'
import type { Database } from './open-database.ts'
import { isOneOf } from './pagination.ts'
import { maxNGramLength as maxPostgresLength, nGramNumbers } from './postgres/n-grams.ts'
import type { PostIndexTable } from './schema.ts'
import { maxNGramLength, nGramToken, ownerMark, trigramQuery } from './sqlite/n-grams.ts'

/** Images of one statement: SQLite blocks the process meanwhile, for a few milliseconds. */
const sliceSize = 2_000

export function contains(db: Database, column: string, term: string) {
  const position = dialectOf(db) === 'postgres' ? sql`strpos` : sql`instr`
  return sql<boolean>`${position}(${sql.ref(column)}, ${term}) > 0`
}

/** Part of a user's images. */
export interface Slice {
  /** Condition on `images` that some images meet, of which others may belong to another user. */
  readonly isCandidate: RawBuilder<boolean>
  /** True if every candidate has the term, and does not have to be compared. */
  readonly isExact: boolean
  /** Lower end of the slice by `seq`; 0 if it is the last one. */
  readonly from: number
}

/** Looks a term up in the index of prompts. Each image of the user with the term is a candidate of one slice, the newest first. */
export async function* slicesWith(db: Database, ownerId: string, term: string): AsyncGenerator<Slice> {
  const characters = Array.from(term)
  if (dialectOf(db) === 'postgres') {
    const owner = sql`own_n_grams(${ownerId}, '')`
    const isCandidate = sql<boolean>`
      (search_text <> '' AND own_n_grams(owner_id, search_text) @> (${nGramNumbers(term)} || ${owner}))`
    yield { isCandidate, isExact: characters.length <= maxPostgresLength, from: 0 }
    return
  }
  const { trigram, token } = ownerMark(ownerId)
  const isShort = characters.length <= maxNGramLength
  const index = sql.table(isShort ? 'images_grams' : 'images_trigrams')
  const { pattern, isExact } = isShort
    ? { pattern: `${token} AND ${nGramToken(characters)}`, isExact: true }
    : trigramQuery(characters, trigram)
  for (let end = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await db
      .selectFrom(sql<PostIndexTable>`${index}`.as('matches'))
      .select('matches.rowid')
      .where(sql<boolean>`${index} match ${pattern}`)
      // Parameters reach SQLite as floating point, with which FTS5 cannot seek to a row.
      .where('matches.rowid', '<', sql<number>`cast(${end} as integer)`)
      .orderBy('matches.rowid', 'desc')
      .limit(sliceSize)
      .execute()
    const numbers = rows.map(({ rowid }) => rowid)
    const isLast = numbers.length < sliceSize
    end = isLast ? 0 : (numbers.at(-1) ?? 0)
    if (numbers.length > 0)
      yield { isCandidate: isOneOf(db, 'images.seq', numbers, 'bigint'), isExact, from: end }
    if (isLast) return
    await nextTick()
  }
}
