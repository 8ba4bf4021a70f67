import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { pino } from 'pino'
import { parseConfig } from '../../server/config/config.ts'
import { createGalleryVersion } from '../../server/db/content-version.ts'
import type { Database } from '../../server/db/open-database.ts'
import { encodeCursor } from '../../server/db/pagination.ts'
import { openPostgres } from '../../server/db/postgres/open-postgres.ts'
import { publicReads } from '../../server/http/cache/public-reads.ts'
import { fold, searchText } from '../../server/text/search-text.ts'
import { seedText } from '../../server/posts/seed-gallery.ts'
import { seed, startBuiltServer } from '../built-server.ts'
import {
  ask,
  listPath,
  median,
  percentile,
  requestsPerSecond,
  serveApp,
  timed,
  type Print,
} from '../measure.ts'
import { longTerms, shortTerms } from '../search-terms.ts'
import { kept, withCluster, type Cluster } from './cluster.ts'

const inserts = 500
const insertsToWarmUp = 100
/** Number of the post that the first deep list begins with. */
const deepest = 10_000
const rounds = 5
/** Only every nth term is scanned for, as a scan is slow. */
const scannedEach = 4

/** A gallery in PostgreSQL: searches, inserts, and the version check of cached responses. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 20_000 : 1_000_000
  await withCluster((cluster) =>
    withSeededPostgres(cluster, posts, print, async ({ db, folder, settings, config }) => {
      await searches(db, folder, settings, print)
      await newPosts(db, print)
      await versionCheck(db, config, print)
    }),
  )
}

interface SeededSite {
  readonly db: Database
  readonly folder: string
  readonly settings: Record<string, string>
  readonly config: ReturnType<typeof parseConfig>
}

/** Opens a gallery of that size in PostgreSQL, which is seeded once, and runs work with it. */
export async function withSeededPostgres(
  cluster: Cluster,
  posts: number,
  print: Print,
  work: (site: SeededSite) => Promise<void>,
): Promise<void> {
  const folder = path.join(kept, `posts-${posts}`)
  const settings = await cluster.settings(`posts_${posts}`)
  await mkdir(folder, { recursive: true })
  const config = parseConfig(settings, folder)
  if (config.database.kind === 'sqlite') throw new Error('The benchmark is about PostgreSQL.')
  const db = await openPostgres(config.database, pino({ level: 'silent' }))
  try {
    await seedOnce(db, folder, posts, settings, print)
    await work({ db, folder, settings, config })
  } finally {
    await db.destroy()
  }
}

async function seedOnce(
  db: Database,
  folder: string,
  posts: number,
  settings: Record<string, string>,
  print: Print,
): Promise<void> {
  const { rows } = await sql<{ newest: number }>`SELECT newest FROM gallery`.execute(db)
  if ((rows[0]?.newest ?? 0) >= posts) return
  print(`scale: seeding ${posts.toLocaleString('en')} posts, kept in ${kept}`)
  const start = performance.now()
  seed(folder, posts, settings)
  await sql`VACUUM ANALYZE`.execute(db)
  print(`scale: seeded in ${((performance.now() - start) / 1_000).toFixed(0)} s`)
}

/**
 * Each term is searched for the first time since the server started, when no total is cached. First after a start of
 * PostgreSQL, whose cache is empty, then once more with another server and compared with scans.
 */
async function searches(
  db: Database,
  folder: string,
  settings: Record<string, string>,
  print: Print,
): Promise<void> {
  for (const isWarm of [false, true]) {
    const server = await startBuiltServer(folder, settings)
    try {
      for (const [name, terms] of [
        ['3 characters and more', longTerms],
        ['1 and 2 characters', shortTerms],
      ] as const) {
        const [totals, pages, lists, scans]: [number[], number[], number[], number[]] = [[], [], [], []]
        for (const [index, search] of terms.entries()) {
          totals.push(await ask(server.port, listPath({ search })))
          // Another limit, as the first response is cached; the total is, too.
          pages.push(await ask(server.port, listPath({ search, limit: 23 })))
          const cursor = encodeCursor('post', deepest + index)
          lists.push(await ask(server.port, listPath({ cursor, limit: 23 })))
          if (isWarm && index % scannedEach === 0) scans.push(await timed(() => scan(db, search)))
        }
        const figures = (of: readonly number[]) =>
          `p95 ${percentile(of, 0.95).toFixed(1)} ms, median ${median(of).toFixed(1)} ms`
        const state = isWarm ? '' : ', cold'
        const ratio = percentile(totals, 0.95) / percentile(scans, 0.95)
        print(`scale: ${name}${state}: page ${figures(pages)}${isWarm ? ' (at most 25)' : ''}`)
        print(`scale: ${name}${state}: a list without a term, not cached ${figures(lists)}`)
        print(`scale: ${name}${state}: exact total ${figures(totals)}`)
        if (!isWarm) continue
        print(`scale: ${name}: a scan ${figures(scans)}`)
        print(`scale: ${name}: exact total, p95, of the scan ${ratio.toFixed(2)} (at most 0.5)`)
      }
    } finally {
      await server.stop()
    }
  }
}

/** Counts matches without an index, by one process as searches are. */
async function scan(db: Database, term: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(transaction)
    await sql`
      SELECT count(*) FROM posts WHERE hidden_at IS NULL AND visibility = 'public' AND strpos(search_text, ${fold(term)}) > 0`.execute(
      transaction,
    )
  })
}

/**
 * Inserts posts one by one, and deletes them again. Each is followed by one that is hidden, which is not in the search
 * index: the same commit without it.
 */
export async function newPosts(db: Database, print: Print): Promise<void> {
  const { image_id } = await db.selectFrom('posts').select('image_id').limit(1).executeTakeFirstOrThrow()
  const author_id = randomUUID()
  const [figures, hidden]: [number[], number[]] = [[], []]
  for (let index = 0; index < insertsToWarmUp + inserts; index += 1) {
    const { name, prompt } = seedText(index)
    const post = { author_id, image_id, name, prompt, search_text: searchText(name, prompt) }
    for (const [hidden_at, of] of [
      [null, figures],
      [1, hidden],
    ] as const) {
      const values = { ...post, id: randomUUID(), created_at: Date.now(), hidden_at }
      const time = await timed(() => db.insertInto('posts').values(values).execute())
      if (index >= insertsToWarmUp) of.push(time)
    }
  }
  await db.deleteFrom('posts').where('author_id', '=', author_id).execute()
  for (const [name, of, limit] of [
    ['inserting a post', figures, ' (at most 15)'],
    ['the same without its n-grams', hidden, ''],
  ] as const) {
    print(
      `scale: ${name}: p99 ${percentile(of, 0.99).toFixed(1)} ms${limit}, median ${median(of).toFixed(1)} ms`,
    )
  }
}

/** Requests per second of a cached response of 20 KB, whose version is read from PostgreSQL or constant. */
async function versionCheck(
  db: Database,
  config: ReturnType<typeof parseConfig>,
  print: Print,
): Promise<void> {
  const body = { text: 'x'.repeat(20_000) }
  const start = (readContentVersion: () => Promise<string>) => {
    const cached = publicReads({ config, readContentVersion })({ path: '/list', parameters: [] })
    return serveApp(new Hono().get('/list', cached, (c) => c.json(body)))
  }
  const checked = await start(createGalleryVersion(db))
  const unchecked = await start(() => Promise.resolve('1'))
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const limit = await requestsPerSecond(unchecked.port, '/list')
    ratios.push((await requestsPerSecond(checked.port, '/list')) / limit)
  }
  checked.stop()
  unchecked.stop()
  print(
    `scale: cached responses with version check, to the same without   ${median(ratios).toFixed(2)} (at least 0.7)`,
  )
}
