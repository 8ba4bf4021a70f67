import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { maxNGramLength, nGramToken, blockBits, blockMark, blockOf } from '../../db/sqlite/post-index.ts'
import type { Database } from '../../db/open-database.ts'
import type { PostIndexTable } from '../../db/schema.ts'
import { runInTurn } from './database-turns.ts'

/** Posts by their `seq`: the ones after `after`, up to and with `upTo`. */
export interface PostRange {
  readonly after: number
  readonly upTo: number
}

/** After how many milliseconds of searching everything else gets its turn. */
const turn = 1

/**
 * The newest posts of a range that hold a folded term, as their `seq`.
 *
 * @throws AppError `cancelled` when the signal is aborted meanwhile
 */
export async function findMatches(
  db: Database,
  term: string,
  range: PostRange,
  limit: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const found: number[] = []
  await walk(range, signal, async (slice) => {
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

/**
 * How many posts of a range hold a folded term.
 *
 * @throws AppError `cancelled` when the signal is aborted meanwhile
 */
export async function countMatches(
  db: Database,
  term: string,
  range: PostRange,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0
  await walk(range, signal, async (slice) => {
    const { matches } = await selectMatches(db, term, slice)
      .select((eb) => eb.fn.countAll<number>().as('matches'))
      .executeTakeFirstOrThrow()
    count += matches
    return true
  })
  return count
}

/** Goes through the blocks of a range from its end, until `look` says that it has seen enough. */
async function walk(
  { after, upTo }: PostRange,
  signal: AbortSignal | undefined,
  look: (slice: PostRange) => Promise<boolean>,
): Promise<void> {
  let start = performance.now()
  for (let end = upTo; end > after;) {
    const slice = { after: Math.max(blockOf(end) * 2 ** blockBits - 1, after), upTo: end }
    const goesOn = await runInTurn(signal, async () => {
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
  if (characters.length <= maxNGramLength) {
    return { table: 'posts_grams', pattern: nGramToken(characters), isCertain: true } as const
  }
  const trigrams = characters.slice(2).map((_, from) => characters.slice(from, from + 3).join(''))
  const isPhrase = characters.length <= phraseMax && !repeatsMuch(trigrams)
  const phrases = [blockMark(block), ...(isPhrase ? [term] : spread(trigrams))]
  const quoted = phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`).join(' ')
  const pattern = `NEAR(${quoted}, ${anyDistance})`
  return { table: 'posts_trigrams', pattern, isCertain: isPhrase && !doubtful.test(term) } as const
}

/** In characters, between the mark and a term: more than any text has. */
const anyDistance = 100_000_000

/** The longest term in characters that is looked up as a phrase; each trigram of one costs time. */
const phraseMax = 12

/**
 * Whether a trigram occurs more than twice. A phrase goes through all places of each of its trigrams: in a text of
 * 4,000 times the same letter, those of `aaaaaaaaaaaa` are ten times the text.
 */
function repeatsMuch(trigrams: readonly string[]): boolean {
  return trigrams.some((trigram) => trigrams.filter((other) => other === trigram).length > 2)
}

/** Four trigrams of a term, from its beginning to its end; fewer where they are the same. */
function spread(trigrams: readonly string[]): readonly string[] {
  const last = trigrams.length - 1
  const picked = [0, 1 / 3, 2 / 3, 1].map((part) => trigrams[Math.floor(last * part)] ?? '')
  return [...new Set(picked)]
}

/** Characters that the trigrams of FTS5 make no difference between, and the ones that marks are made of. */
const doubtful = /[\ufffd-\uffff\u{f0000}-\u{10ffff}]/u

/** A look at the post itself. */
function holds(term: string) {
  return sql<boolean>`(select instr(posts.search_text, ${term}) from posts where posts.seq = matches.rowid) > 0`
}
