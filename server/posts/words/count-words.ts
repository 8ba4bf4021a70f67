import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { outdateResponses } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { isOneOf } from '../../db/pagination.ts'
import { hasRows } from '../../db/rows.ts'
import { inTransaction, lockWords } from '../../db/transaction.ts'
import { QueueWorker } from '../../tasks/queue-worker.ts'
import { promptIn } from '../../text/search-text.ts'
import { promptWords } from './prompt-words.ts'

/** Changes of one transaction, which takes milliseconds: SQLite blocks the process meanwhile. */
const batchSize = 50

/** Pause between two transactions, so that a running server keeps a processor. */
const pauseMs = 20

/** Newest posts that are kept of each word. Up to twice as many are, until the next multiple of this number is counted. */
const keptPosts = 1_000

/** Creates the worker that counts the words of posts as they change. Several processes can do so. */
export function createWordCounter(db: Database, log: Logger): QueueWorker<number> {
  return new QueueWorker({
    maxConcurrent: 1,
    claim: async () => (await countWords(db)) || null,
    process: (_, signal) => pause(pauseMs, undefined, { signal }).catch(() => {}),
    onError: (err) => log.error({ err }, 'the words of posts could not be counted; retrying'),
  })
}

export async function countWords(db: Database): Promise<number> {
  if (!(await hasRows(db.selectFrom('word_changes').select('id')))) return 0
  return inTransaction(db, async (transaction) => {
    await lockWords(transaction)
    const changes = await transaction
      .selectFrom('word_changes')
      .selectAll()
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (changes.length === 0) return 0
    const totals = new Map<string, number>()
    const added = new Map<string, { word: string; post: number }>()
    for (const { post, search_text, change } of changes) {
      const words = promptWords(promptIn(search_text))
      for (const word of words) {
        totals.set(word, (totals.get(word) ?? 0) + change)
        if (change > 0) added.set(`${word} ${post}`, { word, post })
        else added.delete(`${word} ${post}`)
      }
      if (change < 0) {
        const isWord = isOneOf(transaction, 'word', words, 'text')
        await transaction.deleteFrom('word_posts').where(isWord).where('post', '=', post).execute()
      }
    }
    if (added.size > 0) {
      const rows = [...added.values()]
      await transaction
        .insertInto('word_posts')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await addTotals(transaction, totals)
    const ids = changes.map(({ id }) => id)
    await transaction
      .deleteFrom('word_changes')
      .where(isOneOf(transaction, 'id', ids, 'bigint'))
      .execute()
    // Responses with a word that has become private.
    if (changes.some(({ change }) => change < 0)) await outdateResponses(transaction)
    return changes.length
  })
}

async function addTotals(db: Database, totals: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...totals].filter(([, change]) => change !== 0)
  if (changed.length === 0) return
  const counted = await db
    .insertInto('words')
    .values(changed.map(([word, posts]) => ({ word, posts })))
    .onConflict((conflict) =>
      conflict.column('word').doUpdateSet({ posts: sql`words.posts + excluded.posts` }),
    )
    .returning(['word', 'posts'])
    .execute()
  await db.deleteFrom('words').where('posts', '<=', 0).execute()
  for (const { word, posts } of counted) {
    const before = posts - (totals.get(word) ?? 0)
    if (Math.floor(posts / keptPosts) > Math.floor(before / keptPosts)) await forgetOlder(db, word)
  }
}

/** Removes posts of a word but for the newest. */
async function forgetOlder(db: Database, word: string): Promise<void> {
  const ofWord = db.selectFrom('word_posts').select('post').where('word', '=', word)
  const last = await ofWord.orderBy('post', 'desc').offset(keptPosts).limit(1).executeTakeFirst()
  if (last)
    await db.deleteFrom('word_posts').where('word', '=', word).where('post', '<=', last.post).execute()
}

/** Lists the most frequent words of listed posts. */
export async function listWords(db: Database, limit: number): Promise<{ word: string; count: number }[]> {
  return db
    .selectFrom('words')
    .select(['word', 'posts as count'])
    .orderBy('posts', 'desc')
    .orderBy('word')
    .limit(limit)
    .execute()
}
