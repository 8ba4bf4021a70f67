import { sql } from 'kysely'
import type { Post } from '../../shared/posts.ts'
import { postNotFound, selectVisiblePost } from '../access/visible-post.ts'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf, isSelectedBy, pageTextBytes } from '../db/pagination.ts'
import { promptIn } from '../text/search-text.ts'
import { selectPosts, toPost } from './post-queries.ts'
import { promptWords } from './words/prompt-words.ts'

/** Maximum number of words by which posts are looked up, the rarest. */
const maxWords = 16

/** Posts of one word that are looked up, its newest: at least as many as are listed. Another word is looked up until there are twice as many. */
const minOfWord = 100

const comparedLength = 1_000

/**
 * Lists posts that go on from a post: those that share its words, rarest first, then its parent and remixes, others of its
 * author, and the newest. Repetitions come last: of a prompt, or of the words of one by the same author. A hidden prompt has
 * no words. Reads a limited number of rows, in any gallery.
 * @throws AppError `not_found`, also for a post that the viewer must not see
 */
export async function listSimilarPosts(
  db: Database,
  { id, limit }: { readonly id: string; readonly limit: number },
  viewer: { readonly id: string } | null,
): Promise<{ posts: Post[] }> {
  const row = await selectVisiblePost(db, id, viewer).select(comparedColumns).executeTakeFirst()
  if (!row) throw postNotFound()
  const post = toCompared(row)
  const listed = selectCompared(db).where(isListed())
  const newest = listed.orderBy('seq', 'desc').limit(limit + 1)
  const sources = [
    async () => sharingWords(db, post, Math.max(limit, minOfWord)),
    async () => (row.parent_id === null ? [] : listed.where('id', '=', row.parent_id).execute()),
    async () => newest.where('parent_id', '=', id).execute(),
    async () => newest.where('author_id', '=', row.author_id).execute(),
    async () => newest.execute(),
  ]
  const found = new Set<number>()
  const repetitions = new Set<number>()
  const known = new Set(post.keys)
  for (const source of sources) {
    if (found.size >= limit) break
    for (const candidate of await source()) {
      const { seq, keys } = 'keys' in candidate ? candidate : toCompared(candidate)
      if (seq === post.seq || found.has(seq)) continue
      ;(keys.some((key) => known.has(key)) ? repetitions : found).add(seq)
      for (const key of keys) known.add(key)
    }
  }
  return { posts: await readInOrder(db, [...found, ...repetitions].slice(0, limit)) }
}

const comparedColumns = [
  'posts.seq',
  'posts.author_id',
  'posts.parent_id',
  sql<string>`substr(search_text, 1, ${sql.lit(comparedLength)})`.as('text'),
] as const

function selectCompared(db: Database) {
  return db.selectFrom('posts').select(comparedColumns)
}

type ComparedRow = Awaited<ReturnType<ReturnType<typeof selectCompared>['executeTakeFirstOrThrow']>>

/** A post with its words, and the keys that it has in common with its repetitions. */
function toCompared({ seq, author_id, text }: ComparedRow) {
  const prompt = promptIn(text)
  const words = promptWords(prompt)
  const keys = [
    ...(prompt === '' ? [] : [prompt]),
    ...(words.length === 0 ? [] : [[author_id, ...words.toSorted()].join('\n')]),
  ]
  return { seq, words, keys }
}

type Compared = ReturnType<typeof toCompared>

/** Finds posts that share words with a post: the rarest word first, then the next one. */
async function sharingWords(db: Database, { seq, words }: Compared, maxOfWord: number): Promise<Compared[]> {
  const counted = await db
    .selectFrom('words')
    .selectAll()
    .where(isOneOf(db, 'word', words, 'text'))
    .orderBy('posts')
    .orderBy('word')
    .execute()
  let posts = 0
  const looked = counted.slice(0, maxWords).filter((word) => {
    const isNeeded = posts < 2 * maxOfWord
    posts += Math.min(word.posts, maxOfWord)
    return isNeeded
  })
  if (looked.length === 0) return []
  const ranges = looked.map(
    ({ word }) => sql`
      SELECT * FROM (
        SELECT post FROM word_posts WHERE word = ${word} ORDER BY post DESC LIMIT ${maxOfWord}
      ) AS range`,
  )
  const rows = await selectCompared(db)
    .where(isListed())
    .where('seq', '<>', seq)
    .where(isSelectedBy(db, 'seq', sql.join(ranges, sql` UNION `)))
    .execute()
  const weights = new Map(counted.map(({ word }, rank) => [word, 2 ** -rank]))
  return rows
    .map((row) => {
      const compared = toCompared(row)
      const score = compared.words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
      return { compared, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || b.compared.seq - a.compared.seq)
    .map(({ compared }) => compared)
}

/** Reads posts, the first ones, as far as the size of their texts allows. */
async function readInOrder(db: Database, seqs: readonly number[]): Promise<Post[]> {
  const rows = await selectPosts(db)
    .where(isListed())
    .where(isOneOf(db, 'posts.seq', seqs, 'bigint'))
    .execute()
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  let bytes = 0
  return seqs.flatMap((seq) => {
    const row = bySeq.get(seq)
    if (!row || bytes > pageTextBytes(seqs.length)) return []
    bytes += Buffer.byteLength(row.prompt)
    return [toPost(row)]
  })
}
