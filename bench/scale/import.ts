import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { parseConfig } from '../../server/config/config.ts'
import { withPostgres } from '../../server/db/postgres/open-postgres.ts'
import { sql } from 'kysely'
import { pino } from 'pino'
import { launcherOf, seededGallery, serverEnvironment, startBuiltServer } from '../built-server.ts'
import type { Print } from '../measure.ts'
import { withCluster } from './cluster.ts'

/** Moves a gallery from SQLite to PostgreSQL; its images stay in their folder. */
export async function run(print: Print, { isQuick }: { isQuick: boolean }): Promise<void> {
  const posts = isQuick ? 20_000 : 1_000_000
  const { folder, file } = seededGallery(posts, print)
  // Migrates a gallery that an older version seeded.
  await (await startBuiltServer(folder)).stop()
  await withCluster(async (cluster) => {
    await cluster.drop('imported')
    const settings = await cluster.settings('imported')
    const start = performance.now()
    const args = ['import', '--database', `file:${file}`, '--uploads', 'uploads']
    const child = spawn(process.execPath, [launcherOf(), ...args], {
      cwd: folder,
      env: { ...serverEnvironment, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let rowsMs = NaN
    let bytes = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Building the indexes')) rowsMs = performance.now() - start
    })
    const timer = setInterval(() => (bytes = Math.max(bytes, peakBytes(child.pid) ?? 0)), 200)
    await once(child, 'close')
    clearInterval(timer)
    if (child.exitCode !== 0) throw new Error(`The import ended with ${child.exitCode}.`)
    const totalMs = performance.now() - start
    const sizes = await databaseSizes(settings, folder)
    const [rows, indexes, total] = [rowsMs, totalMs - rowsMs, totalMs].map((ms) => (ms / 1_000).toFixed(0))
    print(
      `scale: import of ${posts.toLocaleString('en')} posts: rows ${rows} s, indexes and comparison ${indexes} s, together ${total} s (at most 300)`,
    )
    print(
      `scale: import: ${(bytes / 1e6).toFixed(0)} MB of memory (at most 250); database ${(sizes.database / 1e6).toFixed(0)} MB, search index ${(sizes.index / 1e6).toFixed(0)} MB`,
    )
    await cluster.drop('imported')
  })
}

/** Returns the largest resident size of a process so far; null once it has ended. */
function peakBytes(pid: number | undefined): number | null {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
  } catch {
    return null
  }
}

function databaseSizes(settings: Record<string, string>, folder: string) {
  const { database } = parseConfig(settings, folder)
  if (database.kind === 'sqlite') throw new Error('The benchmark is about PostgreSQL.')
  return withPostgres(database, pino({ level: 'silent' }), async ({ db }) => {
    const { rows } = await sql<{ database: number; index: number }>`
      SELECT pg_database_size(current_database()) AS database, pg_relation_size('posts_n_grams') AS index`.execute(
      db,
    )
    const [sizes] = rows
    if (!sizes) throw new Error('PostgreSQL returned no sizes.')
    return sizes
  })
}
