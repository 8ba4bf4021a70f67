import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { isListed } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { StartError } from '../../errors/app-error.ts'
import { printProgress, type Terminal } from '../terminal.ts'

/** Type of a column in PostgreSQL that a value of SQLite can be converted to. */
const columnTypes = ['text', 'bigint', 'integer', 'boolean', 'timestamp with time zone'] as const

type ColumnType = (typeof columnTypes)[number]

type Table = Awaited<ReturnType<typeof findTables>>[number]

type SqliteValue = string | number | null

/** Table of SQLite with counters that PostgreSQL keeps differently; they are recomputed. */
const derivedTable = 'gallery'

/** Column of tables with one row, which migrations insert. */
const singletonColumn = 'singleton'

const batchRows = 4_000

/** Approximate characters of a batch: texts of 4,000 rows can be much larger than usual. */
const batchCharacters = 4_000_000

/**
 * Copies all rows of a SQLite database to an empty PostgreSQL database of the same version:
 *
 * 1. Locks all tables, and verifies that they are empty.
 * 2. Disables the triggers, and drops foreign keys and indexes, which are faster to build after the rows.
 * 3. Copies table by table, and compares a checksum of the rows that were read from SQLite with one of the rows that
 *    PostgreSQL returns.
 * 4. Sets identities and counters, builds indexes and foreign keys, and enables the triggers.
 *
 * The tables and their columns are those of SQLite, so that none is forgotten.
 *
 * @param source in a transaction that only reads
 * @param target in the transaction that is committed if all of this succeeds
 * @returns the number of texts from which NUL characters were removed, which PostgreSQL does not store
 * @throws StartError if the target is not empty, or rows cannot be stored or differ
 */
export async function copyTables(
  source: Database,
  target: Database,
  print: Terminal['print'],
): Promise<number> {
  const tables = await findTables(source, target)
  // An index of a large gallery takes minutes.
  await sql`SET LOCAL statement_timeout = 0`.execute(target)
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(target)
  const names = sql.join(tables.map(({ name }) => sql.table(name)))
  await sql`LOCK TABLE ${names}, ${sql.table(derivedTable)} IN ACCESS EXCLUSIVE MODE`.execute(target)
  await requireEmpty(target, tables)

  for (const { name } of tables) {
    await sql`ALTER TABLE ${sql.table(name)} DISABLE TRIGGER USER`.execute(target)
  }
  const definitions = await dropKeysAndIndexes(target, tables)
  const counts = tables.map(({ name }) => sql`(SELECT count(*) FROM ${sql.table(name)})`)
  const counted = await sql<{ total: number }>`SELECT ${sql.join(counts, sql` + `)} AS total`.execute(source)
  const total = counted.rows[0]?.total ?? 0
  const report = printProgress(print, 'rows')
  let [rows, cleanedTexts] = [0, 0]
  for (const table of tables) {
    const copied = await copyTable(source, target, table, (done) => report(rows + done, total))
    rows += copied.rows
    cleanedTexts += copied.cleanedTexts
  }
  await setIdentities(source, target, tables)
  await setCounters(source, target)
  // Takes minutes for a large gallery.
  print('Building the indexes …')
  for (const definition of definitions) await store('The rows', sql.raw(definition), target)
  for (const { name } of tables) {
    await sql`ALTER TABLE ${sql.table(name)} ENABLE TRIGGER USER`.execute(target)
    await sql`ANALYZE ${sql.table(name)}`.execute(target)
  }
  return cleanedTexts
}

/** Verifies that a PostgreSQL database has only the rows that migrations insert. @throws StartError */
export async function requireEmptyDatabase(source: Database, target: Database): Promise<void> {
  await requireEmpty(target, await findTables(source, target))
}

/** Finds the tables of SQLite with the types of their columns in PostgreSQL. */
async function findTables(source: Database, target: Database) {
  // Without virtual tables and those that store their contents.
  const { rows: names } = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name <> ${derivedTable}
      AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'kysely_*'`.execute(source)
  const { rows: columns } = await sql<{ table: string; name: string; type: string; isIdentity: boolean }>`
    SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
      a.attidentity <> '' AS "isIdentity"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped`.execute(target)
  const tables = []
  for (const { name: table } of names) {
    const { rows } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(source)
    tables.push({
      name: table,
      columns: rows.map(({ name }) => {
        const column = columns.find((one) => one.table === table && one.name === name)
        const type = columnTypes.find((one) => one === column?.type)
        if (!column || !type) throw new Error(`The column ${table}.${name} can't be imported.`)
        return { name, type, isIdentity: column.isIdentity }
      }),
    })
  }
  return tables
}

async function requireEmpty(target: Database, tables: readonly Table[]): Promise<void> {
  // A start without an administrator leaves it, and makes it again.
  await target.deleteFrom('site_options').where('name', '=', 'setupNonce').execute()
  for (const { name, columns } of tables) {
    if (columns.some((column) => column.name === singletonColumn)) continue
    const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(target)
    if (rows.length === 0) continue
    throw new StartError(
      `DATABASE_URL: the database is not empty (the table "${name}" has rows). Create a new one for the import.`,
    )
  }
}

/** Drops foreign keys, and the indexes that no constraint needs. Returns the statements that create them. */
async function dropKeysAndIndexes(target: Database, tables: readonly Table[]): Promise<string[]> {
  const ids = sql`SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relname = ANY(${tables.map(({ name }) => name)}::text[])`
  const { rows } = await sql<{ removal: string; definition: string }>`
    SELECT format('DROP INDEX %s', indexrelid::regclass) AS removal, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index
    WHERE indrelid IN (${ids}) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid IN (${ids}) AND contype = 'f'
    ORDER BY removal`.execute(target)
  for (const { removal } of rows) await sql.raw(removal).execute(target)
  return rows.map(({ definition }) => definition)
}

/** Executes a statement that stores or checks rows. @throws StartError if a type or a constraint does not allow them */
async function store(rows: string, statement: RawBuilder<unknown>, target: Database): Promise<void> {
  try {
    await statement.execute(target)
  } catch (cause) {
    if (!isConstraintViolation(cause)) throw cause
    throw new StartError(`${rows} can't be imported (${cause.message}).`, { cause })
  }
}

/** @throws StartError if PostgreSQL returns other rows than SQLite */
async function copyTable(source: Database, target: Database, table: Table, onRows: (done: number) => void) {
  const name = sql.table(table.name)
  const columns = sql.join(table.columns.map((column) => sql.ref(column.name)))
  const types = table.columns.map(({ type }) => type)
  if (table.columns.some((column) => column.name === singletonColumn)) {
    await sql`DELETE FROM ${name}`.execute(target)
  }
  const read = new RowsChecksum()
  let cleanedTexts = 0
  for await (const batch of readBatches(source, table)) {
    const rows = batch.map((row) =>
      row.map((value, index) => {
        const converted = convert(value, types[index] ?? 'text', table.columns[index]?.name ?? '')
        if (typeof converted === 'string' && converted !== value) cleanedTexts += 1
        return converted
      }),
    )
    for (const row of rows) read.add(row)
    const arrays = types.map((type, index) => {
      const values = rows.map((row) => row[index])
      return sql`${values}::${sql.raw(type)}[]`
    })
    const insertion = sql`INSERT INTO ${name} (${columns}) SELECT * FROM unnest(${sql.join(arrays)})`
    await store(`The rows of the table "${table.name}"`, insertion, target)
    onRows(read.rows)
  }

  const stored = new RowsChecksum()
  await sql`DECLARE imported NO SCROLL CURSOR FOR SELECT ${columns} FROM ${name}`.execute(target)
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      FETCH ${sql.lit(batchRows)} FROM imported`.execute(target)
    for (const row of rows) stored.add(table.columns.map((column) => row[column.name]))
    if (rows.length < batchRows) break
  }
  await sql`CLOSE imported`.execute(target)
  if (stored.digest !== read.digest || stored.rows !== read.rows) {
    throw new StartError(
      `The rows of the table "${table.name}" differ after the import (${read.rows} read, ${stored.rows} stored).`,
    )
  }
  return { rows: read.rows, cleanedTexts }
}

async function* readBatches(source: Database, table: Table): AsyncGenerator<SqliteValue[][]> {
  const rows = source
    .withTables<Record<string, Record<string, SqliteValue>>>()
    .selectFrom(table.name)
    .select(table.columns.map(({ name }) => name))
    .stream()
  let batch: SqliteValue[][] = []
  let characters = 0
  for await (const row of rows) {
    const values = table.columns.map(({ name }) => row[name] ?? null)
    batch.push(values)
    for (const value of values) if (typeof value === 'string') characters += value.length
    if (batch.length < batchRows && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** Converts a value of SQLite to the one that pg returns for a column of PostgreSQL. */
function convert(value: SqliteValue, type: ColumnType, column: string): unknown {
  if (value === null) return null
  switch (type) {
    case 'text':
      return String(value).replaceAll('\0', '')
    case 'bigint':
    case 'integer':
      return Number(value)
    case 'boolean':
      return value !== 0
    case 'timestamp with time zone': {
      // better-auth stores ISO 8601 in SQLite.
      const time = new Date(value)
      if (!Number.isNaN(time.getTime())) return time
      throw new StartError(
        `The column "${column}" of the source contains ${JSON.stringify(value)} instead of a time.`,
      )
    }
  }
}

/** Classes 22 (values that a type does not allow) and 23 (constraints). */
function isConstraintViolation(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

/** Checksum of rows in any order, as the two databases sort differently: the sum of their SHA-256. */
class RowsChecksum {
  digest = 0n
  rows = 0

  add(values: readonly unknown[]): void {
    const digest = createHash('sha256').update(JSON.stringify(values)).digest('hex')
    this.digest = BigInt.asUintN(256, this.digest + BigInt(`0x${digest}`))
    this.rows += 1
  }
}

/** Continues the numbers of SQLite, which are never reused, also those of deleted rows. */
async function setIdentities(source: Database, target: Database, tables: readonly Table[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
      const last = await lastNumber(source, name)
      await sql`SELECT setval(pg_get_serial_sequence(${`"${name}"`}, ${column.name}), ${Math.max(last, 1)}::bigint, ${last > 0})`.execute(
        target,
      )
    }
  }
}

/** Returns the highest number that a table has ever used; 0 for none. */
async function lastNumber(source: Database, table: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    SELECT seq FROM sqlite_sequence WHERE name = ${table}`.execute(source)
  return rows[0]?.seq ?? 0
}

async function setCounters(source: Database, target: Database): Promise<void> {
  const newest = await lastNumber(source, 'posts')
  const { changes } = await source.selectFrom('gallery').select('changes').executeTakeFirstOrThrow()
  await sql`
    UPDATE gallery SET newest = ${newest}, changes = ${changes},
      posts = (SELECT count(*) FROM posts WHERE ${isListed()})`.execute(target)
}
