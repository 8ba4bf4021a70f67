import { sql } from 'kysely'
import { databaseName, type PostgresConfig } from '../../db/database-config.ts'
import type { Database } from '../../db/open-database.ts'
import type { SchemaVersion } from '../../db/schema-version.ts'
import { StartError } from '../../errors/app-error.ts'
import { capitalize, count, note, ok, problem, type Line } from './report.ts'

/** Result of checking a PostgreSQL database. */
interface PostgresReport {
  readonly lines: readonly Line[]
  /** Number of accounts. */
  readonly accounts: number
}

/** Checks that a PostgreSQL database can be used, without changing it. */
export async function checkPostgres(config: PostgresConfig): Promise<PostgresReport> {
  const { withPostgres } = await import('../../db/postgres/open-postgres.ts')
  const quiet = { warn: () => undefined }
  try {
    return await withPostgres(config, quiet, async ({ db, ...version }) => {
      const server = await readServer(db)
      const { lines, accounts } = await checkContent(db, version)
      return {
        lines: [
          ok(`The database ${databaseName(config)} can be used (PostgreSQL ${server.version}).`),
          ...lines,
          ...checkRights(server),
          checkConnections(config, server),
        ],
        accounts,
      }
    })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    // Its last sentence is the fix.
    const [, text = error.message, fix = 'Correct DATABASE_URL.'] =
      /^(?:DATABASE_URL: )?(.*?[.;]) (\S.*)$/.exec(error.message) ?? []
    return { lines: [problem(capitalize(text.replace(/;$/, '.')), capitalize(fix))], accounts: 0 }
  }
}

interface Server {
  readonly version: string
  readonly user: string
  readonly schema: string | null
  readonly can_create: boolean | null
  /** Connections for ordinary users. */
  readonly connections: number
}

async function readServer(db: Database): Promise<Server> {
  const { rows } = await sql<Server>`
    SELECT current_setting('server_version') AS version,
      current_user::text AS user,
      current_schema()::text AS schema,
      has_schema_privilege(current_schema(), 'CREATE') AS can_create,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer AS connections`.execute(db)
  const [server] = rows
  if (!server) throw new Error('PostgreSQL returned no settings.')
  return server
}

async function checkContent(db: Database, { applied, pending }: SchemaVersion): Promise<PostgresReport> {
  if (applied.length === 0) {
    return { lines: [ok('It has no tables yet; the first start creates them.')], accounts: 0 }
  }
  const roles = sql.table(pending.includes('0023-user-access') ? 'user' : 'user_access')
  const { rows } = await sql<Record<'posts' | 'images' | 'accounts' | 'administrators', number>>`
    SELECT (SELECT count(*) FROM posts) AS posts,
      (SELECT count(*) FROM images WHERE folder IS NOT NULL) AS images,
      (SELECT count(*) FROM "user") AS accounts,
      (SELECT count(*) FROM ${roles} WHERE role = 'administrator') AS administrators`.execute(db)
  const { posts = 0, images = 0, accounts = 0, administrators = 0 } = rows[0] ?? {}
  return {
    lines: [
      ok(
        `It holds ${count(posts, 'post')}, ${count(images, 'image')} and ${count(accounts, 'account')}, ${count(administrators, 'administrator')} among them.`,
      ),
      pending.length === 0
        ? ok('Its schema is up to date.')
        : note(
            `Its schema needs a migration (${pending.join(', ')}): the next start brings it up to date.`,
            'Dump it before with pg_dump.',
          ),
    ],
    accounts,
  }
}

function checkRights({ user, schema, can_create }: Server): Line[] {
  if (can_create === true) return []
  return [
    problem(
      schema === null
        ? `The user ${user} has no schema to create tables in.`
        : `The user ${user} may not create tables in the schema ${schema}.`,
      `Make ${user} the owner of the database, or grant CREATE on a schema of its search_path.`,
    ),
  ]
}

/** Compares the connections of a process, one of which listens, with those of the server. */
function checkConnections({ maxConnections }: PostgresConfig, { connections }: Server): Line {
  const perProcess = maxConnections + 1
  const processes = Math.floor(connections / perProcess)
  const text = `Each process uses up to ${perProcess} of the server's ${connections} connections`
  return processes === 0
    ? problem(`${text}.`, 'Lower DATABASE_CONNECTIONS, or raise max_connections.')
    : ok(`${text}: enough for ${count(processes, 'process', 'processes')}.`)
}
