import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { gram, gramLengthMax } from '../db/grams.ts'
import type { Database } from '../db/open-database.ts'
import { blockBits, blockMark, blockOf } from '../db/post-blocks.ts'
import type { PostIndexTable } from '../db/schema.ts'

/** Posts by their `seq`: the ones after `after`, up to and with `upTo`. */
export interface PostRange {
  readonly after: number
  readonly upTo: number
}

/** Statements of all searches take turns, so that between two of them everything else gets its turn. */
const oneAtATime = pLimit(1)

/** After how many milliseconds of searching everything else gets its turn. */
const turn = 1

/** The newest posts of a range that hold a folded term, as their `seq`. */
export async function findMatches(
  db: Database,
  term: string,
  range: PostRange,
  limit: number,
): Promise<number[]> {
  const found: number[] = []
  await walk(range, async (slice) => {
    const rows = await selectMatches(db, term, slice)
      .select('matches.rowid')
      .orderBy('matches.rowid', 'desc')
      .limit(limit - found.length)
      .execute()
    for (const { rowid } of rows) found.push(rowid)
    return found.length < limit
  })
  return found
}

/** How many posts of a range hold a folded term. */
export async function countMatches(db: Database, term: string, range: PostRange): Promise<number> {
  let count = 0
  await walk(range, async (slice) => {
    const { matches } = await selectMatches(db, term, slice)
      .select((eb) => eb.fn.countAll<number>().as('matches'))
      .executeTakeFirstOrThrow()
    count += matches
    return true
  })
  return count
}

/** Goes through the blocks of a range from its end, until `look` says that it has seen enough. */
async function walk({ after, upTo }: PostRange, look: (slice: PostRange) => Promise<boolean>): Promise<void> {
  let start = performance.now()
  for (let end = upTo; end > after;) {
    const slice = { after: Math.max(blockOf(end) * 2 ** blockBits - 1, after), upTo: end }
    const goesOn = await oneAtATime(async () => {
      const answer = await look(slice)
      if (performance.now() - start > turn) {
        await nextTurn()
        start = performance.now()
      }
      return answer
    })
    if (!goesOn) return
    end = slice.after
  }
}

/**
 * The matches in a part of one block. Numbers reach SQLite as floating point, by which FTS5 can't go straight to a row,
 * so they are made integers.
 */
function selectMatches(db: Database, term: string, { after, upTo }: PostRange) {
  const { table, pattern, isCertain } = lookUp(term, blockOf(upTo))
  const index = sql.table(table)
  const matches = db
    .selectFrom(sql<PostIndexTable>`${index}`.as('matches'))
    .where(sql<boolean>`${index} match ${pattern}`)
    .where('matches.rowid', '>', sql<number>`cast(${after} as integer)`)
    .where('matches.rowid', '<=', sql<number>`cast(${upTo} as integer)`)
  return isCertain ? matches : matches.where(holds(term))
}

/** Where a term is looked up, by which pattern, and whether that finds no post without it. */
function lookUp(term: string, block: number) {
  const characters = Array.from(term)
  if (characters.length <= gramLengthMax) {
    return { table: 'posts_grams', pattern: gram(characters), isCertain: true } as const
  }
  const isLong = characters.length > phraseMax
  const phrases = [blockMark(block), ...(isLong ? threePieces(characters) : [term])]
  const quoted = phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' ')
  const pattern = `NEAR(${quoted}, ${anyDistance})`
  return { table: 'posts_trigrams', pattern, isCertain: !isLong && !doubtful.test(term) } as const
}

/** In characters, between the mark and a term: more than any text has. */
const anyDistance = 100_000_000

/** The longest term in characters whose trigrams are all looked up; each of them costs time. */
const phraseMax = 12

/** The beginning, middle and end of a long term. */
function threePieces(characters: readonly string[]): string[] {
  const length = phraseMax / 3
  return [0, 0.5, 1].map((part) => {
    const from = Math.floor((characters.length - length) * part)
    return characters.slice(from, from + length).join('')
  })
}

/** Characters that the trigrams of FTS5 make no difference between, and the ones that marks are made of. */
const doubtful = /[\ufffd-\uffff\u{f0000}-\u{10ffff}]/u

/** A look at the post itself. */
function holds(term: string) {
  return sql<boolean>`(select instr(posts.search_text, ${term}) from posts where posts.seq = matches.rowid) > 0`
}
